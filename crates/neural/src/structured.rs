//! Learning from whole sentences: an objective of the parser over the network's scores.
//!
//! The network's own tasks are learnt each by itself, the rest being right. Here all that can be chosen together is weighed together, as the
//! decoder will weigh it. It cannot stand alone: which spines and heads are looked at is decided by their scores as tasks, so these must go on
//! counting for something.

use serde::{Deserialize, Serialize};
use tracebank_parser::decode::Settings;
use tracebank_parser::gold::Gold;
use tracebank_parser::inventory::Inventory;
use tracebank_parser::train::goal::Goal;
use tracebank_parser::train::loss::Loss;
use tracebank_parser::train::objective::Slope;

use crate::network::{Example, Network, Words};
use crate::outlook::{Outlook, Referring};
use crate::tape::Tape;

/// What is to be learnt from whole sentences.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StructuredRecipe {
    /// What is made small.
    pub goal: Goal,
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
    inventory: Inventory,
    settings: Settings,
    referring: Referring,
}

impl Structured {
    /// The objective that a recipe asks for. `settings` say what is looked at; scores all count once.
    pub fn new(recipe: StructuredRecipe, inventory: &Inventory, settings: Settings) -> Structured {
        let settings =
            Settings { spine: 1.0, attachment: 1.0, trace: 1.0, trace_bonus: 0.0, awaited: 0.0, ..settings };
        Structured { recipe, inventory: inventory.clone(), settings, referring: Referring::new(inventory) }
    }

    /// Adds the loss of a batch to the tape, times its weight and `factor`; gives it with its weight only.
    pub fn loss(
        &self,
        network: &Network,
        tape: &mut Tape<'_>,
        words: &Words,
        batch: &[&Example],
        factor: f32,
    ) -> f32 {
        let gold: Vec<&Gold> = batch.iter().map(|example| &example.gold).collect();
        let outlook = Outlook::new(network, tape, words, Some(&self.referring), Some(&gold));
        let StructuredRecipe { goal, weight, loss } = self.recipe;
        let mut objective = goal.objective(&self.inventory, self.settings, loss);
        let scores = outlook.sentences().into_iter().zip(gold);
        let slopes: Vec<Slope> = scores.map(|(scores, gold)| objective.slope(scores, gold)).collect();
        outlook.learn(tape, &slopes, weight * factor);
        weight * slopes.iter().map(|slope| slope.loss as f32).sum::<f32>()
    }
}
