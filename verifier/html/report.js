"use strict";
(() => {
  const form = document.getElementById("filter");
  const articles = [...document.querySelectorAll("article")];
  const texts = articles.map((article) => article.textContent.toLowerCase());
  const fields = ["outcome", "verdict", "partei", "bundesland"];
  const cells = [...document.querySelectorAll("td[data-field]")];
  const status = document.getElementById("shown");
  const chosen = () => Object.fromEntries(fields.map((field) => [field, form.elements[field].value]));

  const apply = () => {
    const wanted = chosen();
    const words = form.elements.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const counts = new Map();
    let shown = 0;
    articles.forEach((article, i) => {
      const fits = fields.every((field) => !wanted[field] || article.dataset[field] === wanted[field]);
      const visible = fits && words.every((word) => texts[i].includes(word));
      article.hidden = !visible;
      if (!visible) return;
      shown += 1;
      for (const field of fields) {
        const key = field + "\n" + article.dataset[field];
        counts.set(key, (counts.get(key) || 0) + 1);
      }
    });
    for (const cell of cells) cell.textContent = counts.get(cell.dataset.field + "\n" + cell.dataset.value) || 0;
    status.textContent = status.dataset.text.replace("{shown}", shown);
  };

  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply, 0));
  form.hidden = false;
  apply();
})();
