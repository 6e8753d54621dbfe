"""Competitions that were never played: the journal is real, the scores are drawn by a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from arena.formats.story import Pairing, Score
from arena.storage.facts import Moment
from arena.tournament.competition import events
from arena.tournament.competition.due import due
from arena.tournament.competition.events import Event, FrozenEntry, Level
from arena.tournament.competition.journal import ITSELF, Journal, Line
from arena.tournament.competition.notes import notes_of
from arena.tournament.competition.state import Competition
from arena.tournament.competition.views import CompetitionInfo, PairingState
from arena.web.competition import CompetitionPages, RecordFile, StagePages, StrengthLine, pages_of

HEAD = "5f" * 32
SECRET = "ab" * 32

NAMES = (
    "ann/keeper", "ben/fast-lane", "carla/mille", "dov/roll", "emma/safety-first", "fritz/coup",
    "gül/yildiz", "hana/さくら号", "ivan/борне", "יעל/שועל", "كريم/سريع", "li/千里马之千里马的马",
    "mia/long-" + "x" * 50, "noa/n", "ole/kattegat", "pia/puncture", "quin/queue", "rob/robust",
    "sia/siren", "tom/tortoise", "uma/umlaut-ä", "vic/victor", "wim/wheel", "xan/x-ray",
)  # fmt: skip


@dataclass
class Play:
    """A competition while it is played."""

    text: str
    titles: Sequence[str]
    groups: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1
    matches: int = 0
    lines: list[Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.journal = Journal()
        first, _ = self.journal.write(
            Moment(1_796_000_000_000), "admin token 1f2e", events.Announced(self.text)
        )
        self.lines.append(first)
        self.here = Competition(first)
        entries = tuple(
            FrozenEntry(
                title=title,
                entrant=number,
                version=number + 100,
                ordinal=number % 5 + 1,
                digest=f"{number:02x}" * 32,
                group=self.groups.get(title, ""),
                mu=25 - number / 2,
            )
            for number, title in enumerate(self.titles)
        )
        self.tell(events.Opened())
        self.tell(events.Closed(1_796_000_100_000))
        self.tell(events.Frozen(entries, (("zoe/late", "has no version that plays"),), "cd" * 32))
        if self.here.regulations.seed.public:
            self.tell(events.Mixed("0042-1999"))
        self.tell(events.Started())

    def tell(self, event: Event, who: str = "admin token 1f2e") -> None:
        at = Moment(1_796_000_000_000 + 61_000 * (len(self.lines) + 1))
        line, _ = self.journal.write(at, who, event)
        self.here.take(line)
        self.lines.append(line)

    def go(self, most: int = 1_000_000) -> Play:
        """Play so many matches, or all; finish it when all is played."""
        while most > 0:
            event = due(self.here, lambda what, number: bytes(32))
            if event is not None:
                self.tell(event, ITSELF)
                continue
            stage = self.here.stage
            assert stage is not None
            waiting = stage.to_play()
            if not waiting:
                return self
            for pairing in waiting[:most]:
                self.play(pairing)
            most -= len(waiting[:most])
        return self

    def play(self, pairing: Pairing) -> None:
        stage = self.here.stage
        assert stage is not None
        self.matches += 1
        self.tell(
            events.Scored(
                stage=stage.number,
                key=pairing.key,
                run=stage.runs[pairing.key],
                match=self.matches,
                attempt=1,
                record=f"{self.matches % 256:02x}" * 32,
                head=HEAD,
                score=self.score(pairing),
            ),
            ITSELF,
        )

    def score(self, pairing: Pairing) -> Score:
        weights = [1 / (2 + sum(team)) for team in pairing.teams]
        boards = [0.0] * len(weights)
        for _ in range(12):
            boards[self.random.choices(range(len(weights)), weights)[0]] += 1
        if self.random.random() < 0.2:
            boards[0] += 0.5
        ranks = tuple(1 + sum(other > own for other in boards) for own in boards)
        faults = tuple(int(self.random.random() < 0.1) for _ in boards)
        return Score(ranks=ranks, boards=tuple(boards), faults=faults, games=24)

    def finish(self) -> Play:
        self.tell(events.Finished(SECRET))
        return self

    def pages(self, *, is_visible: bool = True, now: int = 0) -> CompetitionPages:
        """As an operator would make them; so many that wait are said to be played now."""
        here = self.here
        info = CompetitionInfo(
            name=here.regulations.name,
            title=here.regulations.title,
            phase=here.phase,
            level=Level.PUBLIC,
            is_visible=is_visible,
            is_played=here.is_played,
            entries=len(here.entries),
            stages=len(here.regulations.stages),
            text=self.text,
            commitment=here.commitment,
            secret=here.secret,
            public_value=here.regulations.seed.public,
            mixed=here.mixed,
            opens=here.regulations.schedule.opens,
            start=here.regulations.schedule.start,
            why=here.why,
            length=here.length,
            head=HEAD,
        )
        strengths = {stage.number: self.strengths(len(stage.entries)) for stage in here.stages}
        made = pages_of(
            here, info, {}, notes_of(here, self.lines, is_visible=is_visible), strengths
        )
        records = {
            number: RecordFile(1, f"{number % 256:02x}" * 32)
            for number in range(1, self.matches + 1)
        }
        return replace(made, records=records, stages=tuple(_playing(made, now)))

    def strengths(self, count: int) -> tuple[StrengthLine, ...]:
        return tuple(
            StrengthLine(
                title=title, value=1 - n / 8, low=0.6 - n / 6, high=1.5 - n / 9, best=0.5**n
            )
            for n, title in enumerate(self.titles[:count])
        )


def _playing(made: CompetitionPages, now: int) -> Iterator[StagePages]:
    for stage in made.stages:
        lines = []
        for line in stage.pairings:
            if line.way is None and now > 0:
                lines.append(replace(line, state=PairingState.PLAYING))
                now -= 1
            else:
                lines.append(line)
        yield replace(stage, pairings=tuple(lines))


def regulations(*stages: str, head: str = "", game: str = "") -> str:
    """A file with these stages, each its lines."""
    parts = "".join(f"\n[[stage]]\n{stage}\n" for stage in stages)
    return (
        f'name = "demo"\ntitle = "School afternoon 2026, בית ספר"\n{head}\n[game]\n{game}\n{parts}'
    )


GROUPS = """
[[group]]
name = "Year 9"
owners = ["ann", "ben", "carla", "dov", "emma", "fritz"]

[[group]]
name = "Year 10, שכבה"
owners = ["tom", "uma", "vic", "wim"]

[seed]
public = "the first 64 digits of tomorrow's draw"
"""


def every_kind() -> dict[str, CompetitionPages]:
    """Every format, before, while and after it is played."""
    years = {title: "Year 9" if title[0] in "abcdef" else "Year 10, שכבה" for title in NAMES}
    swiss = 'format = "swiss"\nname = "Swiss"\nrounds = 5\nadvance = 8'
    finals = 'format = "elimination"\nname = "Finals"\nbest_of = 3\nthird_place = true'
    school = Play(regulations(swiss, finals, head=GROUPS), NAMES, years).go(20)
    school.tell(events.Withdrawn(3, "wants to go home"))
    school.go().finish()

    double = Play(
        regulations('format = "groups"\ngroups = 4\nadvance = 11', 'format = "double-elimination"'),
        NAMES[:20],
    ).go(54)
    stage = double.here.stage
    assert stage is not None
    double.tell(
        events.Decided(
            stage=stage.number,
            key=stage.to_play()[0].key,
            ranks=(1, 2),
            why="the machine of the other one was broken",
        )
    )
    robin = Play(regulations('format = "round-robin"'), NAMES[:24]).go(200)
    boards = Play(regulations('format = "round-robin"\ntimes = 2\npoints = "board"'), NAMES[:5]).go(
        11
    )
    boards.tell(events.Disqualified(1, "its code was somebody else's"))
    boards.go().finish()
    partners = Play(
        regulations('format = "partners"\nrounds = 6', game="players = 4\nteams = true"), NAMES[:13]
    ).go(10)
    tables = Play(regulations('format = "tables"\nrounds = 4', game="players = 3"), NAMES[:9]).go(7)
    return {
        "school": school.pages(),
        "double": double.go(1).pages(now=2),
        "double-over": Play(regulations('format = "double-elimination"'), NAMES[:16])
        .go()
        .finish()
        .pages(),
        "robin": robin.pages(now=30),
        "boards": boards.pages(),
        "partners": partners.pages(now=3),
        "tables": tables.pages(),
        "hidden": robin.pages(is_visible=False),
        "not-begun": Play(regulations(swiss, finals), NAMES[:8]).pages(),
    }
