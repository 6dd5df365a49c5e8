"""Ways to spoil bytes and texts; each draws all of its chances from one `random.Random`: a seed gives the same."""

import random
import re
from collections.abc import Callable, Sequence

_NUMBER = re.compile(rb"\d+")
_BIG = (b"0", b"-1", b"1", b"65536", b"2147483647", b"4294967296", b"99999999999999999999", b"1e999", b"0.0000001")
_WORDS = (
    *(
        b"<<",
        b">>",
        b"[",
        b"]",
        b"(",
        b")",
        b"<",
        b">",
        b"/",
        b"%",
        b"\0",
        b"\xff",
        b"\r",
        b"\n",
        b"{",
        b"}",
        b'"',
        b",",
    ),
    *(b"endobj", b"endstream", b"stream\n", b"1 0 R", b"2 0 R", b"null", b"/Kids", b"/Count", b"/Length", b"/Filter"),
    *(b"/FlateDecode", b"/LZWDecode", b"/Parent 4 0 R", b"/Contents", b"/Rotate 90", b"/MediaBox [0 0 0 0]", b"obj"),
    *(b"Tf", b"Tj", b"BT", b"ET", b"q", b"Q", b"Do", b"BDC", b"EMC", b"true", b"NaN", b"\\ud83c", b"\\u0000", b"1e400"),
)


def mutate(data: bytes, rng: random.Random, others: Sequence[bytes] = ()) -> bytes:
    """`data` with one to six changes; `others` are files that pieces may be taken from."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        data = rng.choice(_CHANGES)(data, rng, others)
    return data


def _flip(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    if not data:
        return data
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8, 64))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _overwrite(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    at, size = rng.randrange(len(data) + 1), rng.choice((1, 4, 30, 300))
    return data[:at] + rng.randbytes(min(size, len(data) - at)) + data[at + size :]


def _delete(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.choice((1, 3, 20, 200)) :]


def _cut(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _repeat(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    at, size = rng.randrange(len(data) + 1), rng.choice((1, 10, 100, 1000))
    return data[:at] + data[at : at + size] * rng.choice((2, 3, 30)) + data[at + size :]


def _number(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    match = rng.choice(found)
    return data[: match.start()] + rng.choice(_BIG) + data[match.end() :]


def _word(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    word = rng.choice(_WORDS)
    return data[:at] + word + data[at + rng.choice((0, len(word))) :]


def _splice(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    if not others:
        return data
    other = rng.choice(others)
    start = rng.randrange(len(other) + 1)
    at, size = rng.randrange(len(data) + 1), rng.choice((10, 100, 1000))
    return data[:at] + other[start : start + size] + data[at + rng.choice((0, size)) :]


_CHANGES: tuple[Callable[[bytes, random.Random, Sequence[bytes]], bytes], ...] = (
    _flip, _flip, _overwrite, _delete, _cut, _repeat, _number, _number, _word, _word, _splice,
)  # fmt: skip


NOISE = (
    *(
        "\0",
        "\x1b[31m",
        "\x9b31m",
        "\r",
        "\b",
        "\x07",
        "\u202e",
        "\u2066",
        "\u200b",
        "\xad",
        "\ufffd",
        "\ue000",
        "\ud83c",
    ),
    *("<script>alert(1)</script>", "'; DROP TABLE seiten; --", '" OR "1"="1', "NEAR(a b)", "(a+)+$", ".*", "\\", "%s"),
    *(
        "=HYPERLINK()",
        "@SUM(1)",
        "+1",
        "|",
        "```",
        "**",
        "[cite: 1]",
        "【12†x】",
        "[…]",
        "...",
        "…",
        "[",
        "](",
        "![x](",
    ),
    *(
        "&amp;",
        "&#0;",
        "&lt;",
        "> ",
        "# ",
        "• ",
        "n ",
        "(S. 3)",
        "Zitat: ",
        "½",
        "²",
        "ﬁ",
        "u\u0308",
        "I",
        "ß",
        "\n\n",
        "\t",
    ),
    *(
        "S. 1",
        "S. 1 ff.",
        "S. 99999999999999999999",
        "#page=1",
        "S. 0",
        "S. i",
        "2021",
        "NRW",
        "Bund",
        "SPD",
        "die",
        "-",
    ),
)


def noisy(text: str, rng: random.Random) -> str:
    """`text` with one to five pieces of what models and attackers write."""
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(text) + 1)
        piece = rng.choice(NOISE) * rng.choice((1, 1, 1, 2, 40))
        text = text[:at] + piece + text[at + rng.choice((0, 0, len(piece), 10)) :]
    return text
