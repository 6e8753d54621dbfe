"""Pages from templates: everything that comes from outside is escaped, without exception."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from arena.formats.elimination import Elimination
from arena.formats.plans import ordinal
from arena.formats.scoring import TieBreak
from arena.tournament.competition.archiveformat import record_name
from arena.tournament.competition.regulations import Regulations
from arena.tournament.competition.stages import StageRules
from arena.tournament.competition.state import Phase
from arena.tournament.competition.views import PairingLine, PairingState
from arena.web import competitionwords as words
from arena.web.brackets import CAPTION, ROW
from arena.web.competitionbracket import drawing_of
from arena.web.competitionresult import cross_tables, final_lines, meetings, of_group, share
from arena.web.competitionvalues import CompetitionPages, StagePages
from arena.web.intervals import intervals_of
from arena.web.texts import number, shown, utc

__all__ = ["Page", "index_page", "log_page", "match_pages", "stage_page"]

_TEMPLATES: Final = Path(__file__).parent / "templates"
_PODIUM: Final = 3  # places
_NUMBERS: Final = re.compile(r"([0-9]+)")
_NOW: Final = 24  # matches that are being played, on the first page


@dataclass(frozen=True, slots=True)
class Page:
    """A file of the folder: its path with slashes, and its bytes."""

    path: str
    content: bytes


# -- the four kinds -----------------------------------------------------------------------------


def index_page(pages: CompetitionPages) -> Page:
    """The first page."""
    final = final_lines(pages)
    is_finished = pages.info.phase is Phase.FINISHED
    podium = [line for line in final if line.place is not None and line.place <= _PODIUM]
    groups = [(group.name, of_group(final, group.name)) for group in pages.regulations.groups]
    now = [
        (stage, line)
        for stage in pages.shown_stages
        for line in stage.pairings
        if line.state is PairingState.PLAYING
    ]
    return _page(
        "index.html",
        pages,
        final=final,
        podium=podium if is_finished else (),
        groups=[(name, lines) for name, lines in groups if lines],
        now=now[:_NOW],
        more=len(now[_NOW:]),
        tie_breaks=_tie_breaks(pages.regulations),
    )


def stage_page(pages: CompetitionPages, stage: StagePages) -> Page:
    """The page of a stage."""
    rules = pages.regulations.stages[stage.info.number - 1]
    form = rules.format
    crossed = cross_tables(stage, rules.scoring.points)
    return _page(
        f"stage-{stage.info.number}.html",
        pages,
        "stage.html",
        stage=stage,
        rules=rules,
        breaks=_break_names(stage, rules),
        has_notes=any(line.note for line in stage.table),
        has_groups=any(line.group for line in stage.table),
        drawing=drawing_of(stage, form) if isinstance(form, Elimination) else None,
        crossed=crossed,
        meetings={} if crossed or isinstance(form, Elimination) else meetings(stage),
        intervals=intervals_of(stage.strengths),
        rounds=_rounds(stage),
    )


def match_pages(pages: CompetitionPages, stage: StagePages) -> Iterator[Page]:
    """A page for each pairing that is no bye."""
    for line in stage.pairings:
        if _has_page(line):
            record = pages.records.get(line.match) if line.match is not None else None
            yield _page(
                _match_path(stage, line),
                pages,
                "match.html",
                stage=stage,
                line=line,
                record=record,
            )


def log_page(pages: CompetitionPages) -> Page:
    """The journal for people."""
    return _page("log.html", pages)


# -- what they share ----------------------------------------------------------------------------


def _match_path(stage: StagePages, line: PairingLine) -> str:
    return f"matches/{stage.info.number}-{line.key}.html"


def _has_page(line: PairingLine) -> bool:
    return len(line.teams) > 1


def _break_names(stage: StagePages, rules: StageRules) -> list[str]:
    """The tie-breaks that some line of the table has, in the order in which they count."""
    used = {name for line in stage.table for name, _ in line.breaks}
    named = [str(one) for one in rules.scoring.breaks if one in used]
    return named + sorted(used.difference(named))


def _rounds(stage: StagePages) -> list[tuple[int, list[PairingLine]]]:
    rounds: dict[int, list[PairingLine]] = {}
    for line in stage.pairings:
        rounds.setdefault(line.round, []).append(line)
    return [(number, sorted(rounds[number], key=_by_key)) for number in sorted(rounds)]


def _by_key(line: PairingLine) -> tuple[tuple[int, str], ...]:
    """What orders pairings of a round: `w1.2-10` comes after `w1.2-9`."""
    return tuple((int(one), "") if one.isdigit() else (0, one) for one in _NUMBERS.split(line.key))


def _tie_breaks(regulations: Regulations) -> list[tuple[str, str, list[TieBreak]]]:
    """By stage: its name, what its points are, and what parts those with equal ones."""
    return [
        (stage.name, words.points_words(stage.scoring.points), list(stage.scoring.breaks))
        for stage in regulations.stages
        if not stage.kind.is_elimination
    ]


def _page(path: str, pages: CompetitionPages, template: str = "", **values: Any) -> Page:
    text = (
        _environment()
        .get_template(template or path)
        .render(root="../" * path.count("/"), path=path, pages=pages, info=pages.info, **values)
    )
    return Page(path, text.encode())


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_finalized,
    )
    style = (_TEMPLATES / "style.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    made.filters.update(number=number, ordinal=ordinal, utc=utc)
    made.globals.update(
        style=Markup(style),  # noqa: S704 - our own file, and no markup is in it
        style_digest=digest,
        words=words,
        share=share,
        match_path=_match_path,
        has_page=_has_page,
        record_name=record_name,
        row=ROW,
        caption=CAPTION,
    )
    return made


def _finalized(value: object) -> object:
    """What a template puts out: texts with nothing invisible that acts, the rest as it is."""
    return shown(value) if isinstance(value, str) and not isinstance(value, Markup) else value
