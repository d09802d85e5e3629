"""Data frames: a column of texts becomes long tables.

>>> import pandas, tracebank
>>> frame = pandas.DataFrame({"name": ["a", "b"], "text": ["Who left? Nobody did.", None]})
>>> tables = tracebank.Parser().parse_frame(frame, column="text", key="name")
>>> tables.sentences[["name", "sentence", "outcome"]].values.tolist()
[['a', 0, 'exact'], ['a', 1, 'exact'], ['b', <NA>, 'missing']]
>>> tables.nulls[["name", "type", "filler_text", "role"]].iloc[0].tolist()
['a', '*T*', 'Who', 'subject']

Every table begins with the key of the text: the columns named by ``key``, or ``row``, the number of the row from 0. ``sentence`` counts
the sentences of a text from 0. All offsets (``start``, ``end``) are characters of the text; ``tokens`` count in the sentence; places
(``phrase``, ``parent``, ``host``, …) are those of the JSON. Of a null, ``overt_text`` is the end of its chain of indices, as *that*, and
``filler_text`` the words that it stands for behind pronouns, too, as *the letter*. A missing text has one row in ``sentences``, whose outcome is ``missing``,
and a text without words one whose outcome is ``empty``; no text is dropped. :data:`SCHEMA` has the columns with their types.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

if TYPE_CHECKING:
    from ._parser import Parser

__all__ = ["OUTPUTS", "SCHEMA", "Tables", "arrow_schema", "parse_arrow", "parse_frame", "tables_of_json"]

#: The columns of each table behind the key, with their Arrow types; every one may be null.
SCHEMA: dict[str, dict[str, str]] = {
    "json": {"sentence": "int64", "outcome": "string", "json": "string"},
    "sentences": {
        "sentence": "int64",
        "start": "int64",
        "end": "int64",
        "text": "string",
        "outcome": "string",
        "score": "double",
        "tokens": "int64",
        "tree": "string",
    },
    "phrases": {
        "sentence": "int64",
        "phrase": "int64",
        "parent": "int64",
        "label": "string",
        "first_token": "int64",
        "end_token": "int64",
        "start": "int64",
        "end": "int64",
        "text": "string",
    },
    "nulls": {
        "sentence": "int64",
        "null": "int64",
        "type": "string",
        "index": "int64",
        "before": "int64",
        "phrase": "int64",
        "host": "int64",
        "antecedent": "int64",
        "overt": "int64",
        "overt_text": "string",
        "filler_text": "string",
        "role": "string",
        "predicate": "int64",
        "predicate_text": "string",
        "description": "string",
    },
    "relations": {
        "sentence": "int64",
        "relation": "int64",
        "predicate": "int64",
        "predicate_text": "string",
        "lemma": "string",
        "voice": "string",
        "negated": "bool",
        "argument": "int64",
        "role": "string",
        "surface": "string",
        "preposition": "string",
        "filler": "string",
        "text": "string",
        "start": "int64",
        "end": "int64",
    },
}

#: The tables that can be asked for.
OUTPUTS = tuple(SCHEMA)


class Tables(NamedTuple):
    """Long tables of the same kind as the frame they were made of."""

    sentences: Any
    phrases: Any
    nulls: Any
    relations: Any


def parse_frame(
    parser: Parser, frame: Any, column: str = "text", *, key: Union[str, Sequence[str], None] = None
) -> Tables:
    """Parses a column of a pandas, Polars or Arrow table; the answer is of the same kind."""
    table, back = _as_arrow(frame)
    keys = _keys(key)
    if not keys and column in table.schema.names:
        import pyarrow

        numbers = pyarrow.array(range(table.num_rows), pyarrow.int64())
        table = pyarrow.table({"row": numbers, column: table.column(column)})
        keys = ["row"]
    found = parse_arrow(parser, table, column, keys, "json")
    return Tables(*(back(tables_of_json(found, keys, output)) for output in Tables._fields))


def _keys(key: Union[str, Sequence[str], None]) -> list[str]:
    return [] if key is None else [key] if isinstance(key, str) else list(key)


def _as_arrow(frame: Any) -> tuple[Any, Any]:
    """The frame as an Arrow table, and the way back."""
    import pyarrow

    kind = type(frame).__module__.split(".")[0]
    if isinstance(frame, pyarrow.RecordBatch):
        return pyarrow.Table.from_batches([frame]), lambda table: table
    if isinstance(frame, pyarrow.Table):
        return frame, lambda table: table
    if kind == "polars":
        import polars

        frame = frame.collect() if isinstance(frame, polars.LazyFrame) else frame
        return frame.to_arrow(), polars.from_arrow
    if kind == "pandas":
        return pyarrow.Table.from_pandas(frame, preserve_index=False), to_pandas
    raise TypeError(f"a frame of pandas, Polars or Arrow is needed, not {type(frame).__name__}")


def to_pandas(table: Any) -> Any:
    """An Arrow table as a pandas frame with nullable types: a missing number stays missing, and an integer an integer."""
    import pandas
    import pyarrow

    types = {
        pyarrow.int64(): pandas.Int64Dtype(),
        pyarrow.float64(): pandas.Float64Dtype(),
        pyarrow.bool_(): pandas.BooleanDtype(),
        pyarrow.string(): pandas.StringDtype(),
    }
    return table.to_pandas(types_mapper=types.get)


def arrow_schema(key_fields: Iterable[Any], output: str) -> Any:
    """The Arrow schema of a table."""
    import pyarrow

    if output not in SCHEMA:
        raise ValueError(f"there is no output {output!r}; there are {', '.join(OUTPUTS)}")
    types = {"int64": pyarrow.int64(), "string": pyarrow.string(), "double": pyarrow.float64(), "bool": pyarrow.bool_()}
    return pyarrow.schema([*key_fields, *((name, types[kind]) for name, kind in SCHEMA[output].items())])


def parse_arrow(parser: Parser, table: Any, column: str, keys: Sequence[str], output: str = "json") -> Any:
    """Parses a column of an Arrow table; this is what all engines call. The answer has the key columns and those of ``SCHEMA[output]``."""
    import pyarrow

    for name in (column, *keys):
        if name not in table.schema.names:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(table.schema.names)}")
    kind = table.schema.field(column).type
    if not (pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind) or pyarrow.types.is_null(kind)
            or str(kind) == "string_view" or pyarrow.types.is_dictionary(kind)):
        raise TypeError(f"column {column!r} holds {kind}, not text")
    schema = arrow_schema([table.schema.field(name) for name in keys], output)
    texts = table.column(column).to_pylist()
    answers = parser.write_many((text for text in texts if text is not None), "json", split=True)
    places: list[int] = []
    rows: list[dict[str, Any]] = []
    for place, text in enumerate(texts):
        found = _missing() if text is None else (_json_rows(next(answers)) or _empty())
        for row in found:
            made = [row] if output == "json" else list(_ROWS[output](row))
            rows.extend(made)
            places.extend([place] * len(made))
    return _assembled(table.select(list(keys)), places, rows, schema)


def tables_of_json(table: Any, keys: Sequence[str], output: str) -> Any:
    """The rows of another table, made of one with the output ``json``."""
    schema = arrow_schema([table.schema.field(name) for name in keys], output)
    columns = zip(*(table.column(name).to_pylist() for name in SCHEMA["json"]))
    places: list[int] = []
    rows: list[dict[str, Any]] = []
    for place, values in enumerate(columns):
        made = list(_ROWS[output](dict(zip(SCHEMA["json"], values))))
        rows.extend(made)
        places.extend([place] * len(made))
    return _assembled(table.select(list(keys)), places, rows, schema)


def _assembled(keys: Any, places: list[int], rows: list[dict[str, Any]], schema: Any) -> Any:
    import pyarrow

    taken = keys.take(pyarrow.array(places, pyarrow.int64()))
    if isinstance(taken, pyarrow.RecordBatch):
        taken = pyarrow.Table.from_batches([taken])
    columns = list(taken.columns)
    columns += [pyarrow.array([row.get(field.name) for row in rows], field.type) for field in list(schema)[len(columns) :]]
    return pyarrow.table(columns, schema=schema)


def _json_rows(lines: Iterable[str]) -> list[dict[str, Any]]:
    return [{"sentence": number, "outcome": _outcome(line), "json": line} for number, line in enumerate(lines)]


def _outcome(line: str) -> str:
    """The outcome in a line of JSON, which is read for it only where its text could look like it."""
    start = line.index('"outcome":"') + 11
    if line.count('"outcome":"') > 1:
        return str(json.loads(line)["outcome"])
    return line[start : line.index('"', start)]


def _missing() -> list[dict[str, Any]]:
    return [{"sentence": None, "outcome": "missing", "json": None}]


def _empty() -> list[dict[str, Any]]:
    return [{"sentence": None, "outcome": "empty", "json": None}]


def _sentence_rows(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if row["json"] is None:
        yield {"sentence": row["sentence"], "outcome": row["outcome"]}
        return
    found = json.loads(row["json"])
    start, end = found["document"]["chars"]
    yield {
        "sentence": row["sentence"],
        "start": start,
        "end": end,
        "text": found["text"],
        "outcome": found["outcome"],
        "score": found["score"],
        "tokens": len(found["tokens"]),
        "tree": found["tree"],
    }


def _words(found: dict[str, Any], tokens: Optional[Sequence[int]]) -> tuple[Optional[int], Optional[int], Optional[str]]:
    """The characters of a range of tokens in the document, and its text."""
    if tokens is None or tokens[0] >= tokens[1]:
        return None, None, None
    first, last = found["tokens"][tokens[0]], found["tokens"][tokens[1] - 1]
    text = found["text"][first["chars"][0] : last["chars"][1]]
    return first["document_chars"][0], last["document_chars"][1], " ".join(text.split())


def _phrase_rows(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    found = json.loads(row["json"]) if row["json"] else {"phrases": []}
    for number, phrase in enumerate(found["phrases"]):
        start, end, text = _words(found, phrase["tokens"])
        yield {
            "sentence": row["sentence"],
            "phrase": number,
            "parent": phrase["parent"],
            "label": phrase["label"],
            "first_token": phrase["tokens"][0],
            "end_token": phrase["tokens"][1],
            "start": start,
            "end": end,
            "text": text,
        }


def _null_rows(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    found = json.loads(row["json"]) if row["json"] else {"nulls": [], "relations": []}
    arguments = [argument for relation in found["relations"] for argument in relation["arguments"]]
    passed = {step["null"]: argument["text"] for argument in reversed(arguments) for step in argument["via"] if "null" in step}
    for number, null in enumerate(found["nulls"]):
        overt = null["overt"]
        predicate = null["predicate"]
        yield {
            **{name: null[name] for name in SCHEMA["nulls"] if name in null},
            "sentence": row["sentence"],
            "null": number,
            "overt_text": None if overt is None else _words(found, found["phrases"][overt]["tokens"])[2],
            "filler_text": passed.get(number),
            "predicate_text": None if predicate is None else found["tokens"][predicate]["text"],
        }


def _relation_rows(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    found = json.loads(row["json"]) if row["json"] else {"relations": []}
    for number, relation in enumerate(found["relations"]):
        predicate = relation["predicate"]
        shared = {
            "sentence": row["sentence"],
            "relation": number,
            "predicate": predicate["token"],
            "predicate_text": predicate["text"],
            "lemma": predicate["lemma"],
            "voice": predicate["voice"],
            "negated": predicate["negated"],
        }
        if not relation["arguments"]:
            yield shared
        for place, argument in enumerate(relation["arguments"]):
            start, end = argument["document_chars"] or (None, None)
            same = {name: argument[name] for name in ("role", "surface", "preposition", "filler", "text")}
            yield {**shared, "argument": place, **same, "start": start, "end": end}


_ROWS = {"sentences": _sentence_rows, "phrases": _phrase_rows, "nulls": _null_rows, "relations": _relation_rows}
