"""The tables that a server begins with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# SQLite counts only a column of this very type by itself.
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make them, those first that others refer to."""
    _owners()
    _tokens()
    _audit()
    _entrants()
    _versions()
    _uploads()
    _competitions()
    _competition_journal()
    _matches()
    _match_seats()
    _attempts()
    _results()
    _refused_reports()
    _ledger()
    _rating_events()
    _parameters()
    _last_write()


def _owners() -> None:
    op.create_table(
        "owners",
        sa.Column("number", KEY, nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("suspended", sa.Text(), server_default="", nullable=False),
        sa.Column("machine_time", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_owners")),
        sa.UniqueConstraint("name", name=op.f("uq_owners_name")),
        sqlite_autoincrement=True,
    )


def _tokens() -> None:
    op.create_table(
        "tokens",
        sa.Column("public", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("owner", KEY, nullable=True),
        sa.Column("secret_sha256", sa.LargeBinary(length=32), nullable=False),
        sa.Column("scopes", sa.String(length=64), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("last_used", sa.BigInteger(), nullable=True),
        sa.Column("revoked", sa.BigInteger(), nullable=True),
        sa.Column("note", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owners.number"], name=op.f("fk_tokens_owner_owners")),
        sa.PrimaryKeyConstraint("public", name=op.f("pk_tokens")),
    )
    op.create_index(op.f("ix_tokens_owner"), "tokens", ["owner"], unique=False)


def _audit() -> None:
    op.create_table(
        "audit",
        sa.Column("number", KEY, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("who", sa.String(length=80), nullable=False),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("target", sa.Text(), server_default="", nullable=False),
        sa.Column("detail", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_audit")),
        sqlite_autoincrement=True,
    )


def _entrants() -> None:
    op.create_table(
        "entrants",
        sa.Column("number", KEY, nullable=False),
        sa.Column("owner", KEY, nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("version", KEY, nullable=True),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("conservative", sa.Double(), nullable=False),
        sa.Column("matches", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_entry", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("paused", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["owner"], ["owners.number"], name=op.f("fk_entrants_owner_owners")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_entrants")),
        sa.UniqueConstraint("owner", "name", name=op.f("uq_entrants_owner")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_entrants_conservative_number", "entrants", ["conservative", "number"], unique=False
    )
    op.create_index("ix_entrants_version", "entrants", ["version"], unique=False)


def _versions() -> None:
    op.create_table(
        "versions",
        sa.Column("number", KEY, nullable=False),
        sa.Column("entrant", KEY, nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("archive", sa.String(length=64), nullable=False),
        sa.Column("artefact", sa.String(length=64), nullable=False),
        sa.Column("image", sa.String(length=128), nullable=False),
        sa.Column("label", sa.String(length=64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("rulesets", sa.JSON(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("why", sa.Text(), server_default="", nullable=False),
        sa.Column("matches", sa.Integer(), server_default="0", nullable=False),
        sa.Column("forfeits", sa.Integer(), server_default="0", nullable=False),
        sa.Column("voids", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failing", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["entrant"], ["entrants.number"], name=op.f("fk_versions_entrant_entrants")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_versions")),
        sa.UniqueConstraint("entrant", "digest", name="uq_versions_entrant_digest"),
        sa.UniqueConstraint("entrant", "ordinal", name=op.f("uq_versions_entrant")),
        sqlite_autoincrement=True,
    )


def _uploads() -> None:
    op.create_table(
        "uploads",
        sa.Column("number", KEY, nullable=False),
        sa.Column("owner", KEY, nullable=False),
        sa.Column("request", sa.String(length=64), nullable=False),
        sa.Column("archive", sa.String(length=64), nullable=False),
        sa.Column("length", sa.BigInteger(), nullable=False),
        sa.Column("bot", sa.String(length=64), server_default="", nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("step", sa.String(length=16), server_default="", nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("why", sa.JSON(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.Column("log", sa.JSON(), nullable=False),
        sa.Column("report", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("version", KEY, nullable=True),
        sa.ForeignKeyConstraint(["owner"], ["owners.number"], name=op.f("fk_uploads_owner_owners")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_uploads")),
        sa.UniqueConstraint("owner", "request", name=op.f("uq_uploads_owner")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_uploads_owner"), "uploads", ["owner"], unique=False)
    op.create_index("ix_uploads_state_number", "uploads", ["state", "number"], unique=False)


def _competitions() -> None:
    op.create_table(
        "competitions",
        sa.Column("number", KEY, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("secret", sa.LargeBinary(length=32), nullable=False),
        sa.Column("mixed", sa.Text(), server_default="", nullable=False),
        sa.Column("level", sa.String(length=16), nullable=False),
        sa.Column("paused", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("over", sa.Boolean(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_competitions")),
        sa.UniqueConstraint("name", name=op.f("uq_competitions_name")),
        sqlite_autoincrement=True,
    )


def _competition_journal() -> None:
    op.create_table(
        "competition_journal",
        sa.Column("competition", KEY, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("line", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["competition"],
            ["competitions.number"],
            name=op.f("fk_competition_journal_competition_competitions"),
        ),
        sa.PrimaryKeyConstraint("competition", "number", name=op.f("pk_competition_journal")),
    )


def _matches() -> None:
    op.create_table(
        "matches",
        sa.Column("number", KEY, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("table", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("teams", sa.JSON(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("requested_by", KEY, nullable=True),
        sa.Column("cause", sa.Text(), server_default="", nullable=False),
        sa.Column("why", sa.Text(), server_default="", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failed", sa.Integer(), server_default="0", nullable=False),
        sa.Column("competition", KEY, nullable=True),
        sa.Column("pairing", sa.String(length=64), server_default="", nullable=False),
        sa.Column("hidden", sa.Boolean(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["competition"],
            ["competitions.number"],
            name=op.f("fk_matches_competition_competitions"),
        ),
        sa.ForeignKeyConstraint(
            ["requested_by"], ["owners.number"], name=op.f("fk_matches_requested_by_owners")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_matches")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_matches_kind_number", "matches", ["kind", "number"], unique=False)
    op.create_index(
        "ix_matches_kind_state_number", "matches", ["kind", "state", "number"], unique=False
    )
    op.create_index("ix_matches_state_number", "matches", ["state", "number"], unique=False)
    op.create_index(
        "ix_matches_competition_pairing",
        "matches",
        ["competition", "pairing"],
        unique=True,
        sqlite_where=sa.text("competition IS NOT NULL"),
        postgresql_where=sa.text("competition IS NOT NULL"),
    )


def _match_seats() -> None:
    op.create_table(
        "match_seats",
        sa.Column("match", KEY, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("entrant", KEY, nullable=False),
        sa.Column("version", KEY, nullable=False),
        sa.ForeignKeyConstraint(
            ["entrant"], ["entrants.number"], name=op.f("fk_match_seats_entrant_entrants")
        ),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.number"], name=op.f("fk_match_seats_match_matches")
        ),
        sa.ForeignKeyConstraint(
            ["version"], ["versions.number"], name=op.f("fk_match_seats_version_versions")
        ),
        sa.PrimaryKeyConstraint("match", "seat", name=op.f("pk_match_seats")),
    )
    op.create_index(
        "ix_match_seats_entrant_match", "match_seats", ["entrant", "match"], unique=False
    )
    op.create_index("ix_match_seats_version", "match_seats", ["version"], unique=False)


def _attempts() -> None:
    op.create_table(
        "attempts",
        sa.Column("match", KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("worker", sa.String(length=80), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("seed", sa.LargeBinary(length=32), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("leased", sa.BigInteger(), nullable=False),
        sa.Column("lease_ends", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("why", sa.Text(), server_default="", nullable=False),
        sa.Column("record", sa.String(length=64), server_default="", nullable=False),
        sa.Column("report", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("report_sha256", sa.String(length=64), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.number"], name=op.f("fk_attempts_match_matches")
        ),
        sa.PrimaryKeyConstraint("match", "number", name=op.f("pk_attempts")),
    )
    op.create_index(
        "ix_attempts_state_lease_ends", "attempts", ["state", "lease_ends"], unique=False
    )


def _results() -> None:
    op.create_table(
        "results",
        sa.Column("match", KEY, nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("ranks", sa.JSON(), nullable=False),
        sa.Column("seats", sa.JSON(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("record", sa.String(length=64), nullable=False),
        sa.Column("head", sa.String(length=64), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=False),
        sa.Column("payload_sha256", sa.String(length=64), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=True),
        sa.Column("annulled", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["match", "attempt"],
            ["attempts.match", "attempts.number"],
            name=op.f("fk_results_match_attempts"),
        ),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.number"], name=op.f("fk_results_match_matches")
        ),
        sa.PrimaryKeyConstraint("match", name=op.f("pk_results")),
        sa.UniqueConstraint("entry", name=op.f("uq_results_entry")),
    )


def _refused_reports() -> None:
    op.create_table(
        "refused_reports",
        sa.Column("number", KEY, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("match", sa.BigInteger(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("receipt", sa.String(length=16), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("is_seen", sa.Boolean(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_refused_reports")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_refused_reports_match"), "refused_reports", ["match"], unique=False)


def _ledger() -> None:
    op.create_table(
        "ledger",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("match", KEY, nullable=True),
        sa.Column("entrant", KEY, nullable=True),
        sa.Column("version", KEY, nullable=True),
        sa.Column("chain", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["entrant"], ["entrants.number"], name=op.f("fk_ledger_entrant_entrants")
        ),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.number"], name=op.f("fk_ledger_match_matches")
        ),
        sa.ForeignKeyConstraint(
            ["version"], ["versions.number"], name=op.f("fk_ledger_version_versions")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_ledger")),
    )
    op.create_index(op.f("ix_ledger_match"), "ledger", ["match"], unique=False)


def _rating_events() -> None:
    op.create_table(
        "rating_events",
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("entrant", KEY, nullable=False),
        sa.Column("version", KEY, nullable=False),
        sa.Column("before_mu", sa.Double(), nullable=False),
        sa.Column("before_sigma", sa.Double(), nullable=False),
        sa.Column("after_mu", sa.Double(), nullable=False),
        sa.Column("after_sigma", sa.Double(), nullable=False),
        sa.Column("expected", sa.Double(), nullable=True),
        sa.Column("actual", sa.Double(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["entrant"], ["entrants.number"], name=op.f("fk_rating_events_entrant_entrants")
        ),
        sa.ForeignKeyConstraint(
            ["entry"], ["ledger.number"], name=op.f("fk_rating_events_entry_ledger")
        ),
        sa.ForeignKeyConstraint(
            ["version"], ["versions.number"], name=op.f("fk_rating_events_version_versions")
        ),
        sa.PrimaryKeyConstraint("entry", "entrant", name=op.f("pk_rating_events")),
    )
    op.create_index(
        "ix_rating_events_entrant_entry", "rating_events", ["entrant", "entry"], unique=False
    )


def _parameters() -> None:
    op.create_table(
        "parameters",
        sa.Column("only", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rating", sa.JSON(), nullable=False),
        sa.Column("identity", sa.String(length=32), nullable=False),
        sa.Column("paused", sa.Text(), server_default="", nullable=False),
        sa.Column("secret_key", sa.LargeBinary(length=32), nullable=False),
        sa.PrimaryKeyConstraint("only", name=op.f("pk_parameters")),
    )


def _last_write() -> None:
    op.create_table(
        "last_write",
        sa.Column("only", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("mark", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("only", name=op.f("pk_last_write")),
    )
    one_row = sa.table("last_write", sa.column("only"), sa.column("mark"))
    op.bulk_insert(one_row, [{"only": 1, "mark": ""}])
