"""Which launcher runs the bots of a match, and where it may."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from arena.app import play_match, record_path
from arena.app.launchers import development_only, launcher_of, require_trusted
from arena.engine.deal import seed_from_text
from arena.engine.rulesets import make_ruleset
from arena.engine.scoring import Length
from arena.engine.seating import make_seating
from arena.errors import HostFault, InputError
from arena.referee.events import OutcomeKind
from arena.referee.game import every_rotation
from arena.referee.limits import STANDARD_LIMITS
from arena.referee.verifying import verify
from arena.sandbox import boxes
from arena.sandbox.bubblewrap import BubblewrapLauncher
from arena.sandbox.docker import DockerLauncher
from arena.sandbox.policy import MIB, PLAYING
from arena.sandbox.process import ProcessLauncher
from arena.submissions.manifest import find_bot, read_manifest
from arena.tournament.matches import MatchOutcome, MatchSpec, Sandbox, Venue


@pytest.fixture
def bubblewrap(tmp_path: Path) -> None:
    for name in ("run", "bot"):
        (tmp_path / name).mkdir()
    try:
        boxes.find_tools(tmp_path)
    except HostFault as error:
        pytest.skip(str(error))


def play(records: Path, *bots: str) -> MatchOutcome:
    rules = make_ruleset("classic", players=2)
    spec = MatchSpec(
        bots=tuple(
            read_manifest(Path(bot)) if Path(bot).is_absolute() else find_bot(bot) for bot in bots
        ),
        rules=rules,
        seating=make_seating(rules, 2),
        seed=seed_from_text("launchers"),
        boards=(0,),
        legs=every_rotation(1, 2),
        limits=STANDARD_LIMITS.strict(),
        length=Length(1),
        venue=Venue(sandbox=Sandbox.BUBBLEWRAP, records=records, strict_bots=True),
    )
    outcome = play_match(spec)
    with record_path(records, spec).open("rb") as file:
        assert verify(file).head == outcome.record_head
    return outcome


def test_a_match_is_played_in_bubblewrap(bubblewrap: None, tmp_path: Path) -> None:
    outcome = play(tmp_path, "keeper", "racer")
    assert outcome.verdict.kind is OutcomeKind.COMPLETED
    assert len(outcome.results) == 2


def test_a_bot_whose_program_is_not_in_there_forfeits(bubblewrap: None, tmp_path: Path) -> None:
    folder = tmp_path / "absent"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name = "absent"\nversion = "1"\nlanguage = "python"\nrun = ["./not-here"]\n'
    )
    outcome = play(tmp_path, str(folder), "racer")
    (forfeit,) = outcome.verdict.forfeits
    assert forfeit.bot == 0
    assert "cannot start './not-here'" in forfeit.detail


@pytest.mark.parametrize(
    ("sandbox", "kind"),
    [(Sandbox.PROCESS, ProcessLauncher), (Sandbox.BUBBLEWRAP, BubblewrapLauncher)],
)
def test_a_venue_has_its_launcher(sandbox: Sandbox, kind: type) -> None:
    with launcher_of(Venue(sandbox=sandbox)) as launcher:
        assert isinstance(launcher, kind)


def test_containers_have_the_limits_of_their_venue() -> None:
    """That such a launcher's programs have them is in `tests/sandbox/test_docker.py`."""
    policy = replace(PLAYING, memory=64 * MIB)
    try:
        with launcher_of(Venue(sandbox=Sandbox.DOCKER, policy=policy)) as launcher:
            assert isinstance(launcher, DockerLauncher)
            assert launcher.policy == policy
    except HostFault as error:
        pytest.skip(str(error))


def test_a_venue_goes_to_another_process_as_it_is() -> None:
    venue = Venue(sandbox=Sandbox.DOCKER, policy=replace(PLAYING, processors=0.5))
    assert pickle.loads(pickle.dumps(venue)) == venue


def test_whoever_takes_what_is_for_development_is_told_so() -> None:
    said = {one: development_only(one) for one in Sandbox}
    assert said.pop(Sandbox.DOCKER) == ""
    for sandbox, text in said.items():
        assert text.startswith(f"--sandbox {sandbox} is for your own bots: ")
        assert text.endswith("strangers' bots take --sandbox docker")
        assert "\n" not in text


@pytest.mark.parametrize("sandbox", [Sandbox.PROCESS, Sandbox.BUBBLEWRAP])
@pytest.mark.parametrize(
    ("beyond", "uploads", "reasons"),
    [
        (True, False, "this server listens beyond loopback"),
        (False, True, "this server accepts uploads"),
        (True, True, "this server listens beyond loopback and this server accepts uploads"),
    ],
)
def test_where_strangers_could_come_only_containers_will_do(
    sandbox: Sandbox, beyond: bool, uploads: bool, reasons: str
) -> None:
    with pytest.raises(InputError) as caught:
        require_trusted(sandbox, listens_beyond_loopback=beyond, accepts_uploads=uploads)
    assert str(caught.value) == (
        f"sandbox {sandbox}: does not protect this machine from strangers' bots, and {reasons}; "
        "choose docker, or neither of the two"
    )
    require_trusted(Sandbox.DOCKER, listens_beyond_loopback=beyond, accepts_uploads=uploads)
    require_trusted(sandbox, listens_beyond_loopback=False, accepts_uploads=False)
