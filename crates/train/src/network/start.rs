//! Going on from a model that has been trained already.
//!
//! Most weights are the same thing in both networks if they have the same name and shape. The rows of some stand for something that
//! has a name of its own (a spine, a piece of a word), and are taken over where both networks know that name.

use std::collections::HashMap;

use tracebank_neural::scorer::SECTION;
use tracebank_neural::{Lexicon, Network};
use tracebank_parser::model::Metadata;
use tracebank_parser::model::ModelFile;
use tracebank_parser::vocabulary::Names;

use crate::recipe_path::RecipePath;
use crate::training::TrainingError;

/// A trained network and what its rows stand for.
pub(crate) struct Start {
    pub(crate) network: Network,
    pub(crate) metadata: Metadata,
}

impl Start {
    pub(crate) fn read(path: &RecipePath) -> Result<Start, TrainingError> {
        let wrong =
            |error: &dyn std::fmt::Display| TrainingError::Start(format!("{}: {error}", path.as_written()));
        let place = path.resolved().map_err(|error| wrong(&error))?;
        let file = ModelFile::read(&place).map_err(|error| wrong(&error))?;
        let metadata = Metadata::read(&file).map_err(|error| wrong(&error))?;
        let section = file.section(SECTION).map_err(|error| wrong(&error))?;
        let network = Network::from_bytes(&section).map_err(|error| wrong(&error))?;
        if !network.config().fits(metadata.vocabulary.names(), metadata.dialects.len()) {
            return Err(wrong(&"its network does not fit its names"));
        }
        Ok(Start { network, metadata })
    }

    /// Copies all weights that `network` has as well.
    pub(crate) fn fill(&self, network: &mut Network, names: &Names, dialects: &[String]) {
        let lexicon = network.lexicon().clone();
        let rows = RowNames { names, dialects, lexicon: &lexicon };
        let theirs = RowNames {
            names: self.metadata.vocabulary.names(),
            dialects: &self.metadata.dialects,
            lexicon: self.network.lexicon(),
        };
        for param in network.params.iter_mut() {
            let Some(found) = self.network.params.find(&param.name).map(|id| self.network.params.value(id))
            else {
                continue;
            };
            match (rows.of(&param.name), theirs.of(&param.name)) {
                (Some(ours), Some(theirs)) => {
                    copy_rows(param.value.values_mut(), &ours, found.values(), &theirs);
                }
                _ if found.shape() == param.value.shape() => param.value = found.clone(),
                _ => {}
            }
        }
    }
}

/// Copies the rows whose names both matrices have, if rows are of the same length. A row with a new name becomes the mean of all: its own
/// first values would be far from those that have been trained, and drown them.
fn copy_rows(ours: &mut [f32], our_names: &[&str], theirs: &[f32], their_names: &[&str]) {
    let cols = ours.len() / our_names.len().max(1);
    if theirs.len() != cols * their_names.len() || ours.len() != cols * our_names.len() || cols == 0 {
        return;
    }
    let by_name: HashMap<&str, &[f32]> = their_names.iter().copied().zip(theirs.chunks_exact(cols)).collect();
    let mut mean = vec![0.0; cols];
    for row in theirs.chunks_exact(cols) {
        mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += value / their_names.len() as f32);
    }
    for (name, row) in our_names.iter().zip(ours.chunks_exact_mut(cols)) {
        row.copy_from_slice(by_name.get(name).copied().unwrap_or(&mean));
    }
}

/// The names of the rows of a network's matrices.
struct RowNames<'n> {
    names: &'n Names,
    dialects: &'n [String],
    lexicon: &'n Lexicon,
}

impl<'n> RowNames<'n> {
    /// The names of a parameter's rows, or of the entries of a bias; none if they have no names.
    fn of(&self, param: &str) -> Option<Vec<&'n str>> {
        let names = self.names;
        let list = match param.trim_end_matches(".weight").trim_end_matches(".bias") {
            "tags.scores" => &names.tags[..],
            "spines.scores" => &names.spines,
            "functions.scores" => &names.functions,
            "attachments.labels" => &names.attachments,
            "traces.labels" => {
                // Class 0 is that there is none.
                return Some(std::iter::once("").chain(names.traces.iter().map(String::as_str)).collect());
            }
            "embeddings.dialects" => self.dialects,
            "embeddings.words" => match self.lexicon {
                Lexicon::Pieces(pieces) => return Some(pieces.pieces().iter().collect()),
                Lexicon::Words(_) => return None,
            },
            _ => return None,
        };
        Some(list.iter().map(String::as_str).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_go_where_their_names_are() {
        let mut ours = [0.0; 6];
        copy_rows(
            &mut ours,
            &["c", "a", "x"],
            &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],
            &["a", "b", "c", "d"],
        );
        assert_eq!(ours, [5.0, 6.0, 1.0, 2.0, 4.0, 5.0]);
    }
}
