//! The recipe for the Penn Treebank, end to end, on a folder laid out like it: train, then the paper's two tables.

use std::fs;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracebank");

#[test]
fn the_recipe_of_the_penn_treebank_trains_and_the_tables_come_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let trees = fs::read_to_string(root.join("treebank/handmade.mrg")).unwrap();
    let trees: Vec<&str> = trees.lines().collect();
    for (section, from) in [("02", 0), ("10", 1), ("21", 2), ("22", 0), ("23", 1)] {
        let section = folder.path().join(section);
        fs::create_dir(&section).unwrap();
        let chosen: Vec<&str> = trees.iter().skip(from).step_by(3).copied().collect();
        fs::write(section.join(format!("wsj_{from}.mrg")), chosen.join("\n")).unwrap();
    }
    // Fewer rounds and a smaller model; all else is as it is shipped.
    let recipe = fs::read_to_string(root.join("recipes/ptb.toml")).unwrap();
    let small =
        recipe.replace("training.epochs = 8", "training.epochs = 1\nmodel.bits = 16\nmodel.folds = 0");
    assert_ne!(small, recipe);
    let (recipe, model) = (folder.path().join("ptb.toml"), folder.path().join("ptb.tbm"));
    fs::write(&recipe, small).unwrap();
    let train = Command::new(PROGRAM)
        // Without a checkpoint `--resume` begins, so that one command serves to begin and to go on.
        .args(["train".as_ref(), recipe.as_os_str(), "--out".as_ref(), model.as_os_str()])
        .arg("--resume")
        .env("PTB", folder.path())
        .output()
        .unwrap();
    assert!(train.status.success(), "{}", String::from_utf8_lossy(&train.stderr));
    let tables = Command::new("bash")
        .args([root.join("recipes/ptb-tables").as_os_str(), folder.path().as_os_str(), model.as_os_str()])
        .env("TRACEBANK", PROGRAM)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&tables.stdout);
    assert!(tables.status.success(), "{text}{}", String::from_utf8_lossy(&tables.stderr));
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let ends = |name: &str, end: &[&str]| {
        rows.iter()
            .any(|row| row.join(" ").starts_with(name) && row.ends_with(end) && row.len() > end.len() + 2)
    };
    assert!(ends("+ Parallel construction shift", &["97.31", "99.49"]), "{text}");
    assert!(ends("null elements and co-indexation", &["74.3", "67.3", "70.6"]), "{text}");
}

#[test]
fn a_recipe_whose_folder_is_not_named_says_which() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let train = Command::new(PROGRAM)
        .args(["train".as_ref(), root.join("recipes/ptb.toml").as_os_str(), "--out".as_ref()])
        .arg(folder.path().join("x.tbm"))
        .env_remove("PTB")
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&train.stderr);
    assert!(!train.status.success() && error.contains("the variable PTB is not set"), "{error}");
}
