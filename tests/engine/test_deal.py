"""Chance: `arena/engine/deal.py` against its vectors, against another language, and by its laws."""

from __future__ import annotations

import functools
import hashlib
import hmac
import json
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.engine import deal
from arena.engine.cards import CARDS, CLASSIC_DECK, EXPRESS_DECK, SHORT_DECK
from arena.engine.deal import Board, Stream
from arena.engine.flow import draw_from_pile, reshuffle, set_pile, start_hand
from arena.engine.rulesets import make_ruleset
from arena.engine.seating import make_seating
from arena.engine.state import Frame, HandState, make_frame
from arena.errors import SeedError, quoted
from tests.engine.vectors import make_deal

VECTORS = Path(__file__).parent / "vectors" / "deal.json"
CHECKER = VECTORS.with_name("check_deal.pl")
DECKS = {"classic": CLASSIC_DECK, "short": SHORT_DECK, "express": EXPRESS_DECK}
TWO_32 = 1 << 32

seeds = st.binary(min_size=32, max_size=32)
cards = st.lists(st.sampled_from(range(19)), max_size=106).map(bytes)


# -- the vectors, in Python and in Perl -------------------------------------------------------


def test_vectors_are_those_that_the_script_makes() -> None:
    assert VECTORS.read_text("utf-8") == make_deal.make(), (
        "deal.json is not what make_deal.py makes: either chance has changed, which breaks every "
        "recorded seed, or the file has to be made again"
    )


@functools.cache
def perl() -> str:
    """The command; Debian's smallest perl lacks the modules, so they are tried as well."""
    command = shutil.which("perl")
    modules = ["-MDigest::SHA", "-MJSON::PP", "-e", "1"]
    if command and subprocess.run([command, *modules], capture_output=True, check=False).returncode:
        command = None
    if command is None:
        missing = "perl with Digest::SHA and JSON::PP is not installed (Debian: package perl)"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return command


def check_in_perl(path: Path) -> tuple[int, int, int]:
    """Run the checker; returns exit code, passed and failed."""
    done = subprocess.run(
        [perl(), str(CHECKER), str(path)], capture_output=True, text=True, check=False
    )
    last = re.fullmatch(r"(\d+) passed, (\d+) failed", done.stdout.splitlines()[-1])
    assert last is not None, done.stdout + done.stderr
    assert done.stderr == ""
    return done.returncode, int(last[1]), int(last[2])


GIVEN = {
    *("format", "made_by", "text", "hand", "deck", "players", "dealer", "purpose", "number"),
    *("discard_pile", "seats"),
}
"""Keys of the vectors that say what a value is made from; all others are values to be checked."""


def values(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every value to be checked, as its container and its place there."""
    for place, child in list(node.items()) if isinstance(node, dict) else list(enumerate(node)):
        if isinstance(child, dict | list):
            yield from values(child)
        # A seed is checked only where it is made from a text.
        elif place not in GIVEN and (place != "seed" or "text" in node):
            yield node, place


def flip(container: Any, place: Any) -> None:
    """Change a value a little: its last word, digit or number."""
    value = container[place]
    if isinstance(value, int):
        container[place] = value + 1
    elif value.endswith(tuple(map(str, CARDS))):
        container[place] = value.removesuffix("D25") + ("D50" if value.endswith("D25") else " D25")
    else:
        container[place] = value[:-1] + ("1" if value[-1] == "0" else "0")


def test_every_value_can_be_flipped() -> None:
    """Else the two tests below would test nothing."""
    vectors = json.loads(VECTORS.read_text("utf-8"))
    for container, place in values(vectors):
        old = container[place]
        flip(container, place)
        assert container[place] != old


def test_another_language_agrees_with_every_vector() -> None:
    vectors = json.loads(VECTORS.read_text("utf-8"))
    assert check_in_perl(VECTORS) == (0, len(list(values(vectors))), 0)


def test_other_language_sees_every_flipped_value(tmp_path: Path) -> None:
    """One value at a time would take a run for each; all at once, none may pass."""
    vectors = json.loads(VECTORS.read_text("utf-8"))
    places = list(values(vectors))
    for container, place in places:
        if place != "seed":  # everything else is made from it
            flip(container, place)
    flipped = tmp_path / "all.json"
    flipped.write_text(json.dumps(vectors))
    assert check_in_perl(flipped) == (1, 1, len(places) - 1)


FLIPS: list[Callable[[Any], tuple[Any, Any]]] = [
    lambda v: (v["seeds"][0], "commitment"),
    lambda v: (v["seeds"][1]["sub_keys"], "board/10"),
    lambda v: (v["seeds"][2]["stream"], "first_64"),
    lambda v: (v["seeds"][3]["below"]["first_8"], str((1 << 31) + 1)),
    lambda v: (v["seeds"][0]["decks"][5], "cards"),
    lambda v: (v["deals"][4]["hands"], 3),
    lambda v: (v["deals"][5], "draw_pile"),
    lambda v: (v["deals"][6]["stripes"], 5),
    lambda v: (v["deals"][7]["striped_draws"], "cards"),
    lambda v: (v["deals"][8]["reshuffles"][1], "draw_pile"),
]


@pytest.mark.parametrize("where", FLIPS)
def test_other_language_sees_one_flipped_value(
    tmp_path: Path, where: Callable[[Any], tuple[Any, Any]]
) -> None:
    vectors = json.loads(VECTORS.read_text("utf-8"))
    flip(*where(vectors))
    flipped = tmp_path / "one.json"
    flipped.write_text(json.dumps(vectors))
    assert check_in_perl(flipped) == (1, len(list(values(vectors))) - 1, 1)


def test_vectors_cover_what_they_should() -> None:
    vectors = json.loads(VECTORS.read_text("utf-8"))
    assert {vector["deck"] for vector in vectors["deals"]} == set(DECKS)
    assert {vector["players"] for vector in vectors["deals"]} == {2, 3, 4, 6}
    for vector in vectors["deals"]:
        # Stripes run out: somebody draws more cards than its stripe had.
        draws = Counter(map(int, vector["striped_draws"]["seats"].split()))
        assert any(len(vector["stripes"][seat].split()) < n for seat, n in draws.items())


# -- seeds and keys ---------------------------------------------------------------------------


@given(seeds)
def test_seed_is_read_from_its_digits(seed: bytes) -> None:
    assert deal.parse_seed(seed.hex()) == deal.parse_seed(seed.hex().upper()) == seed
    assert deal.seed_from_text(seed.hex()) == seed


BAD_SEEDS = [
    *("", "7", "00" * 31, "00" * 33, "0" * 63, "0" * 65, "0x" + "0" * 62, "g" * 64),
    *(
        "00 " * 21 + "0",
        "00" * 31 + " 0",
        " " + "0" * 64,
        "0" * 64 + "\n",
        "\u0660" * 64,
        "\n" * 64,
    ),
    *("-" + "0" * 63, "00" * 31 + "\x00\x00", "é" * 32),
]


@pytest.mark.parametrize("text", BAD_SEEDS)
def test_bad_seed_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(SeedError) as refused:
        deal.parse_seed(text)
    assert str(refused.value) == f"seed {quoted(text)} is not 64 hexadecimal digits (32 bytes)"
    assert len(str(refused.value).splitlines()) == 1


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example("7")
@example("0" * 63)
def test_any_text_makes_a_seed(text: str) -> None:
    seed = deal.seed_from_text(text)
    assert len(seed) == deal.SEED_BYTES
    assert seed == deal.seed_from_text(text)
    assert seed != deal.seed_from_text(text + "!")


@pytest.mark.parametrize("size", [0, 1, 31, 33, 64])
def test_board_refuses_a_seed_of_another_length(size: int) -> None:
    with pytest.raises(SeedError, match=rf"^a seed is 32 bytes, not {size}$"):
        Board(bytes(size))


def test_different_purposes_have_different_keys() -> None:
    seed = bytes(range(32))
    kinds = ("board", "deck", "reshuffle")
    keys = {deal.sub_key(seed, f"{kind}/{n}") for kind in kinds for n in range(200)}
    assert len(keys) == 3 * 200
    assert seed not in keys
    assert deal.commitment(seed) not in keys


def test_hands_boards_and_reshuffles_differ() -> None:
    boards = [Board(deal.sub_key(bytes(32), f"board/{game}")) for game in range(20)]
    orders = {board.deck_order(hand, CLASSIC_DECK) for board in boards for hand in range(20)}
    pile = deal.deck_cards(CLASSIC_DECK)
    piles = {
        deal.reshuffled(pile, board.reshuffle_key(hand), number)
        for board in boards
        for hand in range(3)
        for number in range(3)
    }
    assert len(orders | piles) == 20 * 20 + 20 * 3 * 3


@given(seeds, st.integers(0, 1000))
def test_chance_is_a_pure_function(seed: bytes, hand: int) -> None:
    board = Board(seed)
    first = [board.deck_order(hand, deck) for deck in DECKS.values()]
    board.deck_order(hand + 1, CLASSIC_DECK)  # what was asked before does not matter
    again = [Board(bytes(seed)).deck_order(hand, list(deck)) for deck in DECKS.values()]
    assert first == again
    key = board.reshuffle_key(hand)
    assert deal.reshuffled(first[0], key, 1) == deal.reshuffled(first[0], key, 1)
    assert board == Board(seed)


# -- numbers and shuffles ---------------------------------------------------------------------


class Words(Stream):
    """A stream of given words."""

    __slots__ = ("left",)

    def __init__(self, *words: int) -> None:
        super().__init__(bytes(32))
        self.left = list(words)

    def word(self) -> int:
        return self.left.pop(0)


@given(st.one_of(st.integers(1, 200), st.integers(1, TWO_32)))
def test_every_number_has_equally_many_words(bound: int) -> None:
    """Exactly uniform: the words below `limit`, a multiple of `bound`, are kept, the rest are not.

    A kept word w gives w mod bound, so each number stands for limit / bound words.
    """
    limit = TWO_32 - TWO_32 % bound
    assert limit % bound == 0
    assert limit > TWO_32 // 2
    for last_kept in (0, bound - 1, limit // 2, limit - 1):
        assert Words(last_kept).below(bound) == last_kept % bound
    if limit < TWO_32:
        thrown = Words(limit, TWO_32 - 1, limit - 1)
        assert thrown.below(bound) == bound - 1
        assert not thrown.left


@given(st.binary(min_size=32, max_size=32))
def test_words_are_those_of_the_blocks(key: bytes) -> None:
    stream = Stream(key)
    words = b"".join(stream.word().to_bytes(4, "big") for _ in range(24))
    blocks = [hmac.new(key, number.to_bytes(8, "big"), hashlib.sha256) for number in range(3)]
    assert words == b"".join(block.digest() for block in blocks)


@given(cards, seeds)
def test_shuffle_keeps_the_cards(pile: bytes, key: bytes) -> None:
    assert sorted(deal.shuffled(pile, key)) == sorted(pile)
    assert sorted(deal.reshuffled(pile, key, 0)) == sorted(pile)


def test_every_order_comes_from_just_one_choice_of_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Durstenfeld's proof, counted for five cards: 5 * 4 * 3 * 2 choices give 120 orders."""
    orders = set()
    choices = [(a, b, c, d) for a in range(5) for b in range(4) for c in range(3) for d in range(2)]
    for choice in choices:
        monkeypatch.setattr(deal, "Stream", lambda _key, words=choice: Words(*words))
        orders.add(deal.shuffled(bytes(range(5)), b""))
    assert len(orders) == len(choices) == 120


@pytest.mark.parametrize(("deck", "size"), [("classic", 106), ("short", 101), ("express", 66)])
def test_deck_lies_in_deck_order_before_it_is_shuffled(deck: str, size: int) -> None:
    laid = deal.deck_cards(DECKS[deck])
    assert list(laid) == sorted(laid)
    assert tuple(Counter(laid)[card] for card in CARDS) == DECKS[deck]
    assert len(laid) == size
    assert sorted(Board(bytes(32)).deck_order(0, DECKS[deck])) == list(laid)


# -- dealing, stripes, reshuffles -------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_hands_are_dealt_one_card_at_a_time_from_the_left_of_the_dealer(players: int) -> None:
    order = bytes(range(100))
    for dealer in range(players):
        first = (dealer + 1) % players
        hands, pile = deal.deal_hands(order, players, first, 6)
        assert pile == order[6 * players :]
        rounds = [[hand[turn] for hand in hands] for turn in range(6)]
        for turn, dealt in enumerate(rounds):
            in_turn = [dealt[(first + step) % players] for step in range(players)]
            assert in_turn == list(range(turn * players, (turn + 1) * players))


def frame_for(players: int, **options: bool) -> Frame:
    rules = make_ruleset("classic", options)
    return make_frame(rules, make_seating(rules, players), dealer=0)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("striped", [False, True])
def test_hand_starts_with_what_was_dealt(players: int, striped: bool) -> None:
    order = Board(bytes(32)).deck_order(0, CLASSIC_DECK)
    state = start_hand(frame_for(players), order, striped=striped)
    hands, pile = deal.deal_hands(order, players, 1, 6)
    drawn = pile[1] if striped else pile[0]  # the first turn is seat 1's, and so is its stripe
    for seat, hand in enumerate(hands):
        wanted = Counter(hand) + Counter([drawn] if seat == 1 else [])
        assert Counter(dict(enumerate(state.hand(seat)))) == +wanted


@given(cards, st.sampled_from([2, 3, 4, 6]))
def test_stripes_are_the_pile_dealt_out(pile: bytes, players: int) -> None:
    stripes = deal.stripes_of(pile, players)
    slow: list[list[int]] = [[] for _ in range(players)]
    for at, card in enumerate(pile):
        slow[at % players].append(card)
    assert [list(stripe) for stripe in stripes] == slow
    assert list(deal.stripe_sizes(len(pile), players)) == [len(stripe) for stripe in slow]


@given(cards, st.sampled_from([2, 3, 4, 6]), st.data())
def test_seat_draws_from_its_stripe_or_else_from_the_longest(
    pile: bytes, players: int, data: st.DataObject
) -> None:
    """Any seats in any order, against lists of cards."""
    state = HandState(frame_for(players))
    set_pile(state, pile, striped=True)
    stripes = [list(stripe) for stripe in deal.stripes_of(pile, players)]
    seats = data.draw(st.lists(st.integers(0, players - 1), min_size=len(pile), max_size=len(pile)))
    for left, seat in zip(range(len(pile), 0, -1), seats, strict=True):
        around = [(seat + step) % players for step in range(players)]
        stripe = seat if stripes[seat] else max(around, key=lambda one: len(stripes[one]))
        before = state.copy()
        draw_from_pile(state, seat)
        drawn = Counter(dict(enumerate(state.hand(seat))))
        drawn.subtract(dict(enumerate(before.hand(seat))))
        assert +drawn == Counter([stripes[stripe].pop(0)])
        assert state.left == left - 1
        assert list(state.draw_pile()) == [card for one in stripes for card in one]
    assert not state.left
    assert state.ran_out


@pytest.mark.parametrize("striped", [False, True])
def test_reshuffle_takes_the_whole_discard_pile_with_a_key_of_its_own(striped: bool) -> None:
    state = HandState(frame_for(3, reshuffle=True))
    state.chance = Board(bytes(32)).reshuffle_key(5)
    pile = deal.deck_cards(EXPRESS_DECK)
    made = []
    for number in range(2):
        set_pile(state, b"", striped=striped)
        state.discard = pile
        reshuffle(state)
        made.append(state.pile)
        assert state.pile == deal.reshuffled(pile, state.chance, number)
        assert not state.discard
        wanted = deal.stripe_sizes(len(pile), 3) if striped else None
        assert state.stripes == wanted
    assert made[0] != made[1]
