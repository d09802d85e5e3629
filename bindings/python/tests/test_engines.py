"""Dask and DuckDB, which are light; tests/test_clusters.py has Spark and Ray."""

from __future__ import annotations

import os
import signal
import time

import pytest

import tracebank

pyarrow = pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")


def frame(sentences: list[str], times: int = 1) -> object:
    texts = [*sentences, None, "", "They left. We stayed."] * times
    return pandas.DataFrame({"source": [f"s{n % 3}" for n in range(len(texts))], "id": range(len(texts)), "text": texts})


def rows(found: object) -> list[tuple[object, ...]]:
    table = pyarrow.Table.from_pandas(found, preserve_index=False)
    return sorted(map(repr, table.to_pylist()))  # type: ignore[arg-type]


def test_duckdb(parser: tracebank.Parser, sentences: list[str]) -> None:
    duckdb = pytest.importorskip("duckdb")
    import tracebank.duckdb

    connection = duckdb.connect()
    tracebank.duckdb.register(connection, parser)
    texts = frame(sentences, 10)  # noqa: F841
    found = connection.sql("SELECT text, parse_tree(text), parse_trees(text) FROM texts").fetchall()
    assert len(found) == 10 * (len(sentences) + 3)
    for text, tree, trees in found[:200]:
        assert tree == (None if text is None else str(parser.parse(text)))
        assert trees == (None if text is None else [str(parse) for parse in parser.parse_text(text)])
    assert connection.sql("SELECT parse_relations('They left.')").fetchall()[0][0] == ["left  subject=They"]
    found = connection.sql("SELECT json_extract_string(unnest(parse_json('They left. We go.')), '$.text')").fetchall()
    assert found == [("They left.",), ("We go.",)]


def test_dask_gives_the_same_rows_for_any_partitions(parser: tracebank.Parser, sentences: list[str]) -> None:
    dask_frame = pytest.importorskip("dask.dataframe")
    import tracebank.dask

    texts = frame(sentences[:30])
    wanted = None
    for partitions in (1, 4, 32):
        given = dask_frame.from_pandas(texts, npartitions=partitions)
        answers = tracebank.dask.parse(given, "text", key=["source", "id"], model="fast")
        found = rows(answers.compute(scheduler="threads"))
        assert wanted in (None, found)
        wanted = found
    ours = parser.parse_frame(texts, key=["source", "id"])
    tables = tracebank.dask.parse(given, "text", key=["source", "id"], model="fast", output="tables")
    for name in ours._fields:
        assert rows(getattr(tables, name).compute(scheduler="threads")) == rows(getattr(ours, name)), name
    with pytest.raises(ValueError, match="rename"):
        tracebank.dask.parse(given.rename(columns={"id": "sentence"}), "text")
    with pytest.raises(ValueError, match="no output"):
        tracebank.dask.parse(given, "text", output="klingon", model="fast")
    with pytest.raises(tracebank.ModelNotFoundError):
        tracebank.dask.parse(given, "text", model="/no/such.tbm")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="signals")
def test_dask_outlives_a_killed_worker(parser: tracebank.Parser, sentences: list[str]) -> None:
    distributed = pytest.importorskip("distributed")
    import dask.dataframe

    import tracebank.dask

    texts = frame(sentences, 120)
    given = dask.dataframe.from_pandas(texts, npartitions=24)
    answers = tracebank.dask.parse(given, "text", key=["source", "id"], model="fast")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        future = client.compute(answers)
        pids = client.run(os.getpid)
        time.sleep(1.0)
        was_done = future.done()
        os.kill(next(iter(pids.values())), signal.SIGKILL)
        found = future.result(timeout=240)
        assert not was_done, "the work was over before the worker was killed: give it more"
    assert rows(found) == rows(answers.compute(scheduler="synchronous"))
