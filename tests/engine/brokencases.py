"""Sound conformance cases, and what breaks them: where, with what, and what the refusal says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arena.engine.cards import CARDS, EXPRESS_DECK

GONE: Final = object()
"""As a new value: the key is taken out."""

Place = Sequence[str | int]

HANDS = [
    ["D25", "D50", "D75", "D100", "FLAT_TIRE", "REPAIRS", "GASOLINE"],
    ["D25", "D50", "D75", "D100", "PUNCTURE_PROOF", "REPAIRS"],
]
PLAYED: dict[str, Any] = {
    "name": "played",
    "source": "here",
    "ruleset": {"preset": "classic", "options": {"max_200": 1}},
    "teams": [[0], [1]],
    "scores": [100, 200],
    "dealer": 1,
    "position": {
        "hands": HANDS,
        "tables": [{}, {"battle": ["GREEN_LIGHT"], "distance": ["D200"]}],
        "draw": ["D25", "D25"],
        "discard": ["D50"],
        "turn": {"seat": 0, "stage": "play"},
    },
    "steps": [
        {"do": "play FLAT_TIRE on 1", "seat": 0, "expect": {"asked": [1], "kind": "respond"}},
        {"timeout": True, "seat": 1, "expect": {"hands": {"0": HANDS[0][:4] + HANDS[0][5:]}}},
        {
            "expect": {
                "tables": {"1": {"km": 200, "moving": False}},
                "legal_has": ["play PUNCTURE_PROOF"],
                "discard_top": "D50",
                "over": False,
            }
        },
        {"do": "pass", "seat": 0, "illegal": True},
    ],
}
DEALT: dict[str, Any] = {
    "name": "dealt",
    "source": "here",
    "ruleset": "express",
    "teams": [[0], [1]],
    "deck": {card.name: count for card, count in zip(CARDS, EXPRESS_DECK, strict=True)},
}
SCORED: dict[str, Any] = {
    "name": "scored",
    "source": "here",
    "ruleset": "classic",
    "teams": [[0], [1]],
    "score": {
        "tables": [{"distance": ["D100"] * 10}, {"distance": ["D25"], "safeties": ["DRIVING_ACE"]}],
        "finisher": 0,
        "extended": False,
        "pile_exhausted": True,
        "target": 1000,
        "points": [2000, 125],
        "items": {"0": {"safe_trip": 300}},
    },
}
MATCHED: dict[str, Any] = {
    "name": "matched",
    "source": "here",
    "ruleset": "classic",
    "teams": [[0, 2], [1, 3]],
    "match": {
        "scores": [4000, 4000],
        "hands": [
            {
                "points": [1000, 500],
                "expect": {"over": True, "totals": [5000, 4500], "winner": 0, "dealer": 0},
            }
        ],
    },
}
SUBJECTS = {"position": PLAYED, "deck": DEALT, "score": SCORED, "match": MATCHED}


Broken = list[tuple[Place, Any, str]]
"""The place, the new value there, and how the message goes on after file and case: the field, or
the field and what is wrong with it."""

CASE: Broken = [
    (["positon"], {}, "case: unknown key 'positon'"),
    (["source"], GONE, "source: missing"),
    (["source"], 7, "source"),
    (["name"], ["a"], "name"),
    (["ruleset"], GONE, "ruleset: missing"),
    (["teams"], GONE, "teams: missing"),
    (["position"], GONE, "case: has none of position, deck, score, match"),
    (["dealer"], 2, "dealer: 2 is out of range"),
    (["dealer"], "1", "dealer"),
    (["dealer"], True, "dealer"),
    (["scores"], [100], "scores: 1 numbers for 2 teams"),
    (["scores"], [100, -1], "scores[1]"),
    (["scores"], [100, 1.5], "scores[1]"),
    (["scores"], {"0": 100}, "scores"),
]
RULESET: Broken = [
    (["ruleset"], 7, "ruleset"),
    (["ruleset"], None, "ruleset"),
    (["ruleset"], "chess", "ruleset: unknown preset 'chess'"),
    (["ruleset"], "Classic", "ruleset: unknown preset 'Classic'"),
    (["ruleset", "preset"], GONE, "ruleset.preset"),
    (["ruleset", "preset"], 1, "ruleset.preset"),
    (["ruleset", "option"], {}, "ruleset: unknown key 'option'"),
    (["ruleset", "options"], [], "ruleset.options"),
    (["ruleset", "options", "max_300"], 1, "ruleset: unknown option 'max_300'"),
    (["ruleset", "options", "max_200"], -1, "ruleset: option max_200: -1 is not allowed"),
    (["ruleset", "options", "max_200"], "two", "ruleset: option max_200"),
    (["ruleset", "options", "max_200"], [2], "ruleset.options.max_200"),
    (["ruleset", "options", "max_200"], 1.5, "ruleset.options.max_200"),
    (["ruleset", "options", "forced_play"], 1, "ruleset: option forced_play: 1 is not allowed"),
    (["ruleset", "options", "target"], 800, "ruleset: option target: 800 is not allowed"),
    (["ruleset", "options", "target"], True, "ruleset: option target"),
    (["ruleset", "options", "shutout_rule"], "none", "ruleset: option shutout_rule"),
    (["ruleset", "options", "extension"], True, "ruleset: option extension"),
    (["ruleset", "options", "top_choice"], True, "ruleset: option top_choice: true is not allowed"),
    (
        ["ruleset", "options", "plateau_exhaustion"],
        "play_out",
        "ruleset: option plateau_exhaustion",
    ),
]
TEAMS: Broken = [
    (["teams"], {}, "teams"),
    (["teams"], [], "teams"),
    (["teams"], [[], []], "teams"),
    (["teams"], [0, 1], "teams[0]"),
    (["teams"], [[0], ["1"]], "teams[1][0]"),
    (["teams"], [[0], [-1]], "teams[1][0]"),
    (["teams"], [[False], [True]], "teams[0][0]"),
    (["teams"], [[0]], "teams"),
    (["teams"], [[0], [2]], "teams"),
    (["teams"], [[0], [0]], "teams"),
    (["teams"], [[0, 1]], "teams"),
    (["teams"], [[0, 1], [2, 3]], "teams"),
    (["teams"], [[0], [1], [2], [3]], "teams"),
    (["teams"], [[0], [1], [2], [3], [4]], "teams"),
    (["teams"], [[0, 2, 4], [1, 3, 5]], "teams"),
    (["teams"], [[seat] for seat in range(300)], "teams"),
]
POSITION: Broken = [
    (["position"], [], "position"),
    (["position", "hand"], [], "position: unknown key 'hand'"),
    (["position", "hands"], GONE, "position: hands is missing"),
    (["position", "tables"], GONE, "position: tables is missing"),
    (["position", "turn"], GONE, "position: turn is missing"),
    (["position", "hands"], HANDS[:1], "position.hands: 1 hands for 2 seats"),
    (["position", "hands"], [*HANDS, []], "position.hands: 3 hands for 2 seats"),
    (["position", "hands"], {"0": []}, "position.hands"),
    (["position", "hands", 1], "D25", "position.hands[1]"),
    (["position", "hands", 1, 3], "D150", "position.hands[1][3]: unknown card 'D150'"),
    (["position", "hands", 1, 3], "d100", "position.hands[1][3]: unknown card 'd100'"),
    (["position", "hands", 1, 3], 100, "position.hands[1][3]"),
    (["position", "hands", 1, 3], "DRIVING_ACE\n", "position.hands[1][3]: unknown card"),
    (["position", "hands", 1], [*HANDS[1], "D50"], "position.hands[1]: 7 cards"),
    (["position", "hands", 0], ["D25"] * 300, "position.hands[0]: 300 cards"),
    (["position", "tables"], [{}], "position.tables: 1 tables for 2 teams"),
    (["position", "tables", 1, "battles"], [], "position.tables[1]: unknown key 'battles'"),
    (["position", "tables", 1, "battle"], ["D25"], "position.tables[1].battle[0]"),
    (["position", "tables", 1, "battle"], ["SPEED_LIMIT"], "position.tables[1].battle[0]"),
    (["position", "tables", 1, "speed"], ["RED_LIGHT"], "position.tables[1].speed[0]"),
    (["position", "tables", 1, "distance"], ["REPAIRS"], "position.tables[1].distance[0]"),
    (["position", "tables", 1, "distance"], ["D200", "D200"], "position.tables[1].distance"),
    (["position", "tables", 1, "distance"], ["D100"] * 10, "position.tables[1].distance: 1000 km"),
    (["position", "tables", 1, "safeties"], ["REPAIRS"], "position.tables[1].safeties[0]"),
    (["position", "tables", 1, "safeties"], ["DRIVING_ACE"] * 2, "position.tables[1].safeties[1]"),
    (
        ["position", "tables", 1, "coups_fourres"],
        ["DRIVING_ACE"],
        "position.tables[1].coups_fourres: DRIVING_ACE is not among the safeties",
    ),
    (["position", "tables", 1, "bonus_km"], -25, "position.tables[1].bonus_km"),
    (["position", "tables", 1, "bonus_km"], 10**400, "position.tables[1].bonus_km"),
    (["position", "tables", 1, "started"], False, "position.tables[1].started"),
    (["position", "tables", 1, "started"], "yes", "position.tables[1].started"),
    (["position", "draw"], ["PUNCTURE_PROOF"], "position: 2 copies of PUNCTURE_PROOF; the deck"),
    (["position", "draw"], ["ACCIDENT"] * 4, "position: 4 copies of ACCIDENT; the deck has 3"),
    (["position", "discard"], ["D25"] * 300, "position: 304 copies of D25; the deck has 10"),
    (["position", "turn"], 0, "position.turn"),
    (["position", "turn", "seat"], 2, "position.turn.seat: 2 is out of range"),
    (["position", "turn", "seat"], 10**400, "position.turn.seat"),
    (["position", "turn", "seat"], GONE, "position.turn: seat is missing"),
    (["position", "turn", "stage"], "respond", "position.turn.stage"),
    (["position", "turn", "stage"], None, "position.turn.stage"),
    (["position", "turn", "stage"], GONE, "position.turn: stage is missing"),
    (["position", "turn", "phase"], "play", "position.turn: unknown key 'phase'"),
    (["position", "turn", "seat"], 1, "position.hands[0]: 7 cards"),
    (["position", "target"], 700, "position.target"),
    (["position", "pile_exhausted"], "no", "position.pile_exhausted"),
]
STEPS: Broken = [
    (["steps"], {}, "steps"),
    (["steps", 1], "pass", "steps[1]"),
    (["steps", 1], {}, "steps[1]"),
    (["steps", 1, "does"], "pass", "steps[1]: unknown key 'does'"),
    (["steps", 1, "do"], "pass", "steps[1]: has both do and timeout"),
    (["steps", 1, "timeout"], False, "steps[1].timeout"),
    (["steps", 1, "timeout"], 1, "steps[1].timeout"),
    (["steps", 1, "illegal"], True, "steps[1].illegal"),
    (["steps", 1, "seat"], GONE, "steps[1].seat"),
    (["steps", 0, "seat"], GONE, "steps[0].seat"),
    (["steps", 0, "seat"], 2, "steps[0].seat: 2 is out of range"),
    (["steps", 0, "seat"], -1, "steps[0].seat: -1 is out of range"),
    (["steps", 0, "seat"], 0.0, "steps[0].seat"),
    (["steps", 2, "seat"], 0, "steps[2].seat"),
    (["steps", 3, "illegal"], "true", "steps[3].illegal"),
    (["steps", 0, "do"], "lay FLAT_TIRE on 1", "steps[0].do: unknown action 'lay FLAT_TIRE on 1'"),
    (["steps", 0, "do"], "play FLAT_TIRE", "steps[0].do: unknown action 'play FLAT_TIRE'"),
    (["steps", 0, "do"], "play FLAT_TIRE on 4", "steps[0].do: unknown action"),
    (
        ["steps", 0, "do"],
        "play FLAT_TYRE on 1",
        "steps[0].do: unknown action 'play FLAT_TYRE on 1'",
    ),
    (["steps", 0, "do"], "play D25 on 1", "steps[0].do: unknown action"),
    (["steps", 0, "do"], "coup_fourre REPAIRS", "steps[0].do: unknown action"),
    (["steps", 0, "do"], "Pass", "steps[0].do: unknown action 'Pass'"),
    (["steps", 0, "do"], "pass ", "steps[0].do: unknown action"),
    (["steps", 0, "do"], "pass\n", "steps[0].do: unknown action"),
    (["steps", 0, "do"], "", "steps[0].do: unknown action ''"),
    (["steps", 0, "do"], None, "steps[0].do"),
    (["steps", 0, "do"], ["pass"], "steps[0].do"),
]
EXPECT: Broken = [
    (["steps", 0, "expect"], [], "steps[0].expect"),
    (["steps", 0, "expect"], None, "steps[0].expect"),
    (["steps", 0, "expect", "ask"], [1], "steps[0].expect: unknown key 'ask'"),
    (["steps", 0, "expect", "asked"], 1, "steps[0].expect.asked"),
    (["steps", 0, "expect", "asked"], [2], "steps[0].expect.asked[0]: 2 is out of range"),
    (["steps", 0, "expect", "kind"], "over", "steps[0].expect.kind"),
    (["steps", 0, "expect", "kind"], 2, "steps[0].expect.kind"),
    (["steps", 2, "expect", "legal"], "pass", "steps[2].expect.legal"),
    (["steps", 2, "expect", "legal"], ["pas"], "steps[2].expect.legal[0]"),
    (["steps", 2, "expect", "legal_has"], ["pass", 7], "steps[2].expect.legal_has[1]"),
    (["steps", 2, "expect", "legal_lacks"], ["play D26"], "steps[2].expect.legal_lacks[0]"),
    (["steps", 1, "expect", "hands"], [[]], "steps[1].expect.hands"),
    (["steps", 1, "expect", "hands"], {"2": []}, "steps[1].expect.hands: key '2'"),
    (["steps", 1, "expect", "hands"], {"-1": []}, "steps[1].expect.hands: key '-1'"),
    (["steps", 1, "expect", "hands"], {"\u00b2": []}, "steps[1].expect.hands: key"),
    (["steps", 1, "expect", "hands", "0"], ["D26"], "steps[1].expect.hands.0[0]: unknown card"),
    (["steps", 2, "expect", "tables"], {"2": {}}, "steps[2].expect.tables: key '2'"),
    (["steps", 2, "expect", "tables", "1", "mov"], True, "steps[2].expect.tables.1: unknown key"),
    (["steps", 2, "expect", "tables", "1", "km"], "200", "steps[2].expect.tables.1.km"),
    (["steps", 2, "expect", "tables", "1", "moving"], 0, "steps[2].expect.tables.1.moving"),
    (["steps", 2, "expect", "tables", "1", "speed"], ["D25"], "steps[2].expect.tables.1.speed[0]"),
    (["steps", 2, "expect", "draw_count"], -1, "steps[2].expect.draw_count"),
    (["steps", 2, "expect", "discard_count"], 1.0, "steps[2].expect.discard_count"),
    (["steps", 2, "expect", "over"], True, "steps[2].expect.over"),
    (["steps", 2, "expect", "over"], None, "steps[2].expect.over"),
    (["steps", 2, "expect", "over"], {"why": "target"}, "steps[2].expect.over: unknown key 'why'"),
    (["steps", 2, "expect", "over"], {"reason": "won"}, "steps[2].expect.over.reason"),
    (["steps", 2, "expect", "over"], {"winner": 2}, "steps[2].expect.over.winner"),
    (["steps", 2, "expect", "over"], {"winner": "0"}, "steps[2].expect.over.winner"),
    (["steps", 2, "expect", "over"], {"points": [1]}, "steps[2].expect.over.points: 1 numbers"),
    (["steps", 2, "expect", "over"], {"km": [0, "1"]}, "steps[2].expect.over.km[1]"),
]


DECK: Broken = [
    (["deck"], [], "deck"),
    (["deck", "D26"], 1, "deck: unknown key 'D26'"),
    (["deck", "D25"], -1, "deck.D25: -1 is out of range"),
    (["deck", "D25"], "6", "deck.D25"),
    (["deck", "D25"], True, "deck.D25"),
    (["steps"], [{"expect": {"over": False}}], "steps: need a position to begin from"),
    (["teams"], [[0, 2], [1, 3]], "teams"),
    (["teams"], [[0], [1], [2], [3], [4], [5]], "teams"),
]
SCORE: Broken = [
    (["score"], None, "score"),
    (["score", "winner"], 0, "score: unknown key 'winner'"),
    (["score", "tables"], GONE, "score.tables: missing"),
    (["score", "points"], GONE, "score.points: missing"),
    (["score", "tables"], [{}], "score.tables: 1 tables for 2 teams"),
    (["score", "tables", 1, "km"], 25, "score.tables[1]: unknown key 'km'"),
    (["score", "tables", 1, "distance"], ["D200"] * 3, "score.tables[1].distance"),
    (["score", "tables", 1, "distance"], ["D75"] * 40, "score.tables[1].distance: 3000 km"),
    (["score", "tables", 1, "coups_fourres"], ["RIGHT_OF_WAY"], "score.tables[1].coups_fourres"),
    (["score", "finisher"], 2, "score.finisher: 2 is out of range"),
    (["score", "finisher"], 1, "score.finisher: team 1 has 25 km, not 1000"),
    (["score", "finisher"], False, "score.finisher"),
    (["score", "extended"], 0, "score.extended"),
    (["score", "pile_exhausted"], "yes", "score.pile_exhausted"),
    (["score", "target"], "1000", "score.target"),
    (["score", "points"], [1], "score.points: 1 numbers for 2 teams"),
    (["score", "points"], [1, -1], "score.points[1]"),
    (["score", "points"], {"0": 1}, "score.points"),
    (["score", "items"], [], "score.items"),
    (["score", "items", "2"], {}, "score.items: unknown key '2'"),
    (["score", "items", "0", "bonus"], 1, "score.items.0: unknown key 'bonus'"),
    (["score", "items", "0", "safe_trip"], None, "score.items.0.safe_trip"),
    (["ruleset"], "express", "score: express makes no points"),
    (["ruleset"], "plateau", "score: plateau makes no points"),
]
MATCH: Broken = [
    (["match"], 7, "match"),
    (["match", "points"], [], "match: unknown key 'points'"),
    (["match", "hands"], GONE, "match.hands: missing"),
    (["match", "scores"], [1, 2, 3], "match.scores: 3 numbers for 2 teams"),
    (["match", "hands"], {}, "match.hands"),
    (["match", "hands", 0], [], "match.hands[0]"),
    (["match", "hands", 0, "points"], GONE, "match.hands[0].points: missing"),
    (["match", "hands", 0, "points"], [1], "match.hands[0].points: 1 numbers for 2 teams"),
    (["match", "hands", 0, "points", 0], -1, "match.hands[0].points[0]: -1 is out of range"),
    (["match", "hands", 0, "expect"], [], "match.hands[0].expect"),
    (["match", "hands", 0, "expect", "won"], 0, "match.hands[0].expect: unknown key 'won'"),
    (["match", "hands", 0, "expect", "over"], 1, "match.hands[0].expect.over"),
    (["match", "hands", 0, "expect", "totals"], [1], "match.hands[0].expect.totals: 1 numbers"),
    (["match", "hands", 0, "expect", "winner"], 2, "match.hands[0].expect.winner: 2 is out"),
    (["match", "hands", 0, "expect", "dealer"], 4, "match.hands[0].expect.dealer: 4 is out"),
]
