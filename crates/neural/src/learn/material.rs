//! What a recipe names, read and counted: trees to learn from, and trees to measure with.

use std::collections::BTreeMap;

use tracebank_parser::corpus::Treebank;
use tracebank_parser::gold::{RestorationTable, TrainingExample};
use tracebank_parser::pipeline::{Options, Parser, Scorer};
use tracebank_parser::vocabulary::{Names, VocabularyCounter};
use tracebank_syntax::tree::Tree;

use super::measure::{Figures, measure};
use super::recipe::Recipe;
use super::training::{Event, LearnError};
use super::tune::Sample;

/// Trees to learn from, and what was counted in them.
pub(super) struct Material {
    pub(super) names: Names,
    pub(super) restoration: RestorationTable,
    pub(super) dialects: Vec<String>,
    /// Convention, weight and example of each tree that is not too long.
    pub(super) examples: Vec<(usize, f64, TrainingExample)>,
}

impl Material {
    pub(super) fn read(recipe: &Recipe) -> Result<Material, LearnError> {
        let mut dialects: Vec<String> = Vec::new();
        let (mut counter, mut restoration) = (VocabularyCounter::default(), RestorationTable::default());
        let mut examples = Vec::new();
        for treebank in &recipe.train {
            let known = dialects.iter().position(|known| known == treebank.model_dialect());
            let dialect = known.unwrap_or_else(|| {
                dialects.push(treebank.model_dialect().to_owned());
                dialects.len() - 1
            });
            for (_, example) in treebank.examples()? {
                counter.add(&example.projection, &example.functions);
                restoration.learn(&example);
                if example.projection.words.len() <= recipe.schedule.max_words {
                    examples.push((dialect, treebank.weight, example));
                }
            }
        }
        if examples.is_empty() {
            return Err(LearnError::NoTrees);
        }
        restoration.functions = restoration.functions.settled();
        Ok(Material { names: counter.names(recipe.least), restoration, dialects, examples })
    }
}

/// Trees to measure with, file by file, and the figures of the last measurement.
pub(super) struct Yardsticks {
    files: Vec<Yardstick>,
    pub(super) figures: BTreeMap<String, Figures>,
}

struct Yardstick {
    file: String,
    options: Options,
    gold: Vec<(Tree, TrainingExample)>,
}

impl Yardsticks {
    pub(super) fn read(recipe: &Recipe, dialects: &[String]) -> Result<Yardsticks, LearnError> {
        let read = |treebank: &Treebank| {
            let dialect = dialects.iter().position(|known| known == treebank.model_dialect()).unwrap_or(0);
            let file = treebank.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let options = Options { dialect, ..Options::default() };
            Ok(Yardstick { file, options, gold: treebank.examples()? })
        };
        let files = recipe.dev.iter().map(read).collect::<Result<_, LearnError>>()?;
        Ok(Yardsticks { files, figures: BTreeMap::new() })
    }

    /// Measures a parser with at most so many sentences of each file.
    pub(super) fn measure<S: Scorer>(
        &mut self,
        parser: &Parser<S>,
        step: usize,
        most: usize,
        watch: &mut dyn FnMut(Event<'_>),
    ) {
        for Yardstick { file, options, gold } in &self.files {
            let figures = measure(parser, &gold[..most.min(gold.len())], options);
            watch(Event::Measured { step, file, figures: &figures });
            self.figures.insert(file.clone(), figures);
        }
    }

    /// Measures what a parser loses by rounding, with at most so many sentences of each file.
    pub(super) fn compare<S: Scorer>(
        &self,
        full: &Parser<S>,
        rounded: &Parser<S>,
        most: usize,
        watch: &mut dyn FnMut(Event<'_>),
    ) {
        for Yardstick { file, options, gold } in &self.files {
            let gold = &gold[..most.min(gold.len())];
            let [full, rounded] = [full, rounded].map(|parser| measure(parser, gold, options));
            watch(Event::Rounded { file, full: &full, rounded: &rounded });
        }
    }

    /// At most so many sentences of each file.
    pub(super) fn samples(&self, most: usize) -> Vec<Sample<'_>> {
        self.files.iter().map(|file| (&file.gold[..most.min(file.gold.len())], file.options)).collect()
    }
}
