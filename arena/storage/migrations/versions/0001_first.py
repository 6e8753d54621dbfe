"""The tables that a server begins with."""

from __future__ import annotations

from alembic import op

from arena.storage.schema import METADATA

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make them."""
    METADATA.create_all(op.get_bind(), checkfirst=False)
    op.bulk_insert(METADATA.tables["last_write"], [{"only": 1, "mark": ""}])
