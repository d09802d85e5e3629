//! `tracebank parse` and `tracebank model`, run as a user runs them.

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use tracebank_parser::model::ModelWriter;

fn tracebank(arguments: &[&str], input: &[u8]) -> Output {
    Command::cargo_bin("tracebank").unwrap().args(arguments).write_stdin(input).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// The small model in the box: tests of streams and failures need no better one.
const MODEL: &str = tracebank::FAST_MODEL;

#[test]
fn wrong_command_lines_and_missing_files_are_told_before_a_model_is_looked_for() {
    assert_eq!(tracebank(&["parse", "--input", "morse"], b"").status.code(), Some(2));
    let missing = tracebank(&["parse", "no-such-file.txt"], b"");
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).contains("no-such-file.txt: there is no such file"), "{}", stderr(&missing));
    let json = tracebank(&["parse", "no-such-file.txt", "--log", "json"], b"");
    let message: serde_json::Value = serde_json::from_str(stderr(&json)).unwrap();
    assert_eq!((json.status.code(), &message["level"]), (Some(1), &"error".into()));
}

#[test]
fn a_model_that_cannot_be_used_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let mut writer = ModelWriter::default();
    writer.json("about", &serde_json::json!({"trained_on": ["a", "b"], "tree_f1": 88.5})).unwrap();
    writer.bytes("weights", vec![7; 100]);
    let sound = writer.finish();
    std::fs::write(path("sound"), &sound).unwrap();
    let info = tracebank(&["model", "info", &path("sound")], b"");
    assert!(info.status.success() && stdout(&info).contains("tree_f1") && stdout(&info).contains("weights"));
    let json = tracebank(&["model", "info", "--json", &path("sound")], b"");
    let json: serde_json::Value = serde_json::from_str(stdout(&json)).unwrap();
    assert_eq!((&json["about"]["tree_f1"], &json["sections"][1]["name"]), (&88.5.into(), &"weights".into()));
    let verified = tracebank(&["model", "verify", &path("sound")], b"");
    assert!(verified.status.success() && stdout(&verified).contains(": sound, "));

    let damaged = [&sound[..sound.len() - 1], b"\0"].concat();
    let newer = [&sound[..8], b"\x63", &sound[9..]].concat();
    let cases: [(&str, &[u8], &str); 5] = [
        ("damaged", &damaged, "is damaged"),
        ("truncated", &sound[..sound.len() - 3], "cut off"),
        ("foreign", b"PK\x03\x04", "not a tracebank model"),
        ("empty", b"", "not a tracebank model"),
        ("newer", &newer, "format version 99"),
    ];
    for (name, bytes, wanted) in cases {
        std::fs::write(path(name), bytes).unwrap();
        let verdict = tracebank(&["model", "verify", &path(name)], b"");
        assert_eq!(verdict.status.code(), Some(1), "{name}");
        let told = stderr(&verdict).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(wanted), "{name}: {told}");
    }
    let parse = tracebank(&["parse", "--model", &path("sound"), "a text"], b"");
    assert_eq!(parse.status.code(), Some(1));
    assert!(stderr(&parse).contains("the model has no section"), "{}", stderr(&parse));
    let nowhere = tracebank(&["model", "info", "no-such.model"], b"");
    assert!(!nowhere.status.success() && stderr(&nowhere).contains("no-such.model"));
}

#[test]
fn shells_and_manuals_get_their_files() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let completions = tracebank(&["completions", shell], b"");
        assert!(completions.status.success() && stdout(&completions).contains("memory-budget"), "{shell}");
    }
    let page = tracebank(&["man"], b"");
    assert!(stdout(&page).contains(".TH tracebank 1"));
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().display().to_string();
    assert!(tracebank(&["man", &pages], b"").status.success());
    let again = tracebank(&["man", &pages], b"");
    assert!(
        !again.status.success() && stderr(&again).contains("--force overwrites it"),
        "{}",
        stderr(&again)
    );
    assert!(tracebank(&["man", &pages, "--force"], b"").status.success());
    let page = std::fs::read_to_string(folder.path().join("tracebank-parse.1")).unwrap();
    assert!(page.contains(".TH tracebank-parse 1") && page.contains("Which book did she want to buy?"));
    assert!(!tracebank(&["man", "/no/such/folder"], b"").status.success());
}

#[test]
fn raw_text_becomes_trees() {
    let model = tracebank::DEFAULT_MODEL;
    let output = tracebank(&["parse", "--model", model], b"We like running. Which book did she want to buy?");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[1].contains("*T*-1"), "{}", lines[1]);
}

#[test]
fn a_failure_shows_in_tree_message_and_exit_code() {
    let model = MODEL;
    let text = b"We like running.\nW\xffe\n";
    let output = tracebank(&["parse", "--model", model, "--input", "lines", "--stats"], text);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(stdout(&output).lines().nth(1), Some("( (X-FAILED (-NONE- 0)))"));
    assert!(
        stderr(&output).contains("<stdin>:2 (byte 18): these bytes are not UTF-8"),
        "{}",
        stderr(&output)
    );
    let stats: serde_json::Value = serde_json::from_str(stderr(&output).lines().last().unwrap()).unwrap();
    assert_eq!((&stats["sentences"], &stats["failed"]), (&2.into(), &1.into()));
    let quiet = tracebank(&["parse", "--model", model, "--input", "lines", "--quiet"], text);
    assert_eq!((quiet.status.code(), stderr(&quiet)), (Some(3), ""));
}

#[test]
fn threads_do_not_change_a_byte() {
    let model = MODEL;
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../treebank/handmade.mrg").display().to_string();
    let parse = |threads: &str| {
        tracebank(&["parse", "--model", model, "--input", "penn", "--threads", threads, &file], b"").stdout
    };
    assert_eq!(parse("1"), parse("2"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_a_closed_pipe_is_not() {
    use std::process::{Command, Stdio};
    let model = MODEL;
    let binary = assert_cmd::cargo::cargo_bin("tracebank");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../treebank/handmade.mrg");
    let parse = || {
        let mut command = Command::new(&binary);
        command
            .args(["parse", "--model", model, "--input", "penn", "--quiet"])
            .arg(&file)
            .stderr(Stdio::piped());
        command
    };
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = parse().stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("the output could not be written"), "{}", stderr(&output));
    let mut child = parse().stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_it_with_all_answers_written() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::{Command, Stdio};
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("tracebank"))
            .args(["parse", "--model", MODEL, "--input", "lines", "--quiet"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all("We left.\n".repeat(tracebank::BLOCK + 9).as_bytes()).unwrap();
        input.flush().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
        for _ in 0..tracebank::BLOCK {
            answers.next().unwrap().unwrap();
        }
        // The other nine wait for their block to be full, or for the input to end.
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert!(answers.next().is_none());
    }
}

#[test]
fn each_line_is_answered_at_once_if_somebody_waits() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::{Command, Stdio};
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("tracebank"))
        .args(["parse", "--model", MODEL, "--input", "lines", "--output", "words", "--unbuffered"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for line in ["We left .", "They stayed .", "Why ?"] {
        writeln!(input, "{line}").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), line);
    }
    drop(input);
    assert!(answers.next().is_none() && child.wait().unwrap().success());
}

#[test]
fn numbers_that_no_machine_could_do_are_refused() {
    for line in [
        &["eval", "a", "b", "--against", "c", "--samples", "99999999999"][..],
        &["rules", "count", "--words", "1000000"],
        &["rules", "verify", "--words", "0"],
        &["bench", "decode", "--words", "100000"],
        &["bench", "decode", "--words", "5", "--tables", "0"],
        &["search", "NP", "--threads", "0"],
        &["parse", "--memory-budget", "0", "a b"],
        &["parse", "--time-budget", "inf", "a b"],
    ] {
        let refused = tracebank(line, b"");
        assert_eq!(refused.status.code(), Some(2), "{line:?}: {}", stderr(&refused));
        assert!(stderr(&refused).contains("invalid value"), "{line:?}: {}", stderr(&refused));
    }
}

/// A hundred lines of a mebibyte and more, and memory that does not notice.
#[cfg(target_os = "linux")]
#[test]
fn long_lines_have_one_marked_answer_each_in_bounded_memory() {
    use std::process::{Command, Stdio};
    for (format, line) in [("tokens", "a "), ("lines", "!;"), ("tagged", "a_B ")] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("tracebank"))
            .args(["parse", "--model", MODEL, "--input", format, "--quiet", "--stats"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || {
            let half = format!("{}\n", line.repeat((1 << 19) / line.len()));
            let twice = format!("{}\n", line.repeat((1 << 21) / line.len()));
            for line in [&half, &twice].into_iter().cycle().take(20) {
                std::io::Write::write_all(&mut input, line.as_bytes()).unwrap();
            }
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(stdout(&output), "( (X-FAILED (-NONE- 0)))\n".repeat(20), "{format}");
        let stats: serde_json::Value = serde_json::from_str(stderr(&output)).unwrap();
        let peak = stats["peak_bytes"].as_u64().unwrap();
        assert!(peak < 500 << 20, "{format}: {peak} bytes");
    }
}
