"""Spark and Ray as they are used: a master with two workers, actors, and one of them killed in the middle."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

import tracebank

pytestmark = pytest.mark.heavy
pyarrow = pytest.importorskip("pyarrow")

KEY = ["source", "id"]


def texts(sentences: list[str], times: int) -> list[tuple[str, int, object]]:
    given = [*sentences, None, "", "They left. We stayed."] * times
    return [(f"s{number % 3}", number, text) for number, text in enumerate(given)]


def wanted_rows(parser: tracebank.Parser, given: list[tuple[str, int, object]]) -> list[str]:
    table = pyarrow.table(dict(zip([*KEY, "text"], map(list, zip(*given)))))
    from tracebank import frames

    return sorted(map(repr, frames.parse_arrow(parser, table, "text", KEY).to_pylist()))


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Cluster:
    """A standalone master of Spark with two workers on loopback."""

    def __init__(self, folder: pathlib.Path) -> None:
        import pyspark

        self.home = pathlib.Path(pyspark.__file__).parent
        self.folder = folder
        port = free_port()
        self.url = f"spark://127.0.0.1:{port}"
        self.environment = {
            **os.environ,
            "SPARK_HOME": str(self.home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_DAEMON_MEMORY": "512m",
        }
        self.processes = [self._start("master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(free_port()))]
        for number in (1, 2):
            work = folder / f"worker{number}"
            self.processes.append(
                self._start("worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "2g", "--webui-port", str(free_port()),
                            "--work-dir", str(work), self.url)
            )

    def _start(self, which: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [str(self.home / "bin" / "spark-class"), f"org.apache.spark.deploy.{which}", *arguments]
        log = open(self.folder / f"{which}-{len(list(self.folder.iterdir()))}.log", "wb")
        return subprocess.Popen(command, env=self.environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)

    def kill_a_worker(self) -> None:
        """Kills a worker, with its executor and the Python processes below it, as if its machine had gone."""
        worker = self.processes.pop()
        kill_below(worker.pid)

    def stop(self) -> None:
        for process in reversed(self.processes):
            kill_below(process.pid)


def children(pid: int) -> list[int]:
    """All processes below one, by /proc."""
    parents: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = pathlib.Path(f"/proc/{entry}/stat").read_text()
            except OSError:
                continue
            parents.setdefault(int(stat.rsplit(")", 1)[1].split()[1]), []).append(int(entry))
    found, stack = [], [pid]
    while stack:
        for child in parents.get(stack.pop(), []):
            found.append(child)
            stack.append(child)
    return found


def kill_below(pid: int) -> None:
    for one in [pid, *children(pid)]:
        try:
            os.kill(one, signal.SIGKILL)
        except OSError:
            pass


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    started = Cluster(tmp_path_factory.mktemp("spark"))
    yield started
    started.stop()


@pytest.fixture(scope="module")
def session(cluster: Cluster) -> Iterator[object]:
    from pyspark.sql import SparkSession

    os.environ.update({name: cluster.environment[name] for name in ("SPARK_HOME", "SPARK_LOCAL_IP", "PYSPARK_PYTHON")})
    session = (
        SparkSession.builder.master(cluster.url)
        .appName("tracebank")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.executor.memory", "1g")
        .config("spark.executor.cores", "1")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "500")
        .getOrCreate()
    )
    yield session
    session.stop()


def collected(frame: object) -> list[str]:
    return sorted(repr(row.asDict()) for row in frame.collect())


def test_spark_gives_the_same_rows_for_any_partitions(session: object, parser: tracebank.Parser, sentences: list[str]) -> None:
    import tracebank.spark

    given = texts(sentences, 1)
    frame = session.createDataFrame(given, "source string, id bigint, text string")
    wanted = wanted_rows(parser, given)
    for partitions in (1, 4, 32, None):
        answers = tracebank.spark.parse(frame, "text", key=KEY, partitions=partitions, model="fast")
        assert collected(answers) == wanted, partitions
    tables = tracebank.spark.parse(frame, "text", key=KEY, output="tables", model="fast", partitions=3)
    table = pyarrow.table(dict(zip([*KEY, "text"], map(list, zip(*given)))))
    ours = parser.parse_frame(table, key=KEY)
    for name in ours._fields:
        assert collected(getattr(tables, name)) == sorted(map(repr, getattr(ours, name).to_pylist())), name


def test_spark_writes_parquet_and_resumes_by_key(session: object, parser: tracebank.Parser, sentences: list[str], tmp_path: pathlib.Path) -> None:
    import tracebank.spark

    given = texts(sentences[:40], 1)
    frame = session.createDataFrame(given, "source string, id bigint, text string")
    path = str(tmp_path / "parsed")
    few = frame.where("id < 20")
    tracebank.spark.write(few, path, "text", key=KEY, source="source", model="fast")
    assert sorted(entry.name for entry in pathlib.Path(path).iterdir() if entry.is_dir()) == ["source=s0", "source=s1", "source=s2"]
    with pytest.raises(Exception, match="(?i)already exists"):
        tracebank.spark.write(frame, path, "text", key=KEY, source="source", model="fast")
    tracebank.spark.write(frame, path, "text", key=KEY, source="source", model="fast", resume=True)
    columns = [*KEY, "sentence", "outcome", "json"]
    assert collected(session.read.parquet(path).select(*columns)) == wanted_rows(parser, given)
    tracebank.spark.write(frame, path, "text", key=KEY, source="source", model="fast", resume=True)
    assert session.read.parquet(path).count() == len(wanted_rows(parser, given))


def test_spark_outlives_a_killed_worker(session: object, cluster: Cluster, parser: tracebank.Parser, sentences: list[str]) -> None:
    import tracebank.spark

    given = texts(sentences, 12)
    frame = session.createDataFrame(given, "source string, id bigint, text string")
    answers = tracebank.spark.parse(frame, "text", key=KEY, partitions=24, model="fast")
    tracker = session.sparkContext.statusTracker()
    done_then: list[int] = []

    def kill() -> None:
        """Kills a worker when a few tasks, and not all, are done."""
        while True:
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            done = [stage.numCompletedTasks for stage in stages if stage and stage.numTasks == 24]
            if done and 3 <= done[0] < 20:
                done_then.append(done[0])
                cluster.kill_a_worker()
                return
            time.sleep(0.1)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    found = collected(answers)
    killer.join(timeout=5)
    assert done_then, "nobody was killed"
    assert found == wanted_rows(parser, given)


def test_ray_outlives_a_killed_actor(parser: tracebank.Parser, sentences: list[str]) -> None:
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.data")
    import tracebank.ray

    given = texts(sentences, 80)  # enough that the actor dies in the middle, however idle the machine is
    table = pyarrow.table(dict(zip([*KEY, "text"], map(list, zip(*given)))))
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200_000_000)
    try:
        for partitions in (1, 4, 32):
            small = ray.data.from_arrow(table.slice(0, 60)).repartition(partitions)
            found = small.map_batches(
                tracebank.ray.Parse, fn_constructor_kwargs={"key": KEY, "model": "fast"}, batch_format="pyarrow", batch_size=16,
                concurrency=2, num_cpus=0.5,
            )
            assert sorted(map(repr, found.take_all())) == wanted_rows(parser, given[:60]), partitions
        killed: list[int] = []

        def kill() -> None:
            while not killed:
                for pid in children(os.getppid()) + children(os.getpid()):
                    try:
                        name = pathlib.Path(f"/proc/{pid}/cmdline").read_text()
                    except OSError:
                        continue
                    if "MapWorker" in name and "Parse" in name:
                        time.sleep(1)
                        os.kill(pid, signal.SIGKILL)
                        killed.append(pid)
                        return
                time.sleep(0.1)

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        dataset = ray.data.from_arrow(table).repartition(16)
        found = dataset.map_batches(
            tracebank.ray.Parse, fn_constructor_kwargs={"key": KEY, "model": "fast"}, batch_format="pyarrow", batch_size=64,
            concurrency=2, num_cpus=0.5, max_restarts=-1, max_task_retries=-1,
        ).take_all()
        killer.join(timeout=5)
        assert killed, "nobody was killed"
        assert sorted(map(repr, found)) == wanted_rows(parser, given)
    finally:
        ray.shutdown()
