"""Owners, tokens, the audit log and settings as messages, and back."""

from __future__ import annotations

from typing import Final

from arena.storage.facts import AuditEntry, Difference, Owner, Rebuilt, Token, TokenKind
from arena.tournament.answers import SettingLine
from arena.transport.convert_values import (
    Names,
    duration_message,
    millis,
    moment,
    moment_or_none,
    timestamp,
)
from arena.transport.texts import one_line
from millearena.v1 import operator_service_pb2, owners_pb2

__all__ = [
    "TOKEN_KINDS",
    "entry",
    "entry_message",
    "owner",
    "owner_message",
    "rebuild",
    "rebuild_message",
    "setting",
    "setting_message",
    "token",
    "token_message",
]

TOKEN_KINDS: Final = Names(owners_pb2.TokenKind, "TOKEN_KIND", TokenKind)


def owner_message(value: Owner) -> owners_pb2.Owner:
    """An owner as a message."""
    return owners_pb2.Owner(
        name=one_line(value.name),
        create_time=timestamp(value.created),
        suspension_reason=one_line(value.suspended),
        machine_time=duration_message(value.machine_time),
    )


def owner(message: owners_pb2.Owner) -> Owner:
    """The owner of a message; its number is the server's own business, and 0 here."""
    return Owner(
        number=0,
        name=message.name,
        created=moment(message.create_time),
        suspended=message.suspension_reason,
        machine_time=millis(message.machine_time),
    )


def token_message(value: Token) -> owners_pb2.Token:
    """What is kept of a token, as a message."""
    return owners_pb2.Token(
        token_id=value.public,
        kind=TOKEN_KINDS.to(value.kind),
        owner=one_line(value.owner or ""),
        scopes=sorted(value.scopes),
        create_time=timestamp(value.created),
        expire_time=timestamp(value.expires),
        last_use_time=timestamp(value.last_used),
        revoke_time=timestamp(value.revoked),
        note=one_line(value.note),
    )


def token(message: owners_pb2.Token) -> Token:
    """The token of a message."""
    return Token(
        public=message.token_id,
        kind=TOKEN_KINDS.back(message.kind),
        owner=message.owner or None,
        scopes=frozenset(message.scopes),
        created=moment(message.create_time),
        expires=moment(message.expire_time),
        last_used=moment_or_none(message, "last_use_time"),
        revoked=moment_or_none(message, "revoke_time"),
        note=message.note,
    )


def entry_message(value: AuditEntry) -> owners_pb2.AuditEntry:
    """A line of the audit log as a message."""
    return owners_pb2.AuditEntry(
        number=value.number,
        time=timestamp(value.at),
        who=one_line(value.who),
        action=one_line(value.action),
        target=one_line(value.target),
        detail=one_line(value.detail),
    )


def entry(message: owners_pb2.AuditEntry) -> AuditEntry:
    """The line of a message."""
    return AuditEntry(
        number=message.number,
        at=moment(message.time),
        who=message.who,
        action=message.action,
        target=message.target,
        detail=message.detail,
    )


def rebuild_message(value: Rebuilt) -> operator_service_pb2.Rebuild:
    """What working out the ratings anew has shown, as a message."""
    return operator_service_pb2.Rebuild(
        entry_count=value.entries,
        event_count=value.events,
        difference_count=value.different,
        examples=[
            operator_service_pb2.Difference(
                what=one_line(one.what), stored=one_line(one.stored), right=one_line(one.right)
            )
            for one in value.examples
        ],
    )


def rebuild(message: operator_service_pb2.Rebuild) -> Rebuilt:
    """The same, from a message."""
    return Rebuilt(
        entries=message.entry_count,
        events=message.event_count,
        different=message.difference_count,
        examples=tuple(
            Difference(what=one.what, stored=one.stored, right=one.right)
            for one in message.examples
        ),
    )


def setting_message(value: SettingLine) -> operator_service_pb2.Setting:
    """A setting as a message."""
    return operator_service_pb2.Setting(
        name=one_line(value.name), value=one_line(value.value), source=one_line(value.source)
    )


def setting(message: operator_service_pb2.Setting) -> SettingLine:
    """The setting of a message."""
    return SettingLine(name=message.name, value=message.value, source=message.source)
