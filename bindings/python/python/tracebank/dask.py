"""Dask: a column of a Dask frame, parsed where its partitions are.

>>> import dask.dataframe, pandas, tracebank.dask
>>> frame = dask.dataframe.from_pandas(pandas.DataFrame({"id": [1, 2], "text": ["They left.", None]}), npartitions=2)
>>> tracebank.dask.parse(frame, "text", model="fast").compute()["outcome"].tolist()
['exact', 'missing']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

from . import _engine, frames

__all__ = ["parse"]


def parse(
    frame: Any,
    column: str = "text",
    *,
    key: Union[str, Sequence[str], None] = None,
    output: str = "json",
    model: str = "default",
    **options: Any,
) -> Any:
    """The answers as a Dask frame, lazily: the key columns and those of ``tracebank.frames.SCHEMA[output]``.

    ``output="tables"`` gives :class:`tracebank.frames.Tables` of frames; persist the answers first (``output="json"``, then
    :func:`tables`) where parsing four times is not wanted. Each worker process loads the model once.
    """
    keys = _engine.keys_of(list(frame.columns), column, key)
    options = {"threads": 1, **options}
    _engine.check(model, options, output)
    if output == "tables":
        return tables(parse(frame, column, key=keys, model=model, **options), keys)
    arguments = (column, keys, output, model, options)
    return frame.map_partitions(_partition, *arguments, meta=_partition(frame._meta, *arguments), enforce_metadata=False)


def tables(answers: Any, key: Union[str, Sequence[str]]) -> frames.Tables:
    """The tables of answers whose output is ``json``."""
    keys = frames._keys(key)

    def made(output: str) -> Any:
        return answers.map_partitions(_table, keys, output, meta=_table(answers._meta, keys, output), enforce_metadata=False)

    return frames.Tables(*(made(output) for output in frames.Tables._fields))


def _partition(frame: Any, column: str, keys: list[str], output: str, model: str, options: dict[str, Any]) -> Any:
    import pyarrow

    table = pyarrow.Table.from_pandas(frame[[*keys, column]].astype({column: "string"}), preserve_index=False)
    return frames.to_pandas(frames.parse_arrow(_engine.parser_of(model, options), table, column, keys, output))


def _table(frame: Any, keys: list[str], output: str) -> Any:
    import pyarrow

    return frames.to_pandas(frames.tables_of_json(pyarrow.Table.from_pandas(frame, preserve_index=False), keys, output))
