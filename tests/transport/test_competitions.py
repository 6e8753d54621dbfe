"""Competitions over the wire: who may call what, and that nothing leaks before it is released."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from arena.app.conducting import desk_of
from arena.cli.competition import app
from arena.cli.exits import run
from arena.storage.facts import Level, MatchKind, MatchState, Receipt, TokenKind
from arena.tournament.competition.conductor import Conductor
from arena.tournament.competition.lines import EntryState
from arena.tournament.verbs import Lookup
from arena.tournament.verbs_competitions import Asker, CompetitionVerbs, OrganiserVerbs
from arena.transport.client import Client, OperatorClient, ServerError
from millearena.v1 import competitions_pb2
from tests.storage.worlds import MINUTE, report_on
from tests.tournament.competition.house import OPERATOR
from tests.transport.ladderserver import DAY, LadderServer
from tests.transport.wirecalls import METHODS, Outcome, call, channel_to

TEXT = """
name = "cup"
title = "The cup"
[[stage]]
format = "round-robin"
"""
CANARY = "CANARY-OF-THE-CUP"
RECORD = f"{CANARY} in a record\n".encode()
ENTERED = ("ann", "bob", "zoe")


@dataclass
class Cup:
    """A competition in play: one match is over, one is being played, one waits."""

    ladder: LadderServer
    over: int
    eve: str
    """The token of an owner who has no part in it."""

    def __post_init__(self) -> None:
        self.desk = desk_of(self.ladder.store, self.ladder.clock)
        lookup = Lookup(self.ladder.ground())
        self.organiser = OrganiserVerbs(self.desk, lookup)

    def conduct(self) -> None:
        conductor(self.ladder).step()


def unheard(event: str, /, **facts: object) -> None:
    """Nobody reads the log."""


def conductor(ladder: LadderServer) -> Conductor:
    desk = desk_of(ladder.store, ladder.clock)
    return Conductor(desk.keeping, desk.freezer, ladder.clock, unheard, lambda: None)


@pytest.fixture(name="cup")
def in_play(ladder: LadderServer) -> Cup:
    ladder.world.upload("zoe")
    ladder.store.owners.create("eve")
    eve, _ = ladder.store.tokens.issue(TokenKind.OWNER, "eve", None, DAY)
    desk = desk_of(ladder.store, ladder.clock)
    organiser = OrganiserVerbs(desk, Lookup(ladder.ground()))
    organiser.announce(TEXT, OPERATOR)
    conductor(ladder).step()
    verbs = CompetitionVerbs(desk)
    for owner in ENTERED:
        verbs.enter("cup", owner, "bot")
    organiser.freeze("cup", OPERATOR)
    ladder.clock.now += 300_000  # an upload of ann's is under way: the grace has to be over
    conductor(ladder).step()
    organiser.start("cup", OPERATOR)
    conductor(ladder).step()
    lease = ladder.store.matches.lease("worker", MINUTE, (MatchKind.COMPETITION,))
    assert lease is not None
    report = replace(report_on(lease), why=CANARY, record=ladder.store.records.put(RECORD))
    logs = tuple(
        replace(seat, log=ladder.store.logs.put(f"{CANARY} {seat}".encode()))
        for seat in report.seats
    )
    assert ladder.store.matches.record(replace(report, seats=logs)) is Receipt.RECORDED
    conductor(ladder).step()
    ladder.store.matches.lease("worker", MINUTE, (MatchKind.COMPETITION,))
    return Cup(ladder, lease.match, eve)


IT = {"competition_id": "cup"}
STAGE = {**IT, "stage_number": 1}
KEY = {**STAGE, "pairing_key": "1.1"}
WHY = {"reason": "a test"}

OPTIONAL: Mapping[str, Callable[[Cup], Mapping[str, Any]]] = {
    "ListCompetitions": lambda cup: {},
    "GetCompetition": lambda cup: IT,
    "ListCompetitionEntries": lambda cup: IT,
    "ListCompetitionNotes": lambda cup: IT,
    "ListCompetitionStages": lambda cup: IT,
    "ListCompetitionRows": lambda cup: STAGE,
    "ListCompetitionPairings": lambda cup: STAGE,
    "DownloadCompetitionRecord": lambda cup: {**IT, "match_id": str(cup.over)},
}
OF_RESULTS = tuple(OPTIONAL)[4:]
SUBMIT = {
    "EnterCompetition": {**IT, "entrant_name": "bot"},
    "LeaveCompetition": {**IT, "entrant_name": "bot", **WHY},
}
ADMIN: Mapping[str, tuple[Mapping[str, Any], str]] = {
    # In this order; what each comes to.
    "AnnounceCompetition": (
        {"regulations": TEXT.replace('"cup"', '"two"'), "request_id": "r"},
        "OK",
    ),
    "ListCompetitionJournal": (IT, "OK"),
    "ListCompetitionMatches": (IT, "OK"),
    "PauseCompetition": ({**IT, **WHY}, "OK"),
    "ResumeCompetition": (IT, "OK"),
    "ReinstateCompetitionEntry": (
        {**IT, "entrant_id": "ann/bot", **WHY},
        "FAILED_PRECONDITION NOT_POSSIBLE",
    ),
    "RerunCompetitionPairing": ({**KEY, **WHY}, "OK"),
    "DecideCompetitionPairing": ({**KEY, "ranks": [1, 2], **WHY}, "OK"),
    "WithdrawCompetitionEntry": ({**IT, "entrant_id": "zoe/bot", **WHY}, "OK"),
    "DisqualifyCompetitionEntry": ({**IT, "entrant_id": "bob/bot", **WHY}, "OK"),
    "ReleaseCompetition": (
        {**IT, "release_level": competitions_pb2.RELEASE_LEVEL_PUBLIC},
        "OK",
    ),
    "FinishCompetition": (IT, "OK"),
    "OpenCompetition": (IT, "FAILED_PRECONDITION NOT_POSSIBLE"),
    "FreezeCompetition": (IT, "FAILED_PRECONDITION NOT_POSSIBLE"),
    "MixCompetitionSeed": ({**IT, "public_value": "7"}, "FAILED_PRECONDITION NOT_POSSIBLE"),
    "StartCompetition": (IT, "FAILED_PRECONDITION NOT_POSSIBLE"),
    "AddCompetitionEntry": (
        {**IT, "entrant_id": "ann/bot"},
        "FAILED_PRECONDITION NOT_POSSIBLE",
    ),
    "CancelCompetition": ({**IT, **WHY}, "FAILED_PRECONDITION NOT_POSSIBLE"),
}
DENIED = "PERMISSION_DENIED SCOPE_MISSING"
BAD_TOKENS = {
    "unknown": "UNAUTHENTICATED TOKEN_UNKNOWN",
    "revoked": "UNAUTHENTICATED TOKEN_REVOKED",
    "expired": "UNAUTHENTICATED TOKEN_EXPIRED",
    "suspended": "PERMISSION_DENIED OWNER_SUSPENDED",
}


def ask(cup: Cup, address: str, method: str, request: Any, token: str, most: int = 50) -> Outcome:
    with channel_to(address) as channel:
        return call(channel, method, request, token=token, most=most)


def test_the_tables_have_every_method_of_both_services() -> None:
    services = ("CompetitionService", "OrganiserService")
    declared = {
        name for name, method in METHODS.items() if method.containing_service.name in services
    }
    assert {*OPTIONAL, *SUBMIT, *ADMIN} == declared


def test_who_may_call_what(cup: Cup) -> None:
    tokens = cup.ladder.tokens
    for method, request in OPTIONAL.items():
        for address in (cup.ladder.public, cup.ladder.operators):
            for role, refusal in BAD_TOKENS.items():
                assert (
                    str(ask(cup, address, method, request(cup), getattr(tokens, role))) == refusal
                )
            assert ask(cup, address, method, request(cup), tokens.admin).code == "OK", method
    for method, asked in SUBMIT.items():
        for role, refusal in {
            **BAD_TOKENS,
            "nobody": "UNAUTHENTICATED TOKEN_MISSING",
            "admin": DENIED,
            "worker": DENIED,
            "ann_reads": DENIED,
        }.items():
            found = ask(cup, cup.ladder.public, method, asked, getattr(tokens, role))
            assert str(found) == refusal, (method, role)
    for method, (wanted, _) in ADMIN.items():
        for role, refusal in {
            **BAD_TOKENS,
            "nobody": "UNAUTHENTICATED TOKEN_MISSING",
            "ann": DENIED,
            "worker": DENIED,
        }.items():
            found = ask(cup, cup.ladder.operators, method, wanted, getattr(tokens, role))
            assert str(found) == refusal, (method, role)
        assert ask(cup, cup.ladder.public, method, wanted, tokens.admin).code == "UNIMPLEMENTED"


def test_what_operators_do_happens_and_is_in_the_audit_log(cup: Cup) -> None:
    for method, (asked, right) in ADMIN.items():
        found = ask(cup, cup.ladder.operators, method, asked, cup.ladder.tokens.admin)
        assert str(found) == right, (method, found.text)
        cup.conduct()
    noted = {one.action for one in cup.ladder.store.audit.list(500).items}
    assert ADMIN.keys() <= noted
    info = CompetitionVerbs(cup.desk)
    journal = [line.event for line in cup.desk.keeping.find("cup").lines]
    assert type(journal[-1]).__name__ == "Finished"
    assert info.info("cup", Asker()).is_visible


# -- secrecy --------------------------------------------------------------------------------------


def readable(cup: Cup) -> Iterator[tuple[str, str, Any]]:
    """Every call that only asks, about everything that there is: address, method, request."""
    matches = [one.number for one in cup.ladder.store.competitions.page(1, 0, 1000)]
    public = cup.ladder.public
    for method in ("GetLadder", "ListStandings", "ListEntrants", "ListMatches", "ListUploads"):
        yield public, method, {}
    for method in ("ListOwnEntrants", "GetSelf"):
        yield public, method, {}
    for title in (f"{owner}/bot" for owner in ENTERED):
        for method in ("GetEntrant", "ListVersions", "ListRatingChanges", "ListMatches"):
            yield public, method, {"entrant_id": title}
    yield public, "GetOwnEntrant", {"name": "bot"}
    for owner in ENTERED:
        yield public, "ListMatches", {"owner": owner}
        yield public, "ListEntrants", {"owner": owner}
    for number, method in itertools.product(
        matches, ("GetMatch", "DownloadRecord", "ExplainMatch", "DownloadMatchLog")
    ):
        yield public, method, {"match_id": str(number)}
    for number in matches[:1]:  # a stream: it ends with a match that is over
        yield public, "WatchMatch", {"match_id": str(number)}
    for method, request in OPTIONAL.items():
        yield public, method, request(cup)


def tells(outcome: Outcome) -> bool:
    """Whether an answer tells of the cup's results."""
    text = str(outcome.answers) + outcome.text + str(outcome.facts)
    return (
        CANARY in text
        or "1. " in text
        or CANARY.encode() in b"".join(getattr(one, "content", b"") for one in outcome.answers)
    )


def asked_by(cup: Cup, token: str) -> dict[str, list[Outcome]]:
    found: dict[str, list[Outcome]] = {}
    for address, method, request in readable(cup):
        found.setdefault(method, []).append(ask(cup, address, method, request, token))
    return found


def test_nothing_that_anybody_can_ask_tells_of_what_is_not_released(cup: Cup) -> None:
    """Every call as everybody, at every level: whoever may not see has the same as before."""
    tokens = cup.ladder.tokens
    roles = {"nobody": "", "eve": cup.eve, "ann": tokens.ann, "ann_reads": tokens.ann_reads}
    sees = {
        Level.HIDDEN: set[str](),
        Level.PARTICIPANTS: {"ann", "ann_reads"},
        Level.PUBLIC: set(roles),
    }
    for level, may in sees.items():
        cup.organiser.release("cup", OPERATOR, level)
        for role, token in roles.items():
            found = asked_by(cup, token)
            telling = {method for method, all_ in found.items() if any(map(tells, all_))}
            if role not in may:
                assert telling == set(), (level, role)
                assert {str(found[name][0]) for name in OF_RESULTS} == {
                    "PERMISSION_DENIED NOT_RELEASED"
                }
            else:
                assert {"ListCompetitionNotes", "DownloadCompetitionRecord"} <= telling
            generic = {"GetMatch", "DownloadRecord"}
            assert (generic <= telling) == (level is Level.PUBLIC), (level, role)


def test_playing_in_a_hidden_competition_moves_nothing_that_is_shown(ladder: LadderServer) -> None:
    """What everybody sees of entrants, versions and owners is the same after a hidden match."""
    ladder.world.upload("zoe")

    def seen(*of_competitions: tuple[str, dict[str, Any]]) -> str:
        shown = []
        with channel_to(ladder.public) as channel:
            for method, request in (
                ("ListStandings", {}),
                ("ListEntrants", {}),
                ("ListVersions", {"entrant_id": "ann/bot"}),
                ("ListRatingChanges", {"entrant_id": "ann/bot"}),
                ("ListMatches", {"state": 3}),
                *of_competitions,
            ):
                shown.append(str(call(channel, method, request).answers))
        return "\n".join(shown)

    before = seen()
    desk = desk_of(ladder.store, ladder.clock)
    organiser = OrganiserVerbs(desk, Lookup(ladder.ground()))
    organiser.announce(TEXT + '[release]\nduring = "hidden"\n', OPERATOR)
    conductor(ladder).step()
    for owner in ENTERED:
        CompetitionVerbs(desk).enter("cup", owner, "bot")
    organiser.freeze("cup", OPERATOR)
    ladder.clock.now += 300_000  # an upload of ann's is under way: the grace has to be over
    conductor(ladder).step()
    organiser.start("cup", OPERATOR)
    own = [
        ("ListCompetitions", {}),
        ("GetCompetition", {"competition_id": "cup"}),
        ("ListCompetitionEntries", {"competition_id": "cup"}),
        ("ListCompetitionNotes", {"competition_id": "cup"}),
    ]
    begun = seen(*own)
    conductor(ladder).step()
    while lease := ladder.store.matches.lease("worker", MINUTE, (MatchKind.COMPETITION,)):
        report = report_on(lease, forfeits=[1])
        assert ladder.store.matches.record(report) is Receipt.RECORDED
    conductor(ladder).step()
    assert desk.keeping.find("cup").competition.is_played
    assert seen() == before
    assert seen(*own) == begun
    # What happens later may be heard of, but not how much has happened before it.
    organiser.pause("cup", OPERATOR, "lunch")
    (_, _, *notes) = CompetitionVerbs(desk).notes("cup", Asker())
    assert [(one.number, one.text) for one in notes][-1] == (0, "paused: lunch")
    assert all(one.number for one in notes[:-1])
    organisers = CompetitionVerbs(desk).notes("cup", Asker(is_operator=True))
    assert [one.number for one in organisers] == list(range(1, len(organisers) + 1))


# -- the client -----------------------------------------------------------------------------------


def test_the_client_sees_what_the_server_has(cup: Cup) -> None:
    tokens = cup.ladder.tokens
    with Client(cup.ladder.public, tokens.ann) as client:
        (info,) = client.competitions.list()
        assert client.competitions.info("cup") == info
        assert (info.name, info.entries, info.is_visible, info.text) == ("cup", 3, True, TEXT)
        assert [one.title for one in client.competitions.entries("cup")] == [
            "ann/bot",
            "bob/bot",
            "zoe/bot",
        ]
        (stage,) = client.competitions.stages("cup")
        assert (stage.pairings, stage.decided) == (3, 1)
        rows = tuple(client.competitions.table("cup", 1))
        assert rows == CompetitionVerbs(cup.desk).table("cup", 1, Asker(is_operator=True))
        pairings = tuple(client.competitions.pairings("cup", 1))
        assert pairings == CompetitionVerbs(cup.desk).pairings("cup", 1, Asker(is_operator=True))
        assert b"".join(client.competitions.download_record("cup", cup.over)) == RECORD
        with pytest.raises(ServerError, match="none of this name"):
            client.competitions.info("nothing")
    with OperatorClient(cup.ladder.operators, tokens.admin) as operator:
        lines = list(operator.organising.journal("cup"))
        assert tuple(lines) == cup.ladder.store.competitions.journal(1)
        matches = list(operator.organising.matches("cup"))
        assert len(matches) == 3
        assert {pairing.split("/")[0] for _, pairing in matches} == {"1"}
        assert {summary.competition for summary, _ in matches} == {"cup"}
        states = [summary.state for summary, _ in matches]
        assert states.count(MatchState.DONE) == 1
        seeds = [one.seed for summary, _ in matches for one in summary.attempts]
        assert sum(map(bool, seeds)) == 1, "a seed is told only when its match is over"


def test_a_disqualification_is_taken_back_by_the_client(cup: Cup) -> None:
    with OperatorClient(cup.ladder.operators, cup.ladder.tokens.admin) as operator:
        do = operator.organising
        with pytest.raises(ServerError, match="ann/bot: plays; there is nothing to take back"):
            do.reinstate("cup", "ann/bot", "a slip")
        do.disqualify("cup", "ann/bot", "a suspicion")
        cup.conduct()
        entries = operator.competitions.entries("cup")
        assert next(entries).state is EntryState.DISQUALIFIED
        assert do.reinstate("cup", "ann/bot", "it was unfounded").name == "cup"
        entries = operator.competitions.entries("cup")
        assert {one.state for one in entries} == {EntryState.PLAYS}
        matches = list(do.matches("cup"))
        again = {name for _, name in matches if name.endswith("/2")}
        cancelled = {name for one, name in matches if one.state is MatchState.CANCELLED}
        assert again == {f"{name.removesuffix('/1')}/2" for name in cancelled} != set()
        assert len(matches) == 3 + len(again)
        last = list(operator.competitions.notes("cup"))[-1]
        assert last.text == "ann/bot plays on, as if it had never left: it was unfounded"
    with Client(cup.ladder.public, cup.eve) as outsider:
        texts = [note.text for note in outsider.competitions.notes("cup")]
        assert texts[-1] == "play begins", "who may not see results hears nothing of it"


def test_the_commands_for_it(
    cup: Cup, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ARENA_OPERATORS", cup.ladder.operators)
    monkeypatch.setenv("ARENA_OPERATOR_TOKEN", cup.ladder.tokens.admin)

    def arena(command: str, *args: str) -> tuple[int, str]:
        code = run(app, [command, "cup", "zoe/bot", *args])
        return code, "".join(capsys.readouterr())

    because = ("--why", "a slip")
    assert arena("withdraw", *because) == (0, "The cup goes on without zoe/bot\n")
    assert arena("reinstate", *because) == (0, "The cup goes on with zoe/bot again\n")
    code, words = arena("reinstate", *because)
    assert code != 0
    assert "zoe/bot: plays; there is nothing to take back" in words
    code, words = arena("reinstate")
    assert code != 0
    assert "--why" in words
    assert json.loads(arena("withdraw", *because, "--json")[1])["phase"] == "running"
    assert arena("reinstate", *because, "--json")[0] == 0


def test_pages_of_a_long_list_hold_together(cup: Cup) -> None:
    kept = cup.desk.keeping.find("cup")
    with channel_to(cup.ladder.operators) as channel:
        token, lines = "", []
        while True:
            request = {**IT, "page_size": 2, "page_token": token}
            found = call(channel, "ListCompetitionJournal", request, token=cup.ladder.tokens.admin)
            answer: Any = found.answers[0]
            lines += list(answer.lines)
            token = answer.next_page_token
            if not token:
                break
        assert len(lines) == kept.competition.length
        wrong = {**IT, "page_token": "x"}
        refused = call(channel, "ListCompetitionJournal", wrong, token=cup.ladder.tokens.admin)
        assert str(refused) == "INVALID_ARGUMENT INVALID_REQUEST"
