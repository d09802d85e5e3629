//! The objectives there are, by the names that recipes have for them.

use serde::{Deserialize, Serialize};
use tracebank_syntax::class::Structure;

use super::crf::Crf;
use super::local::Local;
use super::loss::Loss;
use super::margin::Margin;
use super::objective::Objective;
use crate::decode::Settings;
use crate::inventory::Inventory;

/// What is made small.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// The structured hinge loss.
    Hinge,
    /// The perceptron's loss.
    Perceptron,
    /// The log-loss of whole trees.
    Crf,
    /// The log-loss of choices.
    Local,
}

impl Goal {
    /// The objective for an inventory. `loss` is what mistakes cost, for [`Goal::Hinge`].
    pub fn objective(self, inventory: &Inventory, settings: Settings, loss: Loss) -> Box<dyn Objective + '_> {
        let structure = Structure::OneEndpointCrossing;
        match self {
            Goal::Hinge => Box::new(Margin::hinge(inventory, settings, structure, loss)),
            Goal::Perceptron => Box::new(Margin::perceptron(inventory, settings, structure)),
            Goal::Crf => Box::new(Crf::new(inventory, settings)),
            Goal::Local => Box::new(Local::new(inventory, settings.unmet)),
        }
    }
}
