"""What all engines share: a parser for each process of a worker, and Arrow tables in and out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

from . import frames
from ._parser import Parser

_parsers: dict[tuple[object, ...], Parser] = {}


def parser_of(model: str, options: dict[str, Any]) -> Parser:
    """The parser of this process, which is kept from task to task."""
    key = (model, tuple(sorted(options.items())))
    if key not in _parsers:
        _parsers[key] = Parser(model, **options)
    return _parsers[key]


def keys_of(columns: Sequence[str], column: str, key: Union[str, Sequence[str], None]) -> list[str]:
    """The key columns: those that are named, or all but the text. There must be one, or rows could not be told apart."""
    if column not in columns:
        raise KeyError(f"there is no column {column!r}; there are {', '.join(columns)}")
    keys = frames._keys(key) or [name for name in columns if name != column]
    for name in keys:
        if name not in columns:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(columns)}")
    if not keys:
        raise ValueError(f"a key is needed: the table has no column but {column!r}")
    for output, names in frames.SCHEMA.items():
        taken = [name for name in keys if name in names]
        if taken:
            raise ValueError(f"the key {taken[0]!r} is a column of the table {output!r}; rename it")
    return keys


def check(model: str, options: dict[str, Any], output: str) -> None:
    """Fails here, and not on every worker, if the model or the options are wrong."""
    if output != "tables" and output not in frames.OUTPUTS:
        raise ValueError(f"there is no output {output!r}; there are tables, {', '.join(frames.OUTPUTS)}")
    Parser(model, **options)
