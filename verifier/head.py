"""The head of a quelle: what is left without page references and addresses (SPEC §6)."""

import re
from collections.abc import Container

from verifier.pageref import Located, PageRef, find_pages

PAGE = "\x1e"  # stands in the head where a page reference stood; cleaned text holds no control characters
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)*\.(?:de|org|com|net|eu|info)(?:/.*)?", re.IGNORECASE)


def split_quelle(text: str, files: Container[str] = ()) -> tuple[str, PageRef | None]:
    """The head of the cleaned quelle `text`, addresses and page references taken out, and the pages.

    Where nothing but one of the names `files` is left, that is the head.
    """
    found = find_pages(text)
    for located in sorted(found, key=_start, reverse=True):
        text = f"{text[: located.start]} {PAGE} {text[located.end :]}"
    if (file := text.strip(f' ,;.()[]„“”"{PAGE}')) in files:
        return file, found[0].ref if found else None
    words = (_without_address(word) for word in text.split(" "))
    return " ".join(words).strip(f" ,;.{PAGE}"), found[0].ref if found else None


def _start(located: Located) -> int:
    return located.start


def _without_address(word: str) -> str:
    """`word` without the address in it: the year or party in one is not what the quelle says."""
    if "." not in word and "/" not in word:
        return word
    lower = word.lower()
    for beginning in ("http://", "https://", "www."):
        if beginning in lower:
            return word[: lower.index(beginning)] + ";"
    bare = word.strip("()[]<>,;\"'")
    if ".pdf" in lower or bare.startswith(("/", "./", "../")) or _DOMAIN.fullmatch(bare):
        return ";"
    return word
