//! The objectives there are, by the names that recipes have for them.

use serde::{Deserialize, Serialize};
use tracebank_syntax::class::Structure;

use super::Objective;
use super::crf::Crf;
use super::local::Local;
use super::loss::Loss;
use super::margin::Margin;
use tracebank_parser::decode::Settings;
use tracebank_parser::vocabulary::Vocabulary;

/// The class of structures that an objective with a decoder looks for mistakes in, by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassKind {
    /// One-endpoint-crossing graphs.
    #[default]
    OneEndpointCrossing,
    /// Projective graphs.
    ProjectiveGraph,
    /// Projective trees: no traces.
    ProjectiveTree,
}

impl From<ClassKind> for Structure {
    fn from(class: ClassKind) -> Structure {
        match class {
            ClassKind::OneEndpointCrossing => Structure::OneEndpointCrossing,
            ClassKind::ProjectiveGraph => Structure::ProjectiveGraph,
            ClassKind::ProjectiveTree => Structure::ProjectiveTree,
        }
    }
}

/// An objective by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObjectiveKind {
    /// The structured hinge loss.
    Hinge,
    /// The perceptron's loss.
    Perceptron,
    /// The log-loss of whole trees.
    Crf,
    /// The log-loss of choices.
    Local,
}

impl ObjectiveKind {
    /// The objective for a vocabulary. `class` is the one that those with a decoder look in, `loss` says what mistakes cost, for [`ObjectiveKind::Hinge`].
    pub fn build(
        self,
        vocabulary: &Vocabulary,
        settings: Settings,
        class: ClassKind,
        loss: Loss,
    ) -> Box<dyn Objective + '_> {
        let structure = class.into();
        match self {
            ObjectiveKind::Hinge => Box::new(Margin::hinge(vocabulary, settings, structure, loss)),
            ObjectiveKind::Perceptron => Box::new(Margin::perceptron(vocabulary, settings, structure)),
            ObjectiveKind::Crf => Box::new(Crf::new(vocabulary, settings)),
            ObjectiveKind::Local => Box::new(Local::new(vocabulary, settings.unmet_penalty)),
        }
    }
}
