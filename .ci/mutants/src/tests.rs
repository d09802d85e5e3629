//! Building and running tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{Failure, copy};

/// The memory of a test, in KiB: an endless loop may not take the machine's.
const MEMORY: u32 = 6 << 20;

/// A program of tests.
pub struct Program {
    path: PathBuf,
    folder: PathBuf,
}

/// A test, and what is known of it.
pub struct Test<'p> {
    program: &'p Program,
    name: String,
    time: Duration,
    pub reaches: BTreeSet<u32>,
}

/// The way a test ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    Passed,
    Failed,
    TimedOut,
}

/// What came of a build: programs, or the mutants that do not compile.
pub enum Build {
    Done(Vec<Program>),
    Wrong(BTreeSet<u32>),
}

/// Builds the tests of the copy that `arguments` name.
pub fn build(copy: &Path, arguments: &[String]) -> Result<Build, Failure> {
    let mut command = Command::new("cargo");
    command.args(["test", "--no-run", "--quiet", "--message-format=json"]).args(arguments).current_dir(copy);
    let output = command.env_remove("CARGO_TARGET_DIR").stderr(Stdio::inherit()).output()?;
    let (mut programs, mut wrong) = (Vec::new(), BTreeSet::new());
    for line in String::from_utf8(output.stdout)?.lines() {
        let message: Value = serde_json::from_str(line)?;
        let folder = message["manifest_path"].as_str().and_then(|path| Path::new(path).parent());
        if let (Some(path), Some(folder), Some(true)) =
            (message["executable"].as_str(), folder, message["profile"]["test"].as_bool())
        {
            programs.push(Program { path: path.into(), folder: folder.into() });
        }
        let message = &message["message"];
        if message["level"] == "error" && message["spans"].as_array().is_some_and(|spans| !spans.is_empty()) {
            let found = places(message).find_map(|(file, place)| {
                let text = std::fs::read_to_string(copy.join(file)).ok()?;
                Some(copy::around(&text, place)).filter(|ids| !ids.is_empty())
            });
            wrong.extend(
                found.ok_or_else(|| format!("no mutant of this error is known: {}", message["rendered"]))?,
            );
        }
    }
    match (output.status.success(), wrong.is_empty()) {
        (true, _) => Ok(Build::Done(programs)),
        (false, false) => Ok(Build::Wrong(wrong)),
        (false, true) => Err("the tests could not be built".into()),
    }
}

/// The places that a message of the compiler names, its own first.
fn places(message: &Value) -> impl Iterator<Item = (&str, usize)> {
    let mut spans: Vec<&Value> = message["spans"].as_array().into_iter().flatten().collect();
    spans.sort_by_key(|span| span["is_primary"] != true);
    spans
        .into_iter()
        .filter_map(|span| Some((span["file_name"].as_str()?, span["byte_start"].as_u64()? as usize)))
}

impl Program {
    /// The tests of the program, each run alone to see what it reaches and how long it takes.
    pub fn tests(&self) -> Result<Vec<Test<'_>>, Failure> {
        let output = Command::new(&self.path).arg("--list").current_dir(&self.folder).output()?;
        let ignored =
            Command::new(&self.path).args(["--list", "--ignored"]).current_dir(&self.folder).output()?;
        let ignored = String::from_utf8(ignored.stdout)?;
        let listed = String::from_utf8(output.stdout)?;
        let names = listed.lines().filter(|line| !ignored.lines().any(|other| other == *line));
        names.filter_map(|line| line.strip_suffix(": test")).map(|name| self.test(name)).collect()
    }

    fn test(&self, name: &str) -> Result<Test<'_>, Failure> {
        let file = std::env::temp_dir().join(format!("mutants-reached-{}", std::process::id()));
        std::fs::write(&file, "")?;
        let start = Instant::now();
        let mut test = Test {
            program: self,
            name: name.to_owned(),
            time: Duration::from_mins(10),
            reaches: BTreeSet::new(),
        };
        if test.run("MUTANTS_REACHED", &file.to_string_lossy())? != End::Passed {
            return Err(format!("{name} fails without a mutant").into());
        }
        test.time = start.elapsed();
        test.reaches = std::fs::read_to_string(&file)?.lines().filter_map(|id| id.parse().ok()).collect();
        std::fs::remove_file(&file)?;
        Ok(test)
    }
}

impl Test<'_> {
    /// Runs the test with a variable set.
    pub fn run(&self, variable: &str, value: &str) -> Result<End, Failure> {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).arg(&self.program.path);
        command.args(["--exact", &self.name, "--test-threads=1"]).current_dir(&self.program.folder);
        command.env(variable, value).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let start = Instant::now();
        while start.elapsed() < 5 * self.time + Duration::from_secs(5) {
            if let Some(status) = child.try_wait()? {
                return Ok(if status.success() { End::Passed } else { End::Failed });
            }
            std::thread::sleep(Duration::from_millis(3));
        }
        child.kill()?;
        child.wait()?;
        Ok(End::TimedOut)
    }

    /// The time that the test takes without a mutant.
    pub fn time(&self) -> Duration {
        self.time
    }
}
