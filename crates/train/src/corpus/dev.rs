//! Dev sets: trees that are measured with, and not learnt from.

use std::collections::BTreeMap;

use tracebank_parser::gold::TrainingExample;
use tracebank_parser::pipeline::{Pipeline, Request};
use tracebank_parser::scores::Scorer;
use tracebank_syntax::tree::Tree;

use super::Treebank;
use crate::measure::{Figures, measure};
use crate::recipe::Recipe;
use crate::training::{Event, TrainingError, Watcher};
use crate::tune::Sample;

/// The trees to measure with, file by file, and the figures of the last measurement.
pub(crate) struct DevSets {
    files: Vec<DevSet>,
    pub(crate) figures: BTreeMap<String, Figures>,
}

struct DevSet {
    file: String,
    request: Request,
    gold: Vec<(Tree, TrainingExample)>,
}

impl DevSets {
    pub(crate) fn read(recipe: &Recipe, dialects: &[String]) -> Result<DevSets, TrainingError> {
        let read = |treebank: &Treebank| {
            let dialect = dialects.iter().position(|known| known == treebank.model_dialect()).unwrap_or(0);
            let file = treebank.file.as_written().rsplit('/').next().unwrap_or_default().to_owned();
            let request = Request { dialect, ..Request::default() };
            let examples = treebank.examples(&recipe.representation)?.into_iter().enumerate();
            let kept = examples.filter(|(place, _)| !recipe.dev.is_empty() || recipe.is_held_out(*place));
            Ok(DevSet { file, request, gold: kept.map(|(_, example)| example).collect() })
        };
        let files = if recipe.dev.is_empty() { &recipe.train } else { &recipe.dev };
        let files = files.iter().map(read).collect::<Result<_, TrainingError>>()?;
        Ok(DevSets { files, figures: BTreeMap::new() })
    }

    /// Measures a parser with at most so many sentences of each file.
    pub(crate) fn measure<S: Scorer>(
        &mut self,
        parser: &Pipeline<S>,
        step: usize,
        most: usize,
        watcher: &mut Watcher<'_>,
    ) -> Result<(), TrainingError> {
        for DevSet { file, request, gold } in &self.files {
            let figures = measure(parser, &gold[..most.min(gold.len())], request, watcher.stop);
            let figures = figures.ok_or(TrainingError::Stopped)?;
            (watcher.watch)(Event::Measured { step, file, figures: &figures });
            self.figures.insert(file.clone(), figures);
        }
        Ok(())
    }

    /// Measures what a parser loses by rounding, with at most so many sentences of each file.
    pub(crate) fn compare<S: Scorer>(
        &self,
        full: &Pipeline<S>,
        rounded: &Pipeline<S>,
        most: usize,
        watcher: &mut Watcher<'_>,
    ) -> Result<(), TrainingError> {
        for DevSet { file, request, gold } in &self.files {
            let gold = &gold[..most.min(gold.len())];
            let figures = [full, rounded].map(|parser| measure(parser, gold, request, watcher.stop));
            let [Some(full), Some(rounded)] = figures else { return Err(TrainingError::Stopped) };
            (watcher.watch)(Event::Rounded { file, full: &full, rounded: &rounded });
        }
        Ok(())
    }

    /// At most so many sentences of each file.
    pub(crate) fn samples(&self, most: usize) -> Vec<Sample<'_>> {
        self.files
            .iter()
            .map(|file| (&file.gold[..most.min(file.gold.len())], file.request.clone()))
            .collect()
    }
}
