//! Corpora: the trees that a recipe names, read and counted. [`Corpus`] holds those to learn from, [`DevSets`] those to measure with.

mod dev;
mod treebank;

use tracebank_parser::gold::{RestorationTable, TrainingExample};
use tracebank_parser::model::{Metadata, ModelError};
use tracebank_parser::spine_tags::SpineTags;
use tracebank_parser::valency::Valency;
use tracebank_parser::vocabulary::{Vocabulary, VocabularyCounter};
use tracebank_syntax::graph::Vertex;

pub(crate) use dev::DevSets;
pub use treebank::{CorpusError, Treebank};

use crate::recipe::Recipe;
use crate::training::TrainingError;

/// The trees to learn from, and what was counted in them.
pub(crate) struct Corpus {
    pub(crate) metadata: Metadata,
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
            let all = treebank.examples(&recipe.representation)?.into_iter().enumerate();
            for (_, (_, example)) in all.filter(|(place, _)| !recipe.is_held_out(*place)) {
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
        let names = counter.names(recipe.least);
        let vocabulary = Vocabulary::new(names).map_err(|error| ModelError::section("names", error))?;
        let mut settings = recipe.settings;
        settings.single_root &= is_single_rooted(&examples);
        let (valency, spine_tags) = tables(&examples, &vocabulary);
        let rules = recipe.representation.rules()?;
        let metadata = Metadata { vocabulary, restoration, valency, spine_tags, rules, settings, dialects };
        Ok(Corpus { metadata, examples })
    }
}

/// The valency and the tags of the spines of a vocabulary in these trees.
pub(crate) fn tables(
    examples: &[(usize, f64, TrainingExample)],
    vocabulary: &Vocabulary,
) -> (Valency, SpineTags) {
    let (mut valency, mut spine_tags) = (Valency::default(), SpineTags::default());
    for (_, _, example) in examples {
        let gold = example.gold(vocabulary);
        valency.learn(&gold, vocabulary);
        spine_tags.learn(&gold);
    }
    (valency, spine_tags)
}

/// Whether the roots of these trees have one child, but for a tree in a hundred at most: some treebanks have a few trees in pieces.
fn is_single_rooted(examples: &[(usize, f64, TrainingExample)]) -> bool {
    let tops = |example: &TrainingExample| {
        example.projection.words.iter().filter(|word| word.head == Vertex(0)).count()
    };
    let several = examples.iter().filter(|(_, _, example)| tops(example) > 1).count();
    several * 100 <= examples.len()
}
