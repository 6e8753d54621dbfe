"""The tables, for SQLite and PostgreSQL alike; the migrations make them.

Times are milliseconds, digests hexadecimal, lists and documents JSON. What is a secret of its own
is marked so here: it is in no message and in no log.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

__all__ = [
    "ATTEMPTS",
    "AUDIT",
    "COMPETITIONS",
    "COMPETITION_JOURNAL",
    "ENTRANTS",
    "LAST_WRITE",
    "LEDGER",
    "MATCHES",
    "MATCH_SEATS",
    "METADATA",
    "OWNERS",
    "PARAMETERS",
    "RATING_EVENTS",
    "REFUSED_REPORTS",
    "RESULTS",
    "TOKENS",
    "UPLOADS",
    "VERSIONS",
]

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite counts only a column of this very type by itself.
_KEY: Final = BigInteger().with_variant(Integer(), "sqlite")

OWNERS: Final = Table(
    "owners",
    METADATA,
    Column("number", _KEY, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("created", BigInteger, nullable=False),
    Column("suspended", Text, nullable=False, server_default=""),
    Column("machine_time", BigInteger, nullable=False, server_default="0"),
    sqlite_autoincrement=True,
)

TOKENS: Final = Table(
    "tokens",
    METADATA,
    Column("public", String(32), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("owner", _KEY, ForeignKey("owners.number"), index=True),
    Column("secret_sha256", LargeBinary(32), nullable=False),  # never the secret
    Column("scopes", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("last_used", BigInteger),
    Column("revoked", BigInteger),
    Column("note", Text, nullable=False, server_default=""),
)

AUDIT: Final = Table(
    "audit",
    METADATA,
    Column("number", _KEY, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("who", String(80), nullable=False),
    Column("action", String(64), nullable=False),
    Column("target", Text, nullable=False, server_default=""),
    Column("detail", Text, nullable=False, server_default=""),
    sqlite_autoincrement=True,
)

UPLOADS: Final = Table(
    "uploads",
    METADATA,
    Column("number", _KEY, primary_key=True),
    Column("owner", _KEY, ForeignKey("owners.number"), nullable=False, index=True),
    Column("request", String(64), nullable=False),
    Column("archive", String(64), nullable=False),
    Column("length", BigInteger, nullable=False),
    Column("bot", String(64), nullable=False, server_default=""),
    Column("state", String(16), nullable=False),
    Column("step", String(16), nullable=False, server_default=""),
    Column("created", BigInteger, nullable=False),
    Column("started", BigInteger),
    Column("ended", BigInteger),
    Column("why", JSON, nullable=False),
    Column("told", JSON, nullable=False),
    Column("log", JSON, nullable=False),
    Column("report", JSON(none_as_null=True)),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("version", _KEY),
    UniqueConstraint("owner", "request"),
    Index("ix_uploads_state_number", "state", "number"),
    sqlite_autoincrement=True,
)

ENTRANTS: Final = Table(
    "entrants",
    METADATA,
    Column("number", _KEY, primary_key=True),
    Column("owner", _KEY, ForeignKey("owners.number"), nullable=False),
    Column("name", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("version", _KEY),  # the one that plays
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("conservative", Double, nullable=False),  # mu - 3 sigma, to be ordered by
    Column("matches", Integer, nullable=False, server_default="0"),
    Column("last_entry", BigInteger, nullable=False, server_default="0"),
    Column("paused", Text, nullable=False, server_default=""),
    UniqueConstraint("owner", "name"),
    Index("ix_entrants_conservative_number", "conservative", "number"),
    Index("ix_entrants_version", "version"),
    sqlite_autoincrement=True,
)

VERSIONS: Final = Table(
    "versions",
    METADATA,
    Column("number", _KEY, primary_key=True),
    Column("entrant", _KEY, ForeignKey("entrants.number"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("archive", String(64), nullable=False),
    Column("artefact", String(64), nullable=False),
    Column("image", String(128), nullable=False),
    Column("label", String(64), nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("players", JSON, nullable=False),
    Column("rulesets", JSON, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("state", String(16), nullable=False),
    Column("why", Text, nullable=False, server_default=""),
    Column("matches", Integer, nullable=False, server_default="0"),
    Column("forfeits", Integer, nullable=False, server_default="0"),
    Column("voids", Integer, nullable=False, server_default="0"),
    Column("failing", Integer, nullable=False, server_default="0"),
    UniqueConstraint("entrant", "ordinal"),
    UniqueConstraint("entrant", "digest", name="uq_versions_entrant_digest"),
    sqlite_autoincrement=True,
)

COMPETITIONS: Final = Table(
    "competitions",
    METADATA,
    Column("number", _KEY, primary_key=True),
    Column("name", String(40), nullable=False, unique=True),
    Column("created", BigInteger, nullable=False),
    Column("secret", LargeBinary(32), nullable=False),  # secret until it is over
    Column("mixed", Text, nullable=False, server_default=""),
    Column("level", String(16), nullable=False),
    Column("paused", Boolean, nullable=False, server_default="0"),
    Column("over", Boolean, nullable=False, server_default="0"),
    sqlite_autoincrement=True,
)

COMPETITION_JOURNAL: Final = Table(
    "competition_journal",
    METADATA,
    Column("competition", _KEY, ForeignKey("competitions.number"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # without gaps: ours
    Column("line", LargeBinary, nullable=False),
)

MATCHES: Final = Table(
    "matches",
    METADATA,
    Column("number", _KEY, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("table", String(64), nullable=False),
    Column("state", String(16), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("teams", JSON, nullable=False),
    Column("terms", JSON, nullable=False),
    Column("requested_by", _KEY, ForeignKey("owners.number")),
    Column("cause", Text, nullable=False, server_default=""),
    Column("why", Text, nullable=False, server_default=""),
    Column("attempts", Integer, nullable=False, server_default="0"),  # how many there were
    # Of those, how many have come to nothing since it was made or run again by a person.
    Column("failed", Integer, nullable=False, server_default="0"),
    Column("competition", _KEY, ForeignKey("competitions.number")),
    Column("pairing", String(64), nullable=False, server_default=""),
    Column("hidden", Boolean, nullable=False, server_default="0"),
    Index("ix_matches_state_number", "state", "number"),
    Index("ix_matches_kind_number", "kind", "number"),
    # Of a million that are done the few challenges are found without looking at all.
    Index("ix_matches_kind_state_number", "kind", "state", "number"),
    Index(
        "ix_matches_competition_pairing",
        "competition",
        "pairing",
        unique=True,
        sqlite_where=text("competition IS NOT NULL"),
        postgresql_where=text("competition IS NOT NULL"),
    ),
    sqlite_autoincrement=True,
)

MATCH_SEATS: Final = Table(
    "match_seats",
    METADATA,
    Column("match", _KEY, ForeignKey("matches.number"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("entrant", _KEY, ForeignKey("entrants.number"), nullable=False),
    Column("version", _KEY, ForeignKey("versions.number"), nullable=False),
    Index("ix_match_seats_entrant_match", "entrant", "match"),
    Index("ix_match_seats_version", "version"),
)

ATTEMPTS: Final = Table(
    "attempts",
    METADATA,
    Column("match", _KEY, ForeignKey("matches.number"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("state", String(16), nullable=False),
    Column("worker", String(80), nullable=False),
    Column("token", String(64), nullable=False),  # secret
    Column("seed", LargeBinary(32), nullable=False),  # secret until the match is over
    Column("commitment", String(64), nullable=False),
    Column("leased", BigInteger, nullable=False),
    Column("lease_ends", BigInteger, nullable=False),
    Column("ended", BigInteger),
    Column("why", Text, nullable=False, server_default=""),
    Column("record", String(64), nullable=False, server_default=""),
    Column("report", JSON(none_as_null=True)),  # what its seats did, of void attempts too
    Column("report_sha256", String(64), nullable=False, server_default=""),
    Index("ix_attempts_state_lease_ends", "state", "lease_ends"),
)

RESULTS: Final = Table(
    "results",
    METADATA,
    Column("match", _KEY, ForeignKey("matches.number"), primary_key=True),
    Column("attempt", Integer, nullable=False),
    Column("verdict", String(16), nullable=False),
    Column("why", Text, nullable=False),
    Column("ranks", JSON, nullable=False),
    Column("seats", JSON, nullable=False),
    Column("games", Integer, nullable=False),
    Column("record", String(64), nullable=False),
    Column("head", String(64), nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("payload_sha256", String(64), nullable=False),
    Column("entry", BigInteger, unique=True),
    Column("annulled", Text, nullable=False, server_default=""),
    ForeignKeyConstraint(["match", "attempt"], ["attempts.match", "attempts.number"]),
)

LEDGER: Final = Table(
    "ledger",
    METADATA,
    Column("number", BigInteger, primary_key=True, autoincrement=False),  # without gaps: ours
    Column("kind", String(16), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("match", _KEY, ForeignKey("matches.number"), index=True),
    Column("entrant", _KEY, ForeignKey("entrants.number")),
    Column("version", _KEY, ForeignKey("versions.number")),
    Column("chain", String(64), nullable=False),
)

RATING_EVENTS: Final = Table(
    "rating_events",
    METADATA,
    Column("entry", BigInteger, ForeignKey("ledger.number"), primary_key=True),
    Column("entrant", _KEY, ForeignKey("entrants.number"), primary_key=True),
    Column("version", _KEY, ForeignKey("versions.number"), nullable=False),
    Column("before_mu", Double, nullable=False),
    Column("before_sigma", Double, nullable=False),
    Column("after_mu", Double, nullable=False),
    Column("after_sigma", Double, nullable=False),
    Column("expected", Double),
    Column("actual", Double),
    Column("rank", Integer),
    Index("ix_rating_events_entrant_entry", "entrant", "entry"),
)

PARAMETERS: Final = Table(
    "parameters",  # one row: what the ratings that are stored were worked out with
    METADATA,
    Column("only", Integer, primary_key=True, autoincrement=False),
    Column("rating", JSON, nullable=False),
    Column("identity", String(32), nullable=False),  # the data folder says the same
    Column("paused", Text, nullable=False, server_default=""),  # why no match begins
    Column("secret_key", LargeBinary(32), nullable=False),  # secret: signs the tokens of pages
)

REFUSED_REPORTS: Final = Table(
    "refused_reports",
    METADATA,
    Column("number", _KEY, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("match", BigInteger, nullable=False, index=True),
    Column("attempt", Integer, nullable=False),
    Column("receipt", String(16), nullable=False),
    Column("payload", JSON, nullable=False),  # without its token
    Column("is_seen", Boolean, nullable=False, server_default="0"),
    sqlite_autoincrement=True,
)

LAST_WRITE: Final = Table(
    "last_write",  # one row, renewed by each transaction: has the one whose answer was lost got in?
    METADATA,
    Column("only", Integer, primary_key=True, autoincrement=False),
    Column("mark", String(32), nullable=False),
)
