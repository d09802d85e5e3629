"""DuckDB: functions for SQL.

>>> import duckdb, tracebank.duckdb
>>> connection = duckdb.connect()
>>> tracebank.duckdb.register(connection, model="fast")
>>> connection.sql("SELECT parse_tree('They left.')").fetchall()[0][0]
'( (S (NP-SBJ (PRP They)) (VP (VBD left)) (. .)))'

===========================  ==============================================================
``parse_tree(text)``         the tree of one sentence, in Penn brackets
``parse_trees(text)``        a list of the trees of a text, a tree for each sentence
``parse_json(text)``         a list of JSON objects, one for each sentence of a text
``parse_relations(text)``    a list of the relations of a text, a line for each predicate
===========================  ==============================================================

A missing text has a missing answer. Texts come in vectors of Arrow, which are parsed on the parser's threads.
"""

from __future__ import annotations

from typing import Any, Union

from ._parser import Parser

__all__ = ["register"]


def register(connection: Any, model: Union[str, Parser] = "default", **options: Any) -> None:
    """Adds the functions to a connection. ``options`` are those of :class:`tracebank.Parser`."""
    import duckdb
    import pyarrow

    parser = model.with_options(**options) if isinstance(model, Parser) else Parser(model, **options)
    one, several = duckdb.sqltype("VARCHAR"), duckdb.sqltype("VARCHAR[]")

    def answers(texts: Any, form: str, split: bool) -> Any:
        found = texts.to_pylist()
        given = parser._answers((text for text in found if text is not None), None, 256, split, form, None)
        kind = pyarrow.list_(pyarrow.string()) if split else pyarrow.string()
        made: list[Any] = [None if text is None else next(given) for text in found]
        if form == "relations":
            made = [None if item is None else [line for text in item for line in text.splitlines()] for item in made]
        return pyarrow.array(made, kind)

    for name, form, split in [
        ("parse_tree", "penn", False),
        ("parse_trees", "penn", True),
        ("parse_json", "json", True),
        ("parse_relations", "relations", True),
    ]:

        def function(texts: Any, form: str = form, split: bool = split) -> Any:
            return answers(texts, form, split)

        kind = several if split else one
        connection.create_function(name, _of_one(function), [one], kind, type="arrow", null_handling="special")


def _of_one(function: Any) -> Any:
    """DuckDB counts the parameters of a function; defaults would be among them."""
    return lambda texts: function(texts)
