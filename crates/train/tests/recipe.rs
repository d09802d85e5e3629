//! Recipes: a misspelt entry is an error that names it, in every table; and those of the shipped models can still be read.

use tracebank_parser::model::ModelFile;
use tracebank_train::{Recipe, TrainingRecord};

/// A recipe that has every table.
const WHOLE: &str = r#"
name = "whole"
train = [{ file = "trees.mrg", dialect = "penn" }]
dev = [{ file = "trees.mrg", dialect = "penn" }]
[network]
width = 48
[network.encoder]
kind = "lstm"
[network.spelling]
buckets = 256
[network.labels]
tags = 1
[network.hidden]
tags = 1
[tasks]
tags = 1.0
[structured]
objective = "hinge"
[structured.loss]
spine = 1.0
[structured.loss.structural]
extra = 1.0
[structured.loss.trace]
extra = 1.0
[schedule]
epochs = 1.0
[settings]
spines = 4
[linear]
warm_up = 1
[linear.training]
epochs = 1
[linear.training.loss]
spine = 1.0
[linear.training.rule]
rate = 0.1
[linear.roles]
epochs = 1
[linear.roles.rule]
rate = 0.1
[linear.model]
bits = 16
[linear.model.settings]
spines = 4
"#;

#[test]
fn a_misspelt_entry_in_any_table_is_an_error_that_names_it() {
    let is_read = |text: &str| toml::from_str::<Recipe>(text);
    is_read(WHOLE).unwrap();
    is_read(&WHOLE.replace("\"lstm\"", "\"pretrained\"")).unwrap();
    let mut tables = 0;
    for (start, _) in WHOLE.match_indices('[').filter(|&(at, _)| WHOLE[..at].ends_with('\n')) {
        let end = start + WHOLE[start..].find('\n').unwrap();
        for kind in ["lstm", "pretrained"] {
            let wrong = format!("{}\neppochs = 1{}", &WHOLE[..end], &WHOLE[end..]);
            let error = is_read(&wrong.replace("lstm", kind)).expect_err(&WHOLE[start..end]).to_string();
            assert!(error.contains("eppochs"), "{}: {error}", &WHOLE[start..end]);
        }
        tables += 1;
    }
    assert_eq!(tables, 20);
    for wrong in [WHOLE.replace("dialect", "dialekt"), WHOLE.replacen("name", "nayme", 1)] {
        let error = is_read(&wrong).unwrap_err().to_string();
        assert!(error.contains("dialekt") || error.contains("nayme"), "{error}");
    }
}

#[test]
fn the_recipes_of_the_repository_and_of_its_models_can_be_read() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = |folder: &str, ending: &str| {
        let paths = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        let paths: Vec<_> =
            paths.filter(|path| path.extension().is_some_and(|known| known == ending)).collect();
        assert!(!paths.is_empty(), "{folder}");
        paths
    };
    let recipes = ["recipes/english", "recipes/fast", "recipes/wsj"].map(|folder| files(folder, "toml"));
    for path in recipes.into_iter().flatten() {
        let recipe = toml::from_str::<Recipe>(&std::fs::read_to_string(&path).unwrap());
        recipe.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    for path in files("crates/tracebank/models", "tbm") {
        let bytes = std::fs::read(&path).unwrap();
        let record = ModelFile::open(&bytes).unwrap().json::<TrainingRecord>(TrainingRecord::SECTION);
        record.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}
