"""Every exception that Mille Arena raises on purpose.

    ArenaError
    ├── InputError            what somebody gave us is wrong: exit code 2
    │   ├── RuleSetError      a preset, an option, a number of players, a seating
    │   ├── NotationError     the text of a card or an action
    │   ├── FieldError        a field of a document that breaks its format
    │   │   └── PositionError a position that cannot occur
    │   ├── CaseFileError     a conformance file that breaks its format
    │   ├── SeedError         a seed that is not 32 bytes
    │   ├── BotError          a bot that cannot be found or started
    │   ├── SubmissionError   an upload that breaks a rule for what is uploaded
    │   └── RecordError       a record that does not hold, was broken off, or is of another engine
    ├── IllegalAction         an action that the rules refuse now; the state is unchanged
    ├── BotFault              a bot broke the protocol; its seat bears it and the match goes on
    └── HostFault             this machine failed, never a bot's fault

The two abstract levels `ArenaError` and `InputError` name a kind of fault; callers raise the
classes below them. `RecordError` and its kin live with the reader, in `arena.referee`.
"""

from __future__ import annotations

ENDLESS = 10**60
"""From here on a number is not written out in a message: Python itself refuses at 4300 digits."""


def quoted(value: object, longest: int = 60) -> str:
    """Something from outside as part of a message: as Python writes it, one line, cut short."""
    if isinstance(value, str) and len(value) > longest:
        value = value[: longest - 3] + "..."
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number without end, or lists in lists in lists
        return f"something of the kind {type(value).__name__}"
    return text if len(text) <= 4 * longest else text[: 4 * longest - 3] + "..."


class ArenaError(Exception):
    """Base of everything that we raise on purpose."""


class InputError(ArenaError):
    """Bad input: the message is one line that names the thing, the value and what is right."""


class RuleSetError(InputError):
    """A preset, option, number of players or seating that the rules do not have."""


class NotationError(InputError):
    """A text that is not a card or an action."""


class FieldError(InputError):
    """A field of a document that breaks its format; `field` says where.

    `field` is a path such as ``tables[1].battle``; the message begins with it.
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}" if field else problem)
        self.field = field
        self.problem = problem


class PositionError(FieldError):
    """A position that cannot occur under its rule set; `field` says where."""


class CaseFileError(InputError):
    """A conformance file that breaks its format: names file, case and field."""


class SeedError(InputError):
    """A seed that is not 32 bytes, or not their hexadecimal form."""


class BotError(InputError):
    """A bot that cannot be found, or whose program cannot be started."""


class SubmissionError(InputError):
    """An upload that is refused: `rule` is the one that it breaks, `entry` what breaks it.

    `entry` is the name of an entry of the archive as it stands there, empty if it is about the
    whole of it; the message begins with the one and ends with the other.
    """

    def __init__(self, rule: str, problem: str, entry: str = "") -> None:
        where = f"entry {quoted(entry, 200)}: " if entry else ""
        super().__init__(f"{where}{problem} (rule: {rule})")
        self.rule = rule
        self.problem = problem
        self.entry = entry


class IllegalAction(ArenaError):  # noqa: N818 - the field's word; an error's name would say less
    """An action that the rules refuse in this state; the state is unchanged."""


class BotFault(ArenaError):  # noqa: N818 - one of the two sides of a failure, see the tree
    """A bot broke the protocol; its seat bears the consequence and the match goes on."""


class HostFault(ArenaError):  # noqa: N818 - the other side
    """This machine failed; never counted against a bot."""
