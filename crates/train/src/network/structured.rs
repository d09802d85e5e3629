//! Learning from whole sentences: an objective over the network's scores.
//!
//! The network's own tasks are learnt each by itself, the rest being right. Here all that can be chosen together is weighed together, as the
//! decoder will weigh it. It cannot stand alone: which spines and heads are looked at is decided by their scores as tasks, so these must go on
//! counting for something.

use serde::{Deserialize, Serialize};
use tracebank_neural::batch_scores::{BatchScores, Referring};
use tracebank_nn::tape::Tape;
use tracebank_parser::decode::{Pruning, Settings};
use tracebank_parser::gold::Gold;
use tracebank_parser::scores::Parts;
use tracebank_parser::vocabulary::Vocabulary;

use crate::objective::loss::Loss;
use crate::objective::{ClassKind, ObjectiveKind};

/// The table `[structured]` of a recipe: an objective over whole sentences.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StructuredRecipe {
    /// The objective.
    #[serde(alias = "goal")]
    pub objective: ObjectiveKind,
    /// Its weight beside the tasks.
    #[serde(default = "one")]
    pub weight: f32,
    /// The class in which the hinge loss and the perceptron look for mistakes.
    #[serde(default)]
    pub class: ClassKind,
    /// The costs of mistakes, for the hinge loss.
    #[serde(default)]
    pub loss: Loss,
    /// The share of the steps after which it begins. Before, the tasks are learnt alone: as long as nothing is known about heads, there is no
    /// sense in sums over all trees, which take long.
    #[serde(default)]
    pub begin: f32,
    /// The weight of the tasks from then on, as a share of what it was.
    #[serde(default = "one")]
    pub tasks: f32,
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
        let settings = settings.unweighted();
        Structured { recipe, vocabulary: vocabulary.clone(), settings, referring: Referring::new(vocabulary) }
    }

    /// The pruning of the decoder that the objective weighs as.
    pub fn pruning(&self) -> Pruning {
        self.settings.pruning
    }

    /// The spines that have something that refers.
    pub(super) fn referring(&self) -> &Referring {
        &self.referring
    }

    /// Adds the loss of a batch to the tape, times its weight and `factor`; gives it with its weight only.
    pub fn add_loss(&self, tape: &mut Tape<'_>, scores: &BatchScores, gold: &[&Gold], factor: f32) -> f32 {
        let StructuredRecipe { objective, weight, class, loss, .. } = self.recipe;
        let mut objective = objective.build(&self.vocabulary, self.settings, class, loss);
        let mut total = 0.0;
        let gradient = |(scores, gold): (_, &&Gold)| -> Parts {
            let gradient = objective.gradient(scores, gold);
            total += gradient.loss as f32;
            gradient.parts
        };
        let gradients: Vec<Parts> = scores.sentences().into_iter().zip(gold).map(gradient).collect();
        scores.add_loss(tape, &gradients, weight * factor);
        weight * total
    }
}
