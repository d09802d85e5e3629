"""Sentences per second of processor time on Spark and Ray, against the bare command line.

    python clusters.py PROGRAM FILE [--model fast] [--engines spark ray] [--times 1]

FILE has a sentence a line, its tokens with blanks between; it is taken `--times` times. Each engine first answers a few sentences, so that
its processes are up and have the model; then the processor time of all its processes is counted, those of Java included.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))

import test_clusters  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")


def usage(pids: list[int]) -> dict[int, tuple[str, float, int]]:
    """The name, the processor time with that of ended children, and the peak memory of processes."""
    found = {}
    for pid in pids:
        try:
            stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
            status = pathlib.Path(f"/proc/{pid}/status").read_text()
        except OSError:
            continue
        name, fields = stat[stat.index("(") + 1 : stat.rindex(")")], stat.rsplit(")", 1)[1].split()
        peak = next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)
        found[pid] = (name, sum(map(int, fields[11:15])) / TICK, peak)
    return found


def counted(work: object, everybody: object) -> tuple[int, float, float, float, int]:
    """Rows, processor time of all processes, that of Python's among them, wall time, peak memory of the largest Python process."""
    before = usage(everybody())  # type: ignore[operator]
    start = time.perf_counter()
    rows = work()  # type: ignore[operator]
    wall = time.perf_counter() - start
    after = usage(everybody())  # type: ignore[operator]
    spent = {pid: (name, cpu - before.get(pid, ("", 0.0, 0))[1], peak) for pid, (name, cpu, peak) in after.items()}
    python = [(cpu, peak) for name, cpu, peak in spent.values() if "java" not in name]
    return rows, sum(cpu for _, cpu, _ in spent.values()), sum(cpu for cpu, _ in python), wall, max(peak for _, peak in python)


def spark(texts: list[str], model: str) -> tuple[int, float, float, float, int]:
    from pyspark.sql import SparkSession

    import tracebank.spark

    cluster = test_clusters.Cluster(pathlib.Path(tempfile.mkdtemp()))
    os.environ.update({name: cluster.environment[name] for name in ("SPARK_HOME", "SPARK_LOCAL_IP", "PYSPARK_PYTHON")})
    builder = SparkSession.builder.master(cluster.url).config("spark.driver.host", "127.0.0.1").config("spark.ui.enabled", "false")
    session = builder.config("spark.executor.memory", "1g").config("spark.executor.cores", "1").getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        session.createDataFrame(list(enumerate(texts)), "id bigint, text string").write.parquet(f"{folder}/in")
        given = session.read.parquet(f"{folder}/in")
        tracebank.spark.parse(given.limit(64), "text", model=model, partitions=4).count()

        def work() -> int:
            tracebank.spark.parse(given, "text", model=model, partitions=8).write.parquet(f"{folder}/out")
            return int(session.read.parquet(f"{folder}/out").count())

        found = counted(work, lambda: test_clusters.children(os.getpid()))
        session.stop()
    cluster.stop()
    return found


def ray(texts: list[str], model: str) -> tuple[int, float, float, float, int]:
    import pyarrow
    import ray

    import tracebank.ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200_000_000)

    def parse(given: list[str]) -> int:
        table = pyarrow.table({"id": list(range(len(given))), "text": given})
        dataset = ray.data.from_arrow(table).repartition(8)
        answers = dataset.map_batches(
            tracebank.ray.Parse, fn_constructor_kwargs={"model": model}, batch_format="pyarrow", batch_size=256, concurrency=2, num_cpus=0.5
        )
        return int(answers.count())

    parse(texts[:64])
    found = counted(lambda: parse(texts), lambda: [os.getpid(), *test_clusters.children(os.getpid())])
    ray.shutdown()
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("file")
    parser.add_argument("--model", default="fast")
    parser.add_argument("--engines", nargs="+", default=["spark", "ray"])
    parser.add_argument("--times", type=int, default=1)
    arguments = parser.parse_args()
    texts = pathlib.Path(arguments.file).read_text().splitlines() * arguments.times
    print(f"{len(texts)} sentences, model {arguments.model}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'engine':8} {'rows':>7} {'CPU s':>8} {'of Python':>10} {'wall s':>8} {'sentences / CPU s':>18} {'of bare':>8} {'peak MB':>8}")
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as whole:
        whole.write("\n".join(texts) + "\n")
        whole.flush()
        for engine in arguments.engines:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            command = [arguments.program, "parse", "--quiet", "--model", arguments.model, "--threads", "1", "--input", "lines", "--output", "json"]
            subprocess.run([*command, whole.name], stdout=subprocess.DEVNULL, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            bare = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            rows, cpu, python, wall, peak = {"spark": spark, "ray": ray}[engine](texts, arguments.model)
            print(f"{'bare':8} {len(texts):7} {bare:8.2f} {'':10} {'':8} {len(texts) / bare:18.1f}")
            share = f"{100 * bare / cpu:7.1f}%"
            print(f"{engine:8} {rows:7} {cpu:8.2f} {python:10.2f} {wall:8.2f} {len(texts) / cpu:18.1f} {share:>8} {peak / 1024:8.0f}")


if __name__ == "__main__":
    main()
