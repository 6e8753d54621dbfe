"""What the services of a server stand on: the store, the tables that are played, the settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import arena
from arena.app.places import matches_at_once
from arena.engine.rulesets import make_ruleset
from arena.engine.seating import make_seating
from arena.ladder.pairing import Table
from arena.settings import Settings, TableSettings
from arena.storage.facts import Clock
from arena.storage.store import Store
from arena.tournament.answers import SettingLine
from arena.tournament.ladder.liveview import Live
from arena.tournament.ladder.planning import LadderTable
from arena.tournament.ladder.terms import Terms, terms_from
from arena.tournament.verbs import Ground, PlayedTable, Quotas

__all__ = ["ground_of", "ladder_tables", "played_tables", "setting_lines"]


def played_tables(settings: Settings) -> tuple[PlayedTable, ...]:
    """The kinds of table that are played, each with the terms of a match at it."""
    return tuple(_played(settings, table) for table in settings.tables)


def _played(settings: Settings, table: TableSettings) -> PlayedTable:
    matches = settings.matches
    options = dict(table.options)
    plain = make_ruleset(table.ruleset, {}, players=table.players)
    if matches.match_points and plain.is_scored:
        options.setdefault("match_points", matches.match_points)
    terms = Terms(
        preset=table.ruleset,
        options=options,
        boards=matches.boards,
        hands=matches.hands or None,
        limits=settings.limits,
    )
    rules = terms.rules(table.players)
    return PlayedTable(
        name=table.name,
        ruleset=table.ruleset,
        players=table.players,
        teams=make_seating(rules, table.players).teams,
        terms=terms.as_json(),
    )


def ladder_tables(settings: Settings) -> tuple[LadderTable, ...]:
    """The same, as those know them who decide what is played."""
    found = []
    for played, table in zip(played_tables(settings), settings.tables, strict=True):
        known = Table(
            name=played.name, ruleset=played.ruleset, teams=played.teams, weight=table.weight
        )
        found.append(LadderTable(known, terms_from(played.terms)))
    return tuple(found)


def ground_of(settings: Settings, store: Store, live: Live, clock: Clock) -> Ground:
    """What the services of a server stand on."""
    quota = settings.quota
    return Ground(
        owners=store.owners,
        tokens=store.tokens,
        uploads=store.uploads,
        entrants=store.entrants,
        matches=store.matches,
        competitions=store.competitions,
        ledger=store.ledger,
        standings=store.standings,
        audit=store.audit,
        records=store.records,
        logs=store.logs,
        switch=store.switch,
        live=live,
        clock=clock,
        tables=played_tables(settings),
        quotas=Quotas(
            entrants=quota.entrants,
            uploads=quota.uploads,
            waiting=quota.waiting,
            challenges=quota.challenges,
            activations=quota.activations,
        ),
        settings=tuple(setting_lines(settings)),
        server_version=arena.__version__,
        places=matches_at_once(settings),
    )


def setting_lines(settings: Settings) -> Iterator[SettingLine]:
    """Every setting in force, with where it comes from; never a password."""
    usual = Settings()
    for name in ("server", "sandbox", "matches", "rating", "probation", "quota"):
        section, default = getattr(settings, name), getattr(usual, name)
        for one in fields(section):
            value = getattr(section, one.name)
            yield _line(f"{name}.{one.name}", value, value == getattr(default, one.name))
    for name in ("time", "faults"):
        section, default = getattr(settings.limits, name), getattr(usual.limits, name)
        for one in fields(section):
            value = getattr(section, one.name)
            is_usual = value == getattr(default, one.name)
            shown = value / 1e9 if name == "time" else value
            yield _line(f"limits.{one.name}", shown, is_usual)
    for table in settings.tables:
        yield _line(
            f"table.{table.name}",
            f"{table.ruleset}, {table.players} players, weight {table.weight:g}",
            settings.tables == usual.tables,
        )


def _line(name: str, value: Any, is_usual: bool) -> SettingLine:
    if name == "server.database" and value:
        value = "(a PostgreSQL URL)"
    shown = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return SettingLine(name=name, value=shown, source="default" if is_usual else "settings")
