"use strict";
(() => {
  const form = document.getElementById("filter");
  const articles = [...document.querySelectorAll("article")];
  const groups = [...document.querySelectorAll(".group")];
  const fields = ["outcome", "verdict", "partei", "bundesland"];
  const cells = [...document.querySelectorAll("[data-value]")];
  const status = document.getElementById("shown");
  const chosen = () => Object.fromEntries(fields.map((field) => [field, form.elements[field].value]));
  let texts; // only a search pays for them

  const apply = () => {
    const wanted = chosen();
    const words = form.elements.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length && !texts) texts = articles.map((article) => article.textContent.toLowerCase());
    const counts = new Map();
    let shown = 0;
    articles.forEach((article, i) => {
      const fits = fields.every((field) => !wanted[field] || article.dataset[field] === wanted[field]);
      const visible = fits && words.every((word) => texts[i].includes(word));
      if (article.hidden === visible) article.hidden = !visible;
      if (!visible) return;
      shown += 1;
      for (const field of fields) {
        const key = field + "\n" + article.dataset[field];
        counts.set(key, (counts.get(key) || 0) + 1);
      }
    });
    for (const group of groups) group.hidden = !group.querySelector("article:not([hidden])");
    for (const cell of cells) cell.textContent = counts.get(cell.dataset.field + "\n" + cell.dataset.value) || 0;
    status.textContent = status.dataset.text.replace("{shown}", shown);
  };

  // A report of thousands must not work through all of them at every letter that is typed.
  let waiting;
  form.addEventListener("input", (event) => {
    clearTimeout(waiting);
    if (event.target.name === "search") waiting = setTimeout(apply, 150);
    else apply();
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); apply(); });
  form.addEventListener("reset", () => setTimeout(apply, 0));
  form.hidden = false;
  apply(); // a browser that goes back to the page keeps what was typed
})();
