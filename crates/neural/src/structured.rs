//! Learning from whole sentences: an objective of the parser over the network's scores.
//!
//! The network's own tasks are learnt each by itself, the rest being right. Here all that can be chosen together is weighed together, as the
//! decoder will weigh it. It cannot stand alone: which spines and heads are looked at is decided by their scores as tasks, so these must go on
//! counting for something.

use serde::{Deserialize, Serialize};
use tracebank_parser::decode::Settings;
use tracebank_parser::gold::Gold;
use tracebank_parser::train::kind::ObjectiveKind;
use tracebank_parser::train::loss::Loss;
use tracebank_parser::train::objective::LossGradient;
use tracebank_parser::vocabulary::Vocabulary;

use crate::network::{Network, PreparedExample, Words};
use crate::outlook::{Outlook, Referring};
use crate::tape::Tape;

/// What is to be learnt from whole sentences.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StructuredRecipe {
    /// What is made small.
    #[serde(alias = "goal")]
    pub objective: ObjectiveKind,
    /// What it counts beside the tasks.
    #[serde(default = "one")]
    pub weight: f32,
    /// What mistakes cost, for the hinge loss.
    #[serde(default)]
    pub loss: Loss,
}

fn one() -> f32 {
    1.0
}

/// An objective over whole sentences.
#[derive(Clone, Debug)]
pub struct Structured {
    recipe: StructuredRecipe,
    vocabulary: Vocabulary,
    settings: Settings,
    referring: Referring,
}

impl Structured {
    /// The objective that a recipe asks for. `settings` say what is looked at; scores all count once.
    pub fn new(recipe: StructuredRecipe, vocabulary: &Vocabulary, settings: Settings) -> Structured {
        let settings = Settings {
            spine: 1.0,
            attachment: 1.0,
            trace: 1.0,
            trace_bonus: 0.0,
            awaited_bonus: 0.0,
            ..settings
        };
        Structured { recipe, vocabulary: vocabulary.clone(), settings, referring: Referring::new(vocabulary) }
    }

    /// Adds the loss of a batch to the tape, times its weight and `factor`; gives it with its weight only.
    pub fn loss(
        &self,
        network: &Network,
        tape: &mut Tape<'_>,
        words: &Words,
        batch: &[&PreparedExample],
        factor: f32,
    ) -> f32 {
        let gold: Vec<&Gold> = batch.iter().map(|example| &example.gold).collect();
        let outlook = Outlook::new(network, tape, words, Some(&self.referring), Some(&gold));
        let StructuredRecipe { objective, weight, loss } = self.recipe;
        let mut objective = objective.build(&self.vocabulary, self.settings, loss);
        let scores = outlook.sentences().into_iter().zip(gold);
        let gradients: Vec<LossGradient> =
            scores.map(|(scores, gold)| objective.gradient(scores, gold)).collect();
        outlook.learn(tape, &gradients, weight * factor);
        weight * gradients.iter().map(|gradient| gradient.loss as f32).sum::<f32>()
    }
}
