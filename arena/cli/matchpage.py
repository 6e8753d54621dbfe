"""One match in full: who, how, every attempt, and what it did to whose rating and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from arena.cli.output import printable
from arena.cli.talking import add_row, new_table, rating_text, shown_state, when

if TYPE_CHECKING:
    from rich.table import Table

    from arena.tournament.answers import MatchSummary, RatingChange

__all__ = ["change_table", "explained", "match_page"]


def match_page(match: MatchSummary, changes: Sequence[RatingChange]) -> Iterator[str | Table]:
    """All that is known of a match, part by part."""
    yield printable(
        f"match {match.number}: {match.kind}, {match.table}, {shown_state(match.state)}"
    )
    for label, text in (("why it is played", match.cause), ("asked for by", match.requested_by)):
        if text:
            yield printable(f"{label}: {text}")
    if match.why:
        yield printable(match.why)
    yield _seats(match)
    if match.result is not None:
        result = match.result
        yield printable(result.why)
        yield printable(f"played {when(result.started)} to {when(result.ended)}")
        if result.annulled:
            yield printable(f"annulled: {result.annulled}")
    if changes:
        yield change_table(changes, "what it did to the ratings")
        yield from map(printable, explained(match, changes))
    if match.attempts:
        yield _attempts(match)
    if match.result is not None:
        yield f"`arena fetch-record {match.number}` has every card of it"


def _seats(match: MatchSummary) -> Table:
    table = new_table("", "#seat", "bot", "version", "#games won", "#points", "forfeit")
    for number, seat in enumerate(match.seats):
        version = f"{seat.ordinal} ({seat.label})"
        if match.result is None:
            add_row(table, number, seat.title, version, "", "", "")
            continue
        own = match.result.seats[number]
        forfeit = f"{own.forfeit}: {own.detail}" if own.forfeit else ""
        add_row(table, number, seat.title, version, f"{own.wins:g}", own.points, forfeit)
    return table


def _attempts(match: MatchSummary) -> Table:
    table = new_table("attempts", "#attempt", "state", "began", "ended", "commitment, seed", "why")
    for one in match.attempts:
        seed = f"{one.commitment[:16]} {one.seed[:16] or 'not yet'}"
        add_row(
            table,
            one.number,
            shown_state(one.state),
            when(one.started),
            when(one.ended),
            seed,
            one.why,
        )
    return table


def change_table(changes: Sequence[RatingChange], title: str) -> Table:
    """Rating changes as a table."""
    table = new_table(title, "bot", "match", "#expected", "#got", "#before", "#after", "#worth")
    for one in changes:
        change = one.after.conservative - one.before.conservative
        match = f"version {one.ordinal}" if one.match is None else one.match
        ratings = (rating_text(one.before), rating_text(one.after), f"{change:+.2f}")
        add_row(table, one.title, match, _share(one.expected), _share(one.actual), *ratings)
    return table


def _share(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f} %"


def explained(match: MatchSummary, changes: Sequence[RatingChange]) -> Iterator[str]:
    """Each change of a match in a sentence."""
    for one in changes:
        if one.expected is None or one.actual is None:
            continue
        others = [seat.title for seat in match.seats if seat.title != one.title]
        delta = one.actual - one.expected
        if abs(delta) < 0.005:
            how = "as much as was expected"
        else:
            how = f"{'more' if delta > 0 else 'less'} than the {_share(one.expected)} expected"
        moved = one.after.mu - one.before.mu
        narrower = one.before.sigma - one.after.sigma
        sure = f"surer by {narrower:.2f}" if narrower >= 0 else f"less sure by {-narrower:.2f}"
        yield (
            f"{one.title} got {_share(one.actual)} against {', '.join(others)}, {how}: its mean "
            f"moves by {moved:+.2f} and is {sure}"
        )
