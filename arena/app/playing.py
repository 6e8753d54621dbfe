"""What plays the matches of a ladder at a server: the director with all who work with it.

settings --> tables, venue, pace      store --> book, recorder, planner      pool --> crew
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from time import monotonic
from typing import Final

from arena.app import make_turns
from arena.app.machine import missing_images
from arena.app.panel import Panel
from arena.app.places import AHEAD, matches_at_once
from arena.app.rated import run_and_report
from arena.app.receiving import Surroundings
from arena.sandbox.policy import MIB
from arena.sandbox.slots import life, owned_folder
from arena.settings import Settings
from arena.storage.folder import free_space
from arena.submissions.artefact import ARTEFACT_LIMITS
from arena.submissions.store import ArchiveStore
from arena.tournament.ladder.company import Company, Pace
from arena.tournament.ladder.crew import PoolCrew
from arena.tournament.ladder.director import Director
from arena.tournament.ladder.discipline import HoldsBack
from arena.tournament.ladder.liveview import Live
from arena.tournament.ladder.pantry import Pantry
from arena.tournament.ladder.recording import Recorder
from arena.tournament.ladder.specs import Preparation, Sources
from arena.tournament.ladder.spool import Spool
from arena.tournament.matches import Sandbox, Venue
from arena.workers.pool import MatchPool

__all__ = ["make_director", "pace_of"]

_WORKER: Final = "local"


def pace_of(settings: Settings) -> Pace:
    """How much is played, and how long things may take."""
    lease = settings.matches.lease
    return Pace(
        worker=_WORKER,
        at_once=matches_at_once(settings),
        ahead=AHEAD,
        lease=round(lease * 1000),
        renewal=min(10.0, lease / 6),
        drain=settings.server.drain,
        floor=settings.server.free_space * MIB,
    )


def make_director(
    around: Surroundings, panel: Panel, live: Live, stack: contextlib.ExitStack
) -> Director:
    """Put it together; what it needs ends with `stack`.

    Raises:
        HostFault: a folder cannot be made.
    """
    settings, store = around.settings, around.store
    pace = pace_of(settings)
    spool = Spool(store.folder.spool)
    # Entered before the pool, so that its processes have gone when the folder goes.
    turns = stack.enter_context(owned_folder(stack.enter_context(life())))
    make_turns(turns / "turns", pace.at_once)
    pool = stack.enter_context(MatchPool(pace.at_once + pace.ahead, preload=("arena.app.rated",)))
    artefacts = ArchiveStore(store.folder.path / "artefacts", most=ARTEFACT_LIMITS.upload)
    preparation = Preparation(
        Sources(
            find_version=store.entrants.version,
            pantry=Pantry(
                artefacts,
                store.folder.path / "unpacked",
                archives=ArchiveStore(store.folder.path / "archives"),
                tell=around.tell,
            ),
            venue=_venue(settings, spool.folder, turns / "turns"),
            missing_images=missing_images,
            probe=around.probe,
            hold_back=HoldsBack(store.entrants, around.tell),
        )
    )
    company = Company(
        book=store.matches,
        planner=panel.planner,
        recorder=Recorder(store.matches, store.records, store.logs, spool, around.tell),
        spool=spool,
        live=live,
        crew=PoolCrew(pool, run_and_report),
        prepare=preparation.prepare,
        release=preparation.release,
        helpers=around.helpers,
        probe=preparation.probe,
        judge=panel.judge,
        why_paused=store.switch.paused,
        free_space=lambda: free_space(store.folder.path),
        tell=around.tell,
        monotonic=monotonic,
        is_reserved=panel.is_reserved,
    )
    return Director(company, pace)


def _venue(settings: Settings, spool: Path, turns: Path) -> Venue:
    kind = settings.sandbox.kind
    return Venue(
        records=spool,
        sandbox=kind,
        runtime=settings.sandbox.runtime,
        holds_still=kind is Sandbox.DOCKER,
        turns=turns,
    )
