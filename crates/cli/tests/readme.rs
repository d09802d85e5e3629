//! The README's parse, held against the program.

use assert_cmd::Command;

#[test]
fn the_parse_in_the_readme_is_what_comes_out() {
    let readme = include_str!("../../../README.md");
    let (_, example) = readme.split_once("    $ echo '").expect("an example with its output");
    let (sentence, rest) = example.split_once("' | cargo run -q --release -- ").expect("a command");
    let (arguments, rest) = rest.split_once('\n').expect("output below the command");
    let shown: Vec<&str> = rest.lines().map_while(|line| line.strip_prefix("    ")).collect();
    let run = Command::cargo_bin("tracebank")
        .unwrap()
        .args(arguments.split(' '))
        .write_stdin(sentence)
        .output()
        .unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    let printed: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
    assert_eq!(printed, shown.iter().map(|line| line.trim_end()).collect::<Vec<_>>());
}
