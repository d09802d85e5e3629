//! Corpora: the trees that a recipe names, read and counted. [`Corpus`] holds those to learn from, [`DevSets`] those to measure with.

mod dev;
mod treebank;

use tracebank_parser::gold::{RestorationTable, TrainingExample};
use tracebank_parser::vocabulary::{Names, VocabularyCounter};

pub(crate) use dev::DevSets;
pub use treebank::{CorpusError, Treebank};

use crate::recipe::Recipe;
use crate::training::TrainingError;

/// The trees to learn from, and what was counted in them.
pub(crate) struct Corpus {
    pub(crate) names: Names,
    pub(crate) restoration: RestorationTable,
    pub(crate) dialects: Vec<String>,
    /// Dialect, weight and example of each tree that is not too long.
    pub(crate) examples: Vec<(usize, f64, TrainingExample)>,
}

impl Corpus {
    pub(crate) fn read(recipe: &Recipe) -> Result<Corpus, TrainingError> {
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
            return Err(TrainingError::NoTrees);
        }
        restoration.functions = restoration.functions.settled();
        Ok(Corpus { names: counter.names(recipe.least), restoration, dialects, examples })
    }
}
