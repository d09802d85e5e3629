//! The numbers of `--stats`.

use std::time::Duration;

use serde_json::{Value, json};
use tracebank::Summary;

/// The figures of a run as JSON.
pub(crate) fn stats(summary: &Summary, load: Duration, wall: Duration, threads: usize) -> Value {
    json!({
        "sentences": summary.sentences,
        "tokens": summary.tokens,
        "approximate": summary.approximate,
        "failed": summary.failed,
        "threads": threads,
        "seconds": {
            "load": load.as_secs_f64(),
            "score": summary.times.score.as_secs_f64(),
            "decode": summary.times.decode.as_secs_f64(),
            "build": summary.times.build.as_secs_f64(),
            "wall": wall.as_secs_f64(),
        },
        "peak_bytes": peak_bytes(),
    })
}

/// The most memory that the process has had, where the system tells.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}
