"""Abbreviated Länder, and letters that may be short for one (SPEC §6, "quelle → Programm")."""

import re

from indexer.aliases import WORD, Sinn, key_of, load_aliases

# At most eight letters: the same text is never read again from each of many letters on
_LETTERS = re.compile(
    r"[^\W\d_](?:(?:\s?[-/_\u00b7\u2010-\u2015\u2043\u2212]\s?|\.\s?[-/\u2010-\u2015\u2212]?\s?|\s)[^\W\d_](?![^\W_])){1,7}"
)
_JOINED = re.compile(
    r"(?P<one>[^\W\d_]+)(?:\.\s?|\.?\s?[-/_\u00b7\u2010-\u2015\u2043\u2212]\s?|(?<=[^\W_]{3})\s(?=[^\W_]{3}))"
    r"(?P<other>[^\W\d_]+)(?![^\W_])\.?"
)
_SHORT = 2  # letters: longer ones may be words
_HYPHEN = re.compile(r"[^\w\s.]|_")


def abbreviated_land(text: str, start: int) -> tuple[Sinn, ...]:
    """The Land of two words that two words at `start` begin: `Schl.-Holst.`, `s-h`; empty if there is none.

    Longer ones without a full stop may be words of their own (`Nord-West`, `Rhein-Pfalz`): they must be borne as well.
    """
    match = _JOINED.match(text, start)
    if match is None or (len(match["one"]) == len(match["other"]) == 1 and not lone_letters(text, start)):
        return ()
    one, other = key_of(match["one"]), key_of(match["other"])
    names = load_aliases().laender.items()
    found = [land for land, keys in names if keys[0].startswith(one) and keys[1:] and keys[1].startswith(other)]
    if len(found) != 1:
        return ()
    whole = "." not in match[0] and min(len(one), len(other)) > _SHORT
    return (Sinn("land", found[0]), Sinn("ort", "orte")) if whole else (Sinn("land", found[0]),)


def lone_letters(text: str, start: int) -> int:
    """How many letters stand at `start` as in `B-W`, `S.-H.` or `b_w`; 0 unless they may be short for a name.

    Numbering (`B.I`) and what is written small with full stops or spaces (`z. B.`) is not.
    """
    match = _LETTERS.match(text, start)
    letters = WORD.findall(match[0]) if match else []
    if match is None or {"I", "V", "X"} & {*letters[1:]}:
        return 0
    return len(letters) if match[0].isupper() or _HYPHEN.search(match[0]) else 0
