"""The score sheet of a hand, once more, from the rulings (R28, R33, R35-R37)."""

from __future__ import annotations

from arena.engine.cards import KM, Card
from arena.engine.state import HandState, Reason

Sheet = dict[str, int]


def sheets_by_the_rules(state: HandState) -> list[Sheet]:
    """Points by item for each team of a hand that is over."""
    return [_sheet(state, team) for team in range(len(state.tables))]


def _sheet(state: HandState, team: int) -> Sheet:
    table = state.tables[team]
    rules = state.rules
    safeties = f"{table.safeties:b}".count("1")
    finished = state.reason == Reason.TARGET and state.winner == team
    extended = state.extended_by >= 0
    others = [one for number, one in enumerate(state.tables) if number != team]
    idle = [not any(KM[card] for card in one.distance) for one in others]
    caller_failed = extended and not (
        state.reason == Reason.TARGET and state.winner == state.extended_by
    )
    compensated = rules.failed_extension_bonus and caller_failed and team != state.extended_by
    shutout = {"all": finished and all(idle), "any": finished and any(idle), "dujardin": any(idle)}
    return {
        "distance": table.km,
        "safeties": 100 * safeties,
        "all_safeties": rules.four_safeties_bonus if safeties == 4 else 0,
        "coups_fourres": 300 * f"{table.coups_fourres:b}".count("1"),
        "completed": 400 if finished else 0,
        "extension": 200 if extended and (finished or compensated) else 0,
        "safe_trip": 300 if finished and bytes([Card.D200]) not in table.distance else 0,
        "delayed_action": 300 if finished and _is_delayed(state) else 0,
        "shutout": 500 if shutout[rules.shutout_rule] else 0,
    }


def _is_delayed(state: HandState) -> bool:
    """R28: the pile had run out at the finish, or before the turn of the finish began."""
    if state.rules.delayed_action_trigger == "pile_empty":
        return state.ran_out
    return state.dry_start
