"""Known findings: a gate fails only on new ones, and what has vanished is named.

Version history of the file:
1  first release
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from indexer.errors import UsageError
from verifier.run import Compared, Result
from verifier.verdict import Befund, Outcome, Verdict
from verifier.walk import Problem

FORMAT_VERSION = 1
NOTE = "known: accepted by the baseline"


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """What makes a finding the same finding: motion, path, quoted text and quelle; any of them changed is a new one.

    Of something unreadable `text` is the hash of the reason, and `quelle` empty.
    """

    drucksache: str
    pfad: str
    text: str
    quelle: str = ""


def written(result: Result) -> str:
    """The baseline that accepts everything in `result` that did not pass or could not be read."""
    known = {key_of(befund): befund.verdict for befund in result.befunde if befund.outcome is not Outcome.PASS}
    lines = [_entry(key, verdict) for key, verdict in sorted(known.items())]
    lines += [_entry(key, None) for key in sorted({key_of(problem) for problem in result.problems if problem.lost})]
    return f'{{"format": {FORMAT_VERSION}, "known": [\n' + ",\n".join(lines) + "\n]}\n"


def _entry(key: Key, verdict: Verdict | None) -> str:
    fields = {"drucksache": key.drucksache, "pfad": key.pfad, "text_sha256": key.text, "quelle_sha256": key.quelle}
    return json.dumps(fields | {"verdict": verdict})


def key_of(item: Befund | Problem) -> Key:
    """The key of a Befund, or of a Problem."""
    if isinstance(item, Problem):
        return Key(item.drucksache, item.pfad, _sha256(item.reason))
    return Key(item.zitat.drucksache, item.zitat.pfad, _sha256(item.zitat.text), _sha256(item.zitat.quelle))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read(path: Path) -> dict[Key, Verdict | None]:
    """Read a baseline. Raises UsageError if the file is missing or none of ours, rather than accept nothing or all."""
    try:
        data = json.loads(path.read_text("utf-8"))
        if data["format"] != FORMAT_VERSION:
            raise ValueError(f"format {data['format']!r}, this program reads {FORMAT_VERSION}")
        return dict(map(_parsed, data["known"]))
    except OSError as error:
        raise UsageError(f"the baseline {path} cannot be read: {error.strerror}") from error
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        message = f"{path} is no baseline ({error}); write one with: verify baseline DB -o FILE"
        raise UsageError(message) from error


def _parsed(entry: Mapping[str, str | None]) -> tuple[Key, Verdict | None]:
    fields = [entry[name] for name in ("drucksache", "pfad", "text_sha256", "quelle_sha256")]
    if not all(isinstance(field, str) for field in fields):
        raise TypeError("a field that is no text")
    verdict = entry["verdict"]
    return Key(*map(str, fields)), None if verdict is None else Verdict(verdict)


def compared(result: Result, known: Mapping[Key, Verdict | None], drucksachen: Collection[str] | None) -> Result:
    """Mark what the baseline accepts, and name what it holds that is there no longer or passes now.

    A citation that was unchecked or a warning and fails now is new. `drucksachen`: the motions that were looked at;
    None: all.
    """
    accepted = [position for position, befund in enumerate(result.befunde) if _is_known(befund, known)]
    noted = list(result.befunde)
    for position in accepted:
        noted[position] = replace(noted[position], notes=(*noted[position].notes, NOTE))
    problems = [position for position, problem in enumerate(result.problems) if key_of(problem) in known]
    still = {key_of(befund) for befund in result.befunde if befund.outcome is not Outcome.PASS}
    still |= {key_of(problem) for problem in result.problems}
    baseline = Compared(
        befunde=frozenset(accepted),
        problems=frozenset(problems),
        vanished=tuple(_named(sorted(known.keys() - still), known, drucksachen)),
    )
    return replace(result, befunde=tuple(noted), baseline=baseline)


def _is_known(befund: Befund, known: Mapping[Key, Verdict | None]) -> bool:
    if befund.outcome is Outcome.PASS:
        return False
    verdict = known.get(key_of(befund))
    return verdict is not None and verdict.outcome in (befund.outcome, Outcome.FAIL)


def _named(
    keys: Iterable[Key], known: Mapping[Key, Verdict | None], drucksachen: Collection[str] | None
) -> Iterator[str]:
    for key in keys:
        if drucksachen is None or key.drucksache in drucksachen:
            yield f"{key.drucksache} {key.pfad}: {known[key] or 'unreadable'}"
