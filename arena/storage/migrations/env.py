"""How Alembic runs the migrations: in the transaction that it is handed, and no other."""

from __future__ import annotations

from typing import Any

from alembic import context

from arena.storage.failpoints import IN_MIGRATION, reached
from arena.storage.schema import METADATA


def _after_each(*_: Any, **_facts: Any) -> None:
    reached(IN_MIGRATION)


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=context.config.attributes["version_table"],
    render_as_batch=True,
    on_version_apply=_after_each,
)
context.run_migrations()
