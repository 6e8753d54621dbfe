"""The pages of competitions of every kind: sound HTML, links that lead somewhere, what is said."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.formats.story import Way
from arena.storage.facts import Match, MatchKind, MatchState, Moment, Result
from arena.tournament.competition.views import PairingState
from arena.web.competition import (
    CompetitionPages,
    RecordFile,
    records_of,
    rendered,
    write_pages,
)
from tests.web.demo import HEAD, NAMES
from tests.web.reading import read, targets

KINDS = (
    "school",
    "double",
    "double-over",
    "robin",
    "boards",
    "partners",
    "tables",
    "hidden",
    "not-begun",
)
Write = Callable[[CompetitionPages], Path]


@pytest.mark.parametrize("kind", KINDS)
class TestEveryPage:
    def test_is_well_formed_and_holds_nothing_that_acts(
        self, kinds: dict[str, CompetitionPages], written: Write, kind: str
    ) -> None:
        for path in sorted(written(kinds[kind]).rglob("*.html")):
            page = read(path)
            assert page.declared == "DOCTYPE html"
            assert page.one("html").attributes == {"lang": "en"}
            tags = {one.tag for one in page.elements}
            assert not tags & {"script", "img", "link", "iframe", "object", "form", "base"}
            names = {name for one in page.elements for name in one.attributes}
            assert not {name for name in names if name.startswith("on")} | names & {"style", "src"}
            assert len(page.all("h1")) == len(page.all("main")) == 1

    def test_every_link_leads_to_a_file(
        self, kinds: dict[str, CompetitionPages], written: Write, kind: str
    ) -> None:
        folder = written(kinds[kind])
        found = [one for path in folder.rglob("*.html") for one in targets(path)]
        assert found
        assert [one for one in found if not one.is_file()] == []
        assert all(one.is_relative_to(folder.resolve()) for one in found)

    def test_every_fragment_and_label_names_an_element(
        self, kinds: dict[str, CompetitionPages], written: Write, kind: str
    ) -> None:
        folder = written(kinds[kind])
        ids = {}
        for path in folder.rglob("*.html"):
            own = [one.attributes["id"] for one in read(path).elements if "id" in one.attributes]
            assert len(set(own)) == len(own)
            ids[path.resolve()] = set(own)
        for path in folder.rglob("*.html"):
            for one in read(path).elements:
                labels = one.attributes.get("aria-labelledby", "").split()
                assert set(labels) <= ids[path.resolve()]
                file, hash_, fragment = one.attributes.get("href", "").partition("#")
                if hash_:
                    assert (
                        fragment in ids[(path.parent / file).resolve() if file else path.resolve()]
                    )

    def test_headers_say_what_they_are_of(
        self, kinds: dict[str, CompetitionPages], written: Write, kind: str
    ) -> None:
        for path in written(kinds[kind]).rglob("*.html"):
            page = read(path)
            assert {one.attributes["scope"] for one in page.all("th")} <= {"row", "col"}
            for svg in page.all("svg", xmlns="http://www.w3.org/2000/svg"):
                assert svg.attributes["role"] in {"img", "group"}
            drawn = len(page.all("svg", xmlns="http://www.w3.org/2000/svg"))
            assert len(page.all("desc")) == drawn

    def test_the_policy_allows_the_own_style_and_nothing_else(
        self, kinds: dict[str, CompetitionPages], written: Write, kind: str
    ) -> None:
        for path in written(kinds[kind]).rglob("*.html"):
            page = read(path)
            style = page.one("style").text
            digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
            policy = next(
                one.attributes for one in page.all("meta") if "http-equiv" in one.attributes
            )
            assert policy["http-equiv"] == "Content-Security-Policy"
            assert policy["content"] == (
                f"default-src 'none'; style-src 'sha256-{digest}'; "
                "base-uri 'none'; form-action 'none'"
            )
            assert "url(" not in style
            assert "@import" not in style


class TestFiles:
    def test_the_same_values_make_the_same_bytes(self, kinds: dict[str, CompetitionPages]) -> None:
        assert list(rendered(kinds["school"])) == list(rendered(kinds["school"]))

    def test_what_is_returned_is_what_is_there(
        self, kinds: dict[str, CompetitionPages], tmp_path: Path
    ) -> None:
        found = write_pages(kinds["school"], tmp_path / "new" / "folder")
        assert found[0] == tmp_path / "new" / "folder" / "index.html"
        assert sorted(found) == sorted((tmp_path / "new").rglob("*.html"))
        played = [
            line for stage in kinds["school"].stages for line in stage.pairings if line.teams[1:]
        ]
        assert len(found) == 2 + 2 + len(played)

    def test_a_bye_is_shown_and_has_no_page(
        self, kinds: dict[str, CompetitionPages], written: Write
    ) -> None:
        folder = written(kinds["school"])
        byes = [line for line in kinds["school"].stages[0].pairings if line.way is Way.BYE]
        assert byes
        text = read(folder / "stage-1.html").one("main").text
        for line in byes:
            assert line.title in text
            assert not (folder / "matches" / f"1-{line.key}.html").exists()

    @pytest.mark.parametrize("key", ["", "../x", "a/b", "A", "x" * 25, "a b", "ä"])
    def test_a_key_that_is_no_part_of_a_file_name_is_refused(
        self, kinds: dict[str, CompetitionPages], key: str
    ) -> None:
        first, second = kinds["school"].stages
        changed = replace(first.pairings[0], key=key)
        with pytest.raises(InputError, match=r"must be 1 to 24 of a-z 0-9 \. -"):
            replace(kinds["school"], stages=(replace(first, pairings=(changed,)), second))

    def test_a_pairing_twice_is_refused(self, kinds: dict[str, CompetitionPages]) -> None:
        first, second = kinds["school"].stages
        twice = replace(first, pairings=first.pairings[:1] * 2)
        with pytest.raises(InputError, match="stage 1: a pairing is there twice"):
            replace(kinds["school"], stages=(twice, second))

    def test_stages_have_to_be_those_of_the_regulations(
        self, kinds: dict[str, CompetitionPages]
    ) -> None:
        with pytest.raises(InputError, match=r"stages \[2, 1\]: must be 1 to 2"):
            replace(kinds["school"], stages=kinds["school"].stages[::-1])


class TestIndex:
    def test_the_podium_is_there_when_it_is_finished(
        self, kinds: dict[str, CompetitionPages], written: Write
    ) -> None:
        page = read(written(kinds["school"]) / "index.html")
        first = kinds["school"].stages[1].table[0]
        assert page.one("ol", class_="podium").text.split()[:3] == ["1st", "place", first.title]

    def test_there_is_none_before(self, kinds: dict[str, CompetitionPages], written: Write) -> None:
        assert read(written(kinds["robin"]) / "index.html").all("ol", class_="podium") == []

    def test_what_is_played_now_is_named_as_far_as_it_fits(
        self, kinds: dict[str, CompetitionPages], written: Write
    ) -> None:
        page = read(written(kinds["robin"]) / "index.html")
        assert page.one("ul", class_="cards").text.count("is being played") == 24
        assert "and 6 more" in page.one("main").text

    def test_how_it_is_decided(self, kinds: dict[str, CompetitionPages], written: Write) -> None:
        pages = kinds["school"]
        text = read(written(pages) / "index.html").one("main").text
        for one in pages.regulations.stages[0].scoring.breaks:
            assert f"{one}: {one.explanation}" in text
        assert pages.info.commitment in text
        assert pages.info.secret in text
        assert pages.info.mixed in text

    def test_groups_of_eligibility_have_places_of_their_own(
        self, kinds: dict[str, CompetitionPages], written: Write
    ) -> None:
        page = read(written(kinds["school"]) / "index.html")
        tables = [one for one in page.all("table") if one.text.strip().startswith("Year 9")]
        (text,) = [one.text for one in tables]
        assert [title for title in NAMES if title in text] == list(NAMES[:6])
        places = re.findall(r"^(\d+|-)(?=[a-z])", text, re.MULTILINE)
        assert places[0] == "1"
        assert len(places) == 6
        assert all(int(place) <= 6 for place in places)

    def test_who_withdrew_and_who_was_absent_is_told_with_the_reason(
        self, kinds: dict[str, CompetitionPages], written: Write
    ) -> None:
        text = read(written(kinds["school"]) / "index.html").one("main").text
        assert "withdrawn: wants to go home" in text
        assert "absent: has no version that plays" in text


class TestHidden:
    def test_nothing_of_the_results_is_in_any_page(
        self, kinds: dict[str, CompetitionPages], written: Write
    ) -> None:
        folder = written(kinds["hidden"])
        assert sorted(path.name for path in folder.rglob("*.html")) == [
            "index.html",
            "log.html",
            "stage-1.html",
        ]
        for path in folder.rglob("*.html"):
            assert "round 1, table" not in path.read_text()
        assert "Results are not released yet." in (folder / "stage-1.html").read_text()


class TestStage:
    def test_standings_have_the_tie_breaks_in_their_order(
        self, kinds: dict[str, CompetitionPages], written: Write
    ) -> None:
        page = read(written(kinds["school"]) / "stage-1.html")
        header = [one.text for one in page.all("th", scope="col", class_="n")]
        named = [str(one) for one in kinds["school"].regulations.stages[0].scoring.breaks]
        shown = [one for one in header if one in named]
        assert len(shown) > 1
        assert shown == [one for one in named if one in shown]

    def test_a_cross_table_is_the_same_from_both_sides(
        self, kinds: dict[str, CompetitionPages], written: Write
    ) -> None:
        page = read(written(kinds["robin"]) / "stage-1.html")
        cells = [one.text for one in page.all("a") if "title" in one.attributes]
        played = [float(one) for one in cells if one != "·"]
        assert len(cells) == 2 * 276
        assert sum(played) == len(played) / 2 == 200

    def test_a_cross_table_of_board_points_adds_up_to_the_points(
        self, kinds: dict[str, CompetitionPages], written: Write
    ) -> None:
        pages = kinds["boards"]
        played = [line for line in pages.stages[0].pairings if line.way is Way.PLAYED]
        page = read(written(pages) / "stage-1.html")
        cells = [one.text for one in page.all("a") if "title" in one.attributes]
        found = sum(float(one) for one in cells if one not in {"+", "-"})
        assert found == sum(sum(line.boards) for line in played)

    @pytest.mark.parametrize("kind", ["partners", "tables"])
    def test_larger_tables_have_a_list_instead(
        self, kinds: dict[str, CompetitionPages], written: Write, kind: str
    ) -> None:
        pages = kinds[kind]
        page = read(written(pages) / "stage-1.html")
        assert page.all("table", class_="cross") == []
        assert len(page.all("details")) == len(pages.stages[0].table)

    def test_groups_have_a_cross_table_each(
        self, kinds: dict[str, CompetitionPages], written: Write
    ) -> None:
        page = read(written(kinds["double"]) / "stage-1.html")
        captions = [one.text.strip().split("\n")[0] for one in page.all("table", class_="cross")]
        assert captions == ["Group A", "Group B", "Group C", "Group D"]

    def test_every_pairing_is_a_card_and_the_winner_is_marked_by_a_word(
        self, kinds: dict[str, CompetitionPages], written: Write
    ) -> None:
        page = read(written(kinds["robin"]) / "stage-1.html")
        assert len(page.all("ul", class_="sides")) == 276
        winners = page.all("li", class_="won")
        assert winners
        assert all("won" in one.text for one in winners)


class TestMatch:
    def test_a_decision_is_told_with_its_reason(
        self, kinds: dict[str, CompetitionPages], written: Write
    ) -> None:
        folder = written(kinds["double"])
        (line,) = [one for one in kinds["double"].stages[1].pairings if one.way is Way.DECISION]
        text = read(folder / "matches" / f"2-{line.key}.html").one("main").text
        assert "The organiser has decided it." in text
        assert "the machine of the other one was broken" in text

    def test_the_record_is_linked_with_its_digest(
        self, kinds: dict[str, CompetitionPages], written: Write
    ) -> None:
        folder = written(kinds["school"])
        line = kinds["school"].stages[0].pairings[0]
        assert line.match is not None
        page = folder / "matches" / f"1-{line.key}.html"
        assert (folder / "records" / f"{line.match}-1.jsonl").resolve() in targets(page)
        assert kinds["school"].records[line.match].digest in read(page).one("main").text

    @pytest.mark.parametrize(
        ("state", "words"),
        [
            (PairingState.WAITING, "It waits to be played."),
            (PairingState.PLAYING, "It is being played."),
            (PairingState.SET_ASIDE, "It could not be played; waits for the organiser."),
            (PairingState.CANCELLED, "It was cancelled; waits for the organiser."),
        ],
    )
    def test_what_has_no_score_says_how_it_stands(
        self, kinds: dict[str, CompetitionPages], tmp_path: Path, state: PairingState, words: str
    ) -> None:
        stage = kinds["robin"].stages[0]
        line = replace(stage.pairings[-1], state=state, run=2)
        write_pages(replace(kinds["robin"], stages=(replace(stage, pairings=(line,)),)), tmp_path)
        text = read(tmp_path / "matches" / f"1-{line.key}.html").one("main").text
        assert words in text
        assert "This is run 2" in text


class TestLog:
    def test_has_every_note_in_its_order(
        self, kinds: dict[str, CompetitionPages], written: Write
    ) -> None:
        page = read(written(kinds["school"]) / "log.html")
        rows = [one.text for one in page.all("th", scope="row")]
        assert rows == [note.text for note in kinds["school"].notes]


def test_records_are_those_of_matches_with_a_result() -> None:
    def match(number: int, record: str | None) -> Match:
        result = None
        if record is not None:
            result = Result(
                match=number,
                attempt=2,
                verdict="completed",
                why="",
                ranks=(1, 2),
                seats=(),
                games=1,
                record=record,
                head=HEAD,
                started=Moment(0),
                ended=Moment(1),
            )
        return Match(
            number=number,
            kind=MatchKind.COMPETITION,
            table="",
            state=MatchState.DONE,
            created=Moment(0),
            seats=(),
            teams=((0,), (1,)),
            terms={},
            result=result,
        )

    found = records_of([match(3, "ab" * 32), match(4, None)])
    assert found == {3: RecordFile(2, "ab" * 32)}
