"""What must not be told: seeds and records before the end, others' logs and reasons, escapes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arena.storage.facts import MatchState
from arena.tournament.ladder.commentary import Frame, FrameKind
from arena.transport.client import Client, OperatorClient
from arena.transport.texts import one_line, several_lines
from tests.storage.worlds import report_on
from tests.transport.ladderserver import LOG, LadderServer
from tests.transport.test_roles import TABLE
from tests.transport.wirecalls import METHODS, call, channel_to


def everything_for(ladder: LadderServer, token: str) -> str:
    """All that every method of the public address tells about the match that is being played."""
    told = []
    match = {"match_id": str(ladder.lease.match)}
    with channel_to(ladder.public) as channel:
        for name, row in TABLE.items():
            if METHODS[name].containing_service.name == "OperatorService":
                continue
            if METHODS[name].client_streaming:
                continue
            fields = METHODS[name].input_type.fields_by_name
            asks: list[Any] = [row.ask(ladder)]
            if "match_id" in fields:
                asks.append(match)
            if "seat" in fields:
                asks += [{**match, "seat": 0}, {**match, "seat": 1}]
            if "attempt" in fields:
                asks.append({**match, "attempt": ladder.lease.attempt})
            told += [str(call(channel, name, asked, token=token, most=1)) for asked in asks]
            answers = [call(channel, name, one, token=token, most=1).answers for one in asks]
            told += [str(answer) for answer in answers]
    return "\n".join(told)


@pytest.mark.parametrize("who", ["nobody", "ann", "bob"])
def test_nothing_of_a_match_that_is_played_is_told(ladder: LadderServer, who: str) -> None:
    seed = ladder.lease.seed.hex()
    told = everything_for(ladder, getattr(ladder.tokens, who))
    assert ladder.lease.commitment in told  # the match is in it
    assert seed not in told
    assert ladder.lease.token not in told
    if who != "ann":
        assert "CANARY-LOG-OF-ANN" not in told
    with channel_to(ladder.public) as channel:
        match = {"match_id": str(ladder.lease.match)}
        record = call(channel, "DownloadRecord", match)
        assert str(record) == "FAILED_PRECONDITION MATCH_NOT_OVER"
        explained = call(channel, "ExplainMatch", match)
        assert str(explained) == "FAILED_PRECONDITION MATCH_NOT_OVER"
        log = call(channel, "DownloadMatchLog", match, token=ladder.tokens.ann)
        assert str(log) == "FAILED_PRECONDITION MATCH_NOT_OVER"


def test_an_attempt_that_was_void_tells_its_seed_only_when_the_match_is_over(
    ladder: LadderServer,
) -> None:
    lease = ladder.lease
    # Its record is known to the store before the match is over.
    record = ladder.store.records.put(b"CANARY-RECORD")
    void = replace(report_on(lease, verdict="VOID"), record=record)
    ladder.store.matches.record(void)
    with Client(ladder.public) as client:
        match = client.match(lease.match)
        assert match.state is MatchState.QUEUED
        assert [(one.seed, one.record) for one in match.attempts] == [("", "")]
        assert lease.seed.hex() not in everything_for(ladder, "")
        with OperatorClient(ladder.operators, ladder.tokens.admin) as operator:
            operator.cancel_match(lease.match, "enough")
        (attempt,) = client.match(lease.match).attempts
        assert attempt.seed == lease.seed.hex()
        assert b"".join(client.download_record(lease.match, 1)) == b"CANARY-RECORD"


def frame(number: int, second: int) -> Frame:
    return Frame(
        number=number,
        second=second,
        kind=FrameKind.DEALT,
        game=0,
        games=20,
        hand=0,
        bots=(0, 1),
        events=(),
        turn=0,
        tables=(),
        sizes=(6, 6),
        draw_count=89,
        discard="",
        totals=(0, 0),
    )


def test_a_match_is_watched_with_its_delay_and_to_its_end(ladder: LadderServer) -> None:
    live, lease = ladder.live, ladder.lease
    with Client(ladder.public) as client:
        news = client.watch_match(lease.match)
        assert "nothing of it may be shown yet" in str(next(news))
        live.began(lease.match, lease.attempt)
        live.add(lease.match, lease.attempt, [frame(0, 0), frame(1, 5)])
        ladder.clock.now += 1000
        assert next(news) == frame(0, 0)
        ladder.clock.now += 5000
        assert next(news) == frame(1, 5)
        live.ended(lease.match, lease.attempt)
        ladder.store.matches.record(report_on(lease))
        (last,) = news
        assert last == client.match(lease.match)


def test_reasons_are_for_the_owner_and_operators(ladder: LadderServer) -> None:
    with OperatorClient(ladder.operators, ladder.tokens.admin) as operator:
        operator.pause_entrant("ann/bot", "CANARY-PAUSE")
        operator.quarantine_version("ann/bot", 1, "CANARY-HELD")
    told = everything_for(ladder, ladder.tokens.bob)
    assert "CANARY-PAUSE" not in told
    assert "CANARY-HELD" not in told
    with Client(ladder.public, ladder.tokens.ann) as client:
        entrant, versions = client.own_entrant("bot")
        assert entrant.why_paused == "CANARY-PAUSE"
        assert versions[0].why == "CANARY-HELD"
        (line,) = [line for line in client.standings() if line.title == "ann/bot"]
        assert line.absence == "quarantined"


ODD = "\x1b[31mred\x1b[0m \x07 \u202edesrever \u200b \ud800 \n second"
PLAIN = "\\x1b[31mred\\x1b[0m \\x07 \\u202edesrever \\u200b \\ud800 \\n second"


def test_what_strangers_write_is_shown_and_not_done() -> None:
    assert one_line(ODD) == PLAIN
    assert one_line("x" * 50, 10) == "xxxxxxx..."
    assert one_line("é ü 牌") == "é ü 牌"
    assert several_lines("a\n\tb\x1b") == "a\n\tb\\x1b"


@pytest.mark.parametrize("odd", ["\x1b[31m", "\u202e", "a\nb", "../x", "", "a" * 65, "A b"])
def test_odd_names_are_refused(ladder: LadderServer, odd: str) -> None:
    with channel_to(ladder.public) as public, channel_to(ladder.operators) as operators:
        asked = {"name": odd, "request_id": "x"}
        bot = call(public, "CreateEntrant", asked, token=ladder.tokens.ann)
        owner = call(operators, "CreateOwner", asked, token=ladder.tokens.admin)
    for outcome in (bot, owner):
        assert str(outcome) == "INVALID_ARGUMENT INVALID_REQUEST"
        assert outcome.text.isprintable()


def test_what_a_bot_has_made_of_its_upload_is_escaped(ladder: LadderServer) -> None:
    uploads = ladder.store.uploads
    begun = uploads.begin()
    assert begun is not None
    uploads.told(begun.number, "build", ODD)
    uploads.finish_refused(begun.number, "build", [ODD], [ODD], {"said": ODD})
    with Client(ladder.public, ladder.tokens.ann) as client:
        status = client.upload(begun.number)
        shown = [status.told[0][1], *status.why, *client.build_log(begun.number)]
    cleaned = PLAIN.replace("\\ud800", "\ufffd")  # as it is stored
    assert shown == [cleaned, cleaned.replace("\\n", "\n"), cleaned.replace("\\n", "\n")]
    assert status.report == {"said": ODD.replace("\ud800", "\ufffd")}


def test_a_log_is_its_owners_and_byte_for_byte(shared_ladder: LadderServer) -> None:
    asked = {"match_id": str(shared_ladder.over), "seat": 0}
    with channel_to(shared_ladder.public) as channel:
        hers = call(channel, "DownloadMatchLog", asked, token=shared_ladder.tokens.ann)
        (piece,) = hers.answers
        assert piece.content == LOG  # type: ignore[attr-defined]
        his = call(channel, "DownloadMatchLog", asked, token=shared_ladder.tokens.bob)
    assert str(his) == "NOT_FOUND UNKNOWN_MATCH"
