"""Exceptions and warnings. The extension module raises them by these names."""

from __future__ import annotations

from typing import Optional


class TracebankError(Exception):
    """The base of all errors of this package."""


class ModelError(TracebankError):
    """A model that cannot be used."""


class ModelNotFoundError(ModelError, FileNotFoundError):
    """A model that is not there: no file of that name, and none of the models in the box."""

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.name = name

    def __str__(self) -> str:
        return self.message


class DamagedModelError(ModelError, ValueError):
    """A file that is there and is no model, or not the one that was written."""


class DialectError(TracebankError, ValueError):
    """A dialect that the model does not know."""


class TreeError(TracebankError, ValueError):
    """Brackets that are no tree. ``line`` and ``column`` count from 1; ``file`` is None for a text."""

    def __init__(self, message: str, file: Optional[str] = None, line: int = 0, column: int = 0) -> None:
        super().__init__(message, file, line, column)
        self.message = message
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return self.message


class PatternError(TracebankError, ValueError):
    """A text that is no search pattern. ``start`` and ``end`` are the characters of it that are meant."""

    def __init__(self, message: str, pattern: str = "", start: int = 0, end: int = 0) -> None:
        super().__init__(message, pattern, start, end)
        self.message = message
        self.pattern = pattern
        self.start = start
        self.end = end

    def __str__(self) -> str:
        return self.message


class ApproximateWarning(UserWarning):
    """A parse for which a budget of the decoder was not enough: another tree might score better."""
