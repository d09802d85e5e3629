//! `tracebank model`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use miette::Result;
use serde::Serialize;
use serde_json::Value;
use tracebank_linear::LinearModel;
use tracebank_parser::gold::{Gold, TrainingExample};
use tracebank_parser::model::{Metadata, ModelFile};
use tracebank_parser::pipeline::{Pipeline, Request};
use tracebank_train::linear::roles::RoleCalibration;
use tracebank_train::{
    Calibration, Event, Recipe, Representation, TrainingError, TrainingRecord, Treebank, calibration, retune,
};

use super::train::{headline, read_recipe};
use crate::choice::one_of;
use crate::failure::{Failure, say};
use crate::input::{TreeFormat, USUAL};
use crate::output::{Output, OutputArguments, refuse_gzip};

/// Look into a model file
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank model info default
  tracebank model verify my.model
  tracebank model calibration default --from masc masc-dev.mrg.gz
  tracebank model tune default recipe.toml --out tuned.tbm")]
pub(crate) struct Model {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Show what is in a model: sections, configuration, scores
    Info {
        /// A file, or one of the models built in: default, fast
        #[arg(value_name = "MODEL")]
        model: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Check every byte of a model
    Verify {
        /// A file, or one of the models built in: default, fast
        #[arg(value_name = "MODEL")]
        model: String,
    },
    /// Choose the settings of a model's decoder anew, for the `dev` files of a recipe
    Tune {
        /// A file, or one of the models built in: default, fast
        #[arg(value_name = "MODEL")]
        model: String,
        /// The recipe; only its `dev` and `schedule.measure_sentences` matter
        recipe: PathBuf,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Show, as JSON, how far the probabilities of a model can be trusted, and what it leaves the decoder to choose from
    Calibration {
        /// A file, or one of the models built in: default, fast
        #[arg(value_name = "MODEL")]
        model: String,
        /// Gold trees
        trees: PathBuf,
        /// The form of the trees, and the dialect that the model is told to follow
        #[arg(long, value_parser = one_of::<TreeFormat>(), default_value = USUAL, value_name = "FORM")]
        from: TreeFormat,
    },
}

/// The model called `name`: one of those built in, or a file.
pub(crate) fn open_model(name: &str) -> Result<ModelFile<'static>> {
    let embedded = tracebank::embedded_model(name).filter(|model| model.is_ok() || !Path::new(name).exists());
    let model = embedded.unwrap_or_else(|| tracebank::read_model(Path::new(name)));
    Ok(model.map_err(|error| Failure(error.to_string()))?)
}

pub(crate) fn run(arguments: &Model) -> Result<ExitCode> {
    let (bytes, mut output) = match &arguments.what {
        What::Info { model, json } => {
            let file = open_model(model)?;
            let about = about(&file).map_err(|error| at(model, &error))?;
            let shown = if *json { as_json } else { as_text };
            (shown(&file, about.as_ref()).into_bytes(), Output::stdout())
        }
        What::Verify { model } => {
            let file = open_model(model)?;
            file.verify().map_err(|error| at(model, &error))?;
            let line = format!("{model}: sound, {} bytes, BLAKE3 {}\n", file.len(), file.checksum());
            (line.into_bytes(), Output::stdout())
        }
        What::Tune { model, recipe, output } => {
            output.path().map_or(Ok(()), refuse_gzip)?;
            let output = output.open()?;
            (tuned(model, &read_recipe(recipe)?)?, output)
        }
        What::Calibration { model, trees, from } => {
            let found = calibration_of(&open_model(model)?, trees, from.dialect().name);
            let found = found.map_err(|error| at(model, &error))?;
            let json = serde_json::to_string_pretty(&found).expect("figures are JSON");
            (format!("{json}\n").into_bytes(), Output::stdout())
        }
    };
    output.write_bytes(&bytes)?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn at(model: &str, error: &dyn std::fmt::Display) -> Failure {
    Failure(format!("{model}: {error}"))
}

/// The bytes of the model with the settings that suit a recipe.
fn tuned(model: &str, recipe: &Recipe) -> Result<Vec<u8>> {
    let file = open_model(model)?;
    let metadata = Metadata::read(&file).map_err(|error| at(model, &error))?;
    let scorer = tracebank::read_scorer(&file, &metadata.vocabulary).map_err(|error| at(model, &error))?;
    let tuned = retune(&file, scorer, recipe, &mut |event| match event {
        Event::Measured { file, figures, .. } => say(&format!("{file}: {}", headline(figures))),
        Event::Tried { trial, of, .. } if trial % 10 == 0 => say(&format!("trial {trial} of {of}")),
        _ => {}
    });
    Ok(tuned.map_err(|error| at(model, &error))?)
}

/// The calibration of a whole model: more about those that have a linear part.
#[derive(Serialize)]
struct ModelCalibration {
    #[serde(flatten)]
    scores: Calibration,
    #[serde(skip_serializing_if = "Option::is_none")]
    roles: Option<RoleCalibration>,
}

fn calibration_of(
    file: &ModelFile<'_>,
    trees: &Path,
    dialect: &str,
) -> Result<ModelCalibration, TrainingError> {
    let metadata = Metadata::read(file)?;
    let scorer = tracebank::read_scorer(file, &metadata.vocabulary)?;
    let number = metadata.dialects.iter().position(|known| known == dialect).unwrap_or(0);
    let treebank = Treebank {
        file: trees.to_owned().into(),
        dialect: dialect.to_owned(),
        model_dialect: None,
        weight: 1.0,
    };
    let request = Request { dialect: number, ..Request::default() };
    let examples = treebank.examples(&Representation::default())?;
    let roles = file.has(LinearModel::SECTION).then(|| {
        let model = LinearModel::read(file, &metadata.vocabulary)?;
        let words = |example: &TrainingExample| {
            example.projection.words.iter().map(|word| word.form.clone()).collect()
        };
        let gold = |example: &TrainingExample| example.gold(&metadata.vocabulary);
        let sentences: Vec<(Vec<String>, Gold)> =
            examples.iter().map(|(_, example)| (words(example), gold(example))).collect();
        let sentences = sentences.iter().map(|(words, gold)| (&words[..], gold));
        Ok::<_, TrainingError>(RoleCalibration::of(&model, sentences))
    });
    let roles = roles.transpose()?;
    let scores = calibration(&Pipeline { metadata, scorer }, &examples, &request);
    Ok(ModelCalibration { scores, roles })
}

fn about(file: &ModelFile<'_>) -> Result<Option<Value>, tracebank_parser::model::ModelError> {
    file.has(TrainingRecord::SECTION).then(|| file.json(TrainingRecord::SECTION)).transpose()
}

fn as_json(file: &ModelFile<'_>, about: Option<&Value>) -> String {
    let sections: Vec<_> = file.sections().collect();
    let value = serde_json::json!({
        "bytes": file.len(),
        "blake3": file.checksum(),
        "sections": sections,
        "about": about,
    });
    format!("{value:#}\n")
}

fn as_text(file: &ModelFile<'_>, about: Option<&Value>) -> String {
    let mut text = format!("{} bytes, BLAKE3 {}\n\n", file.len(), file.checksum());
    writeln!(text, "{:<16} {:>12} {:>12}", "section", "bytes", "unpacked").expect("writing to a string");
    for section in file.sections() {
        writeln!(text, "{:<16} {:>12} {:>12}", section.name, section.packed, section.full)
            .expect("writing to a string");
    }
    if let Some(about) = about {
        writeln!(text, "\n{about:#}").expect("writing to a string");
    }
    text
}
