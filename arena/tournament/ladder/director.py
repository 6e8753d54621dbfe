"""The director: leases matches, has them played, and sees to it that each is recorded once.

    MatchBook --lease--> prepare --RatedSpec--> Crew --News--> renewals, live view
        ^                                         '--Done or lost--> Recorder --> MatchBook

One thread, which reads no clock but the one that it is handed. What takes long is done elsewhere:
matches by the crew, unpacking and probing by helpers. Only a process that plays renews its lease,
by its signs of life. So whoever hangs, is stopped or has died loses it, and there is another
attempt; what the lost one reports after all is refused by the store.

Nothing that fails ends the thread: each part of a round is tried again, later and later.
"""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable
from queue import Empty, SimpleQueue

from arena.errors import HostFault, InputError
from arena.referee.events import OutcomeKind
from arena.storage.facts import Lease, MatchState
from arena.storage.failpoints import AFTER_LEASE, reached
from arena.tournament.ladder import endings
from arena.tournament.ladder.attempt import News, RatedSpec
from arena.tournament.ladder.company import Company, Key, Over, Pace, Playing, Run, Status
from arena.tournament.ladder.health import Backoff, Health
from arena.tournament.ladder.pantry import ArtefactGone
from arena.tournament.ladder.queueing import Queue
from arena.tournament.ladder.recording import Settled

__all__ = ["Director"]


class Director:
    """Plays the matches of a ladder until it is stopped. `run` is the body of its thread."""

    def __init__(self, company: Company, pace: Pace) -> None:
        self._with = company
        self._pace = pace
        self._now = company.monotonic
        self._queue = Queue(
            company.book, company.planner, pace.worker, pace.lease, company.is_reserved
        )
        self._inbox: SimpleQueue[Run | None] = SimpleQueue()
        # Whoever is in it has given a sign of life; None only wakes.
        self._runs: dict[Key, Run] = {}
        self._over: dict[Key, Over] = {}
        self._backoffs: dict[str, Backoff] = {}
        self._health = Health(company.probe, company.helpers, self._now, self.wake)
        self._looked = float("-inf")
        self._has_begun = False
        self._stops = 0
        self._drain_until: float | None = None
        self._why_paused = ""
        self._why_no_space = ""
        self._nothing_until = float("-inf")

    # -- from other threads -------------------------------------------------------------------

    def wake(self) -> None:
        """There is something to do, such as a match that somebody has asked for."""
        self._inbox.put(None)

    def stop(self) -> None:
        """Begin no match and end when those that are played are over; again: end them now."""
        self._stops += 1
        self.wake()

    def status(self) -> Status:
        """How it stands."""
        now = self._now()
        playing = tuple(
            Playing(*run.key, now - run.began, run.has_turn) for run in list(self._runs.values())
        )
        return Status(
            playing=playing,
            unrecorded=len(self._over),
            is_draining=self._stops > 0,
            why_unhealthy=self._health.why,
            why_paused=self._why_paused,
            why_no_space=self._why_no_space,
        )

    # -- the thread ---------------------------------------------------------------------------

    def run(self) -> None:
        """Play until it has been stopped; returns when nothing is left to be played."""
        while True:
            self.step()
            if self.is_over:
                return
            self._sleep()

    @property
    def is_over(self) -> bool:
        """It was stopped, and nothing is played any more."""
        if self._runs or not self._stops:
            return False
        # What cannot be recorded now stays in the spool, for the next start.
        return not self._over or self._stops > 1 or self._left("settle") > 0

    def step(self) -> None:
        """Do all that there is to do now; waits for nothing but the store."""
        parts = (
            self._begin,
            self._hear,
            self._take_prepared,
            self._take_played,
            self._renew,
            self._settle,
            self._look,
            self._drain,
            self._fill,
        )
        for part in parts:
            self._attempt(part.__name__.strip("_"), part)

    def _attempt(self, name: str, part: Callable[[], None]) -> None:
        """Do a part of a round; if this machine fails at it, it rests for a while."""
        backoff = self._backoffs.setdefault(name, Backoff(self._now, first=0.2, longest=30.0))
        if backoff.left:
            return
        try:
            part()
        except HostFault as fault:
            backoff.failed()
            self._with.tell("trouble", alert=backoff.failures == 1, part=name, why=str(fault))
        except Exception as error:
            # A mistake of ours must not end all play: it is told, with where it happened.
            backoff.failed()
            where = "".join(traceback.format_exception(error))
            self._with.tell("mistake", alert=True, part=name, why=repr(error), trace=where)
        else:
            backoff.succeeded()

    def _left(self, name: str) -> float:
        backoff = self._backoffs.get(name)
        return 0.0 if backoff is None else backoff.left

    def _sleep(self) -> None:
        """Wait until something comes, or something is due."""
        waits = [self._pace.look, *(one.left for one in self._backoffs.values() if one.left)]
        if self._health.wait:
            waits.append(self._health.wait)
        if self._drain_until is not None:
            waits.append(max(0.0, self._drain_until - self._now()))
        try:
            self._inbox_take(self._inbox.get(timeout=max(0.01, min(waits))))
        except Empty:
            return

    def _begin(self) -> None:
        """Take up what the server before this one, of the same name, has left."""
        if self._has_begun:
            return
        leases = {(one.match, one.attempt): one for one in self._with.book.adopt(self._pace.worker)}
        for key in {*self._with.spool.all(), *leases}:
            self._leave_over(key, leases.get(key))
        self._has_begun = True
        if leases:
            self._with.tell("attempts taken up", count=len(leases))

    # -- what is played -----------------------------------------------------------------------

    def _hear(self) -> None:
        while True:
            try:
                self._inbox_take(self._inbox.get_nowait())
            except Empty:
                return

    def _inbox_take(self, run: Run | None) -> None:
        if run is None:
            self._nothing_until = float("-inf")
        else:
            run.lives_at = self._now()

    def _listen(self, run: Run, news: News) -> None:
        """Hear what a process says, in a thread of the crew: whoever watches never waits for us."""
        if news.has_turn and not run.has_turn:
            run.has_turn = True
            self._with.live.began(*run.key)
        self._with.live.add(*run.key, news.frames)
        self._inbox.put(run)

    def _take_prepared(self) -> None:
        for run in [run for run in self._runs.values() if run.prepared is not None]:
            assert run.prepared is not None
            if not run.prepared.done():
                continue
            prepared, run.prepared = run.prepared, None
            if prepared.cancelled() or run.is_lost or self._stops:
                self._hand_back(run)
                continue
            try:
                self._play(run, prepared.result())
            except ArtefactGone as error:
                self._give_up(run, str(error))
            except Exception as error:  # whatever it is, the attempt is over
                self._failed(run, endings.told(error), endings.NOT_READY)

    def _play(self, run: Run, rated: RatedSpec) -> None:
        run.lives_at = self._now()
        run.played = self._with.crew.begin(rated, lambda news: self._listen(run, news))
        run.played.add_done_callback(lambda _: self.wake())

    def _take_played(self) -> None:
        for run in [run for run in self._runs.values() if run.played is not None]:
            assert run.played is not None
            if not run.played.done():
                continue
            why = endings.how_it_ended(run.played)
            if run.is_ended:
                self._hand_back(run)
            elif why:
                self._failed(run, why, endings.shown(run.played))
            else:
                self._end(run, "it left no report")

    def _give_up(self, run: Run, why: str) -> None:
        """A version at the table is held back, and its match would fail again and again."""
        self._with.tell("match given up", match=run.lease.match, why=why)
        self._end(run, endings.NOT_THERE, counts=False)
        with contextlib.suppress(InputError):  # it is cancelled already
            self._with.book.cancel(run.lease.match, endings.NOT_THERE)

    def _failed(self, run: Run, why: str, public: str) -> None:
        """This machine has failed at an attempt; why is for its log, and the public hears less."""
        self._with.tell("attempt failed", match=run.lease.match, attempt=run.lease.attempt, why=why)
        self._health.failed(why)
        self._end(run, public)

    def _hand_back(self, run: Run) -> None:
        """An attempt was ended by us, which is no failure of its match."""
        self._end(run, endings.HANDED_BACK, counts=False)

    def _end(self, run: Run, why: str, *, counts: bool = True) -> None:
        del self._runs[run.key]
        self._with.live.ended(*run.key)
        self._with.release(run.lease)
        lease = run.lease
        token = "" if run.is_lost else lease.token
        self._over[run.key] = Over(
            *run.key,
            token=token,
            why=why,
            lease=lease,
            counts=counts,
            # What happens before any bot is started says nothing of them.
            of_play=counts and run.played is not None,
            renewed=self._now(),
        )

    def _leave_over(self, key: Key, lease: Lease | None) -> None:
        """An attempt of the server before this one has to be settled."""
        token = "" if lease is None else lease.token
        self._over[key] = Over(
            *key, token=token, why=endings.LOST_WITH_US, lease=lease, counts=False
        )

    # -- the store ----------------------------------------------------------------------------

    def _renew(self) -> None:
        """Renew the leases of those who have given a sign of life."""
        for run in list(self._runs.values()):
            lives_at, now = run.lives_at, self._now()
            if lives_at is None or run.is_lost or now - run.renewed < self._pace.renewal:
                continue
            lease = run.lease
            is_ours = self._with.book.renew(
                lease.match, lease.attempt, lease.token, self._pace.lease
            )
            run.renewed, run.lives_at = now, None
            if not is_ours:
                self._lose(run)
        for over in self._over.values():
            # Played to its end: a disk or a database that is full or gone must not cost it.
            if over.token and self._now() - over.renewed >= self._pace.renewal:
                over.renewed = self._now()
                self._with.book.renew(over.match, over.attempt, over.token, self._pace.lease)

    def _lose(self, run: Run) -> None:
        """The lease of an attempt has gone to somebody else, or to nobody: it is ended."""
        run.is_lost = True
        self._with.tell("lease lost", match=run.lease.match, attempt=run.lease.attempt)
        if run.prepared is not None:
            run.prepared.cancel()
        self._have_ended(run)

    def _have_ended(self, run: Run) -> None:
        if run.played is not None and not run.is_ended:
            run.is_ended = True
            self._with.crew.end(run.played)

    def _settle(self) -> None:
        for key, over in list(self._over.items()):
            # To the end: one that cannot be settled must not keep the others from it.
            self._over[key] = self._over.pop(key)
            settled = self._with.recorder.settle(
                over.match,
                over.attempt,
                over.token,
                over.why,
                counts=over.counts,
                of_play=over.of_play,
            )
            del self._over[key]
            self._take_in(over, settled)

    def _take_in(self, over: Over, settled: Settled) -> None:
        report = settled.report
        if settled.is_given_back:
            self._come_to_nothing(over.match, over.lease if over.of_play else None)
        if report is None or not settled.is_new:
            return
        if report.verdict == OutcomeKind.VOID:
            self._health.failed(report.why)
            self._come_to_nothing(over.match, None)
        else:
            self._health.went_well()
        if over.lease is not None:
            self._with.judge.recorded(over.lease, report)

    def _come_to_nothing(self, number: int, lease: Lease | None) -> None:
        """An attempt at a match is void or lost; with a lease its judge hears of it."""
        if lease is not None:
            self._with.judge.failed(lease)
        match = self._with.book.find(number)
        if match is not None and match.state is MatchState.SET_ASIDE:
            self._with.tell("match set aside", alert=True, match=number, why=match.why)

    def _look(self) -> None:
        """Now and then: lost leases, and reports that nobody waits for any more."""
        if self._now() - self._looked < self._pace.look:
            return
        # Whoever has given a sign of life has been renewed just before, also after a long wait.
        if not self._left("renew"):
            for match, attempt in self._with.book.expire():
                run = self._runs.get((match, attempt))
                has_played = run is not None and run.played is not None
                if run is not None and not run.is_lost:
                    self._lose(run)
                self._come_to_nothing(match, run.lease if run and has_played else None)
        # A process that was ended with the server before us may have come to its end after all.
        for key in self._with.spool.whole():
            if key not in self._runs and key not in self._over:
                self._leave_over(key, None)
        self._looked = self._now()

    # -- beginning and ending -----------------------------------------------------------------

    def _fill(self) -> None:
        """Begin matches while there is room."""
        while len(self._runs) < self._pace.at_once + self._pace.ahead and self._may_begin():
            lease = self._queue.next([run.lease.new for run in self._runs.values()])
            if lease is None:
                self._nothing_until = self._now() + self._pace.look
                return
            reached(AFTER_LEASE)
            run = Run(lease, self._now(), renewed=self._now())
            self._runs[run.key] = run
            run.prepared = self._with.helpers.submit(self._with.prepare, lease)
            run.prepared.add_done_callback(lambda _: self.wake())
            self._with.tell(
                "attempt begun", match=lease.match, attempt=lease.attempt, cause=lease.new.cause
            )
            self._take_prepared()

    def _may_begin(self) -> bool:
        # As many may wait for a disk or a database as are played; more would only add to them.
        is_stuck = len(self._over) > self._pace.at_once + self._pace.ahead
        if self._stops or not self._has_begun or is_stuck or self._now() < self._nothing_until:
            return False
        self._why_paused = self._with.why_paused()
        free = self._with.free_space()
        is_full = free < self._pace.floor
        if is_full != bool(self._why_no_space):
            self._with.tell("free space", alert=is_full, bytes=free, floor=self._pace.floor)
        self._why_no_space = (
            f"{free:,} bytes are free, and matches begin from {self._pace.floor:,} on"
            if is_full
            else ""
        )
        return not self._why_paused and not is_full and self._health.may_play

    def _drain(self) -> None:
        """Once it was stopped: end what has not begun yet, and later on everything."""
        if not self._stops:
            return
        now = self._now()
        if self._drain_until is None:
            self._drain_until = now + self._pace.drain
        is_late = self._stops > 1 or now >= self._drain_until
        for run in list(self._runs.values()):
            if run.prepared is not None:
                run.prepared.cancel()
            elif is_late or not run.has_turn:
                self._have_ended(run)
