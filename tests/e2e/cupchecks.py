"""What has to hold of a competition whose server was killed, and what nobody may see of it."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from arena.formats.story import Way
from arena.storage.facts import Match, MatchKind, MatchState
from arena.tournament.competition import events
from arena.tournament.competition.journal import Line
from arena.tournament.competition.state import Competition
from arena.tournament.competition.views import EntryState
from arena.transport.client import Client
from arena.transport.client_wire import ServerError

__all__ = ["leaks", "miscounted"]


def miscounted(lines: list[Line], here: Competition, matches: list[Match]) -> list[str]:
    """What is lost or counted twice, by the journal and the matches of the store."""
    scored = Counter(
        (one.event.stage, one.event.key, one.event.run)
        for one in lines
        if isinstance(one.event, events.Scored)
    )
    found = [f"{what} was scored {count} times" for what, count in scored.items() if count > 1]
    runs = Counter(one.pairing for one in matches)
    found += [f"{what} has {count} matches" for what, count in runs.items() if count > 1]
    known = {one.pairing: one for one in matches}
    announced = set()
    for stage in here.stages:
        scores = stage.story().scores
        for key, pairing in stage.pairings.items():
            names = {f"{stage.number}/{key}/{run}" for run in range(1, stage.runs[key] + 1)}
            announced |= names
            if key not in scores:
                found.append(f"{stage.number}/{key} has no score")
            elif not pairing.is_bye and scores[key].way is Way.PLAYED:
                by = stage.results[key].by
                found += _unlike(known.get(stage.name_of(key)), by)
    found += [f"nobody has announced {what}" for what in known if what not in announced]
    over = (MatchState.DONE, MatchState.CANCELLED)
    return found + [f"{one.pairing} is {one.state}" for one in matches if one.state not in over]


def _unlike(match: Match | None, by: events.Scored | events.Decided) -> list[str]:
    """What a score by a match says otherwise than the match."""
    if not isinstance(by, events.Scored):
        return []
    if match is None or match.result is None:
        return [f"{by.stage}/{by.key}: its match is lost"]
    said, kept = (by.match, by.record), (match.number, match.result.record)
    return [] if said == kept else [f"{by.stage}/{by.key}: scored {said}, and there is {kept}"]


# -- who may not see it -------------------------------------------------------------------------

_SPOILER: Final = re.compile(
    r"\bstage \d|disqualified|withdraws|plays on|joins|played again|decided"
)


def leaks(client: Client, name: str, numbers: Iterable[int]) -> list[str]:
    """What a client sees of a competition whose results are not for it; `numbers` are matches."""
    found = []
    asked = client.competitions
    info = asked.info(name)
    if info.is_visible or info.is_played or info.secret:
        found.append(f"info: {info}")
    found += [
        f"entry: {one}"
        for one in asked.entries(name)
        if one.why or one.state is not EntryState.PLAYS
    ]
    found += [f"note: {one.text}" for one in asked.notes(name) if _SPOILER.search(one.text)]
    found += [f"match: {one}" for one in client.matches() if one.kind is MatchKind.COMPETITION]
    ways: list[tuple[str, Callable[[], object]]] = [
        ("stages", lambda: asked.stages(name)),
        ("table", lambda: list(asked.table(name, 1))),
        ("pairings", lambda: list(asked.pairings(name, 1))),
    ]
    for number in numbers:
        ways += [
            (f"match {number}", partial(client.match, number)),
            (f"watch {number}", partial(_whole, client.watch_match, number)),
            (f"record {number}", partial(_whole, client.download_record, number)),
            (f"log {number}", partial(_whole, client.match_log, number)),
            (
                f"competition's record {number}",
                partial(_whole, partial(asked.download_record, name), number),
            ),
        ]
    for what, ask in ways:
        with contextlib.suppress(ServerError):
            found.append(f"{what}: {ask()}")
    return found


def _whole(ask: Callable[[int], Iterable[object]], number: int) -> list[object]:
    return list(ask(number))
