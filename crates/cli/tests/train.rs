//! `tracebank train` as a user runs it: what stands beside the model, and what is refused before anything is learnt.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

const RECIPE: &str = "name = \"tiny\"
least = 1
train = [{ file = \"few.mrg\", dialect = \"penn\" }]
dev = [{ file = \"few.mrg\", dialect = \"penn\" }]
[linear]
warm_up = 1
model = { bits = 16, folds = 0 }
training = { objective = \"hinge\", epochs = 1 }
";

struct Bench(TempDir);

impl Bench {
    fn new() -> Bench {
        let bench = Bench(TempDir::new().unwrap());
        let trees = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../treebank/handmade.mrg");
        let trees = fs::read_to_string(trees).unwrap();
        fs::write(bench.path("few.mrg"), trees.lines().take(8).collect::<Vec<_>>().join("\n")).unwrap();
        fs::write(bench.path("tiny.toml"), RECIPE).unwrap();
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tracebank"));
        command.current_dir(self.0.path()).args(arguments).output().unwrap()
    }

    fn train(&self, out: &str, more: &[&str]) -> Output {
        self.run(&[&["train", "tiny.toml", "--out", out][..], more].concat())
    }

    /// The message of a run that must fail before there is anything to write.
    fn refused(&self, out: &str, more: &[&str]) -> String {
        let before = self.files();
        let output = self.train(out, more);
        assert!(!output.status.success(), "{out}");
        assert_eq!(self.files(), before, "{out}");
        String::from_utf8(output.stderr).unwrap()
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn a_model_may_be_called_as_another_ones_checkpoint() {
    let bench = Bench::new();
    let output = bench.train("m.checkpoint", &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(bench.files(), ["few.mrg", "m.checkpoint", "tiny.toml"]);
    // The run whose checkpoint would have that name does not touch it.
    assert!(bench.refused("m", &[]).contains("m.checkpoint is left from an earlier run"));
    assert!(bench.run(&["model", "verify", "m.checkpoint"]).status.success());
}

#[test]
fn what_cannot_be_written_is_told_before_anything_is_learnt() {
    let bench = Bench::new();
    assert!(bench.refused("nodir/m.tbm", &[]).contains("it cannot be written"));
    assert!(bench.refused("m.gz", &[]).contains("is not read from gzip"));
    let tuned = bench.run(&["model", "tune", "fast", "tiny.toml", "--out", "m.gz"]);
    assert_eq!(tuned.status.code(), Some(2));
    #[cfg(unix)]
    assert!(bench.refused("/dev/null", &[]).contains("a model is written to a file"));
}

#[test]
fn a_checkpoint_belongs_to_one_run() {
    let bench = Bench::new();
    fs::write(bench.path("m.v1.checkpoint"), "of an earlier run").unwrap();
    let told = bench.refused("m.v1", &[]);
    assert!(told.contains("m.v1.checkpoint is left from an earlier run: --resume continues it"), "{told}");
    assert!(bench.refused("m.v1", &["--resume"]).contains("m.v1.checkpoint"), "it is no checkpoint");
    // Another run is at it.
    let lock = fs::File::create(bench.path("m.other.checkpoint.lock")).unwrap();
    lock.lock().unwrap();
    assert!(bench.refused("m.other", &[]).contains("another process is writing it"));
    assert!(bench.refused("m.other", &["--resume"]).contains("another process is writing it"));
    drop(lock);
    // Names that share a stem share nothing else.
    assert!(bench.train("m.other", &[]).status.success());
    assert!(bench.path("m.v1.checkpoint").exists());
    assert!(bench.train("m.v1", &["--force"]).status.success());
    assert_eq!(bench.files(), ["few.mrg", "m.other", "m.v1", "tiny.toml"]);
}

#[cfg(unix)]
#[test]
fn a_checkpoint_is_never_a_link() {
    let bench = Bench::new();
    fs::write(bench.path("mine"), "mine").unwrap();
    std::os::unix::fs::symlink("mine", bench.path("m.checkpoint")).unwrap();
    for more in [&["--force"][..], &["--resume"]] {
        assert!(bench.refused("m", more).contains("symbolic link"));
    }
    assert_eq!(fs::read(bench.path("mine")).unwrap(), b"mine");
}
