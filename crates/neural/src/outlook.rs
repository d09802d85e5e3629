//! What the network says about a batch, in the parser's terms, and the way back from there.
//!
//! Pairs of words are scored only where it can matter: attachments for heads that are not out of the question, references for words one of
//! whose likely spines has something that refers. What gold has always matters when there is any.

use tracebank_parser::gold::Gold;
use tracebank_parser::scores::{Grid, SentenceScores};
use tracebank_parser::train::cell::Cell;
use tracebank_parser::train::objective::LossGradient;
use tracebank_parser::vocabulary::{SpineId, Trace, Vocabulary};

use crate::matrix::Matrix;
use crate::network::{Network, Words};
use crate::ops::{Spans, Widths, each};
use crate::tape::{Tape, Var};

/// A head that is this much worse than the best of its word, in logarithms, is out of the question.
const HEAD_MARGIN: f32 = 9.0;
/// A spine that is this much worse than the best of its word is not likely.
const SPINE_MARGIN: f32 = 6.0;

/// For each spine, whether something in it refers.
#[derive(Clone, Debug)]
pub(crate) struct Referring(Vec<bool>);

impl Referring {
    pub(crate) fn new(vocabulary: &Vocabulary) -> Referring {
        let spines = (0..vocabulary.names().spines.len()).map(|id| SpineId(id as u16));
        Referring(spines.map(|id| !vocabulary.facts(id).referrers.is_empty()).collect())
    }

    /// Whether a likely spine among these scores has something that refers.
    fn is_likely(&self, spines: &[f32]) -> bool {
        let floor = spines.iter().copied().fold(f32::NEG_INFINITY, f32::max) - SPINE_MARGIN;
        spines.iter().zip(&self.0).any(|(&score, &refers)| refers && score >= floor)
    }
}

/// The scores of a batch.
pub(crate) struct Outlook {
    spans: Spans,
    tags: Var,
    spines: Var,
    functions: Var,
    heads: Var,
    attachments: Var,
    traces: Var,
    plans: Vec<Plan>,
}

impl Outlook {
    /// Scores the sentences of a batch, with their references if it is known what may refer; if there is `gold`, one for each, all of it
    /// gets scores.
    pub(crate) fn new(
        network: &Network,
        tape: &mut Tape<'_>,
        words: &Words,
        referring: Option<&Referring>,
        gold: Option<&[&Gold]>,
    ) -> Outlook {
        let mut word_task = |task: fn(&Network, &mut Tape<'_>, &Words) -> Var| {
            let raw = task(network, tape, words);
            tape.log_softmax(raw, Widths::Even)
        };
        let tags = word_task(Network::tags);
        let spines = word_task(Network::spines);
        let functions = word_task(Network::functions);
        let (heads, widths) = network.arcs(tape, words);
        let heads = tape.log_softmax(heads, widths);

        let mut head_values = heads.values();
        let mut starts = Starts::default();
        let plan = |(nth, (from, to)): (usize, (usize, usize))| {
            let (values, rest) = head_values.split_at((to - from) * (to - from + 1));
            head_values = rest;
            let is_likely = |row| referring.is_some_and(|referring| referring.is_likely(spines.row(row)));
            let may_refer = (from..to).map(is_likely).collect();
            Plan::new(values.to_vec(), may_refer, gold.map(|gold| gold[nth]), &mut starts)
        };
        let plans: Vec<Plan> = each(&words.spans).enumerate().map(plan).collect();
        let (attachment_pairs, trace_pairs) = all_pairs(&plans);
        let attachments = network.attachments(tape, words, attachment_pairs.into());
        let attachments = tape.log_softmax(attachments, Widths::Even);
        let traces = network.traces(tape, words, trace_pairs.into());
        let traces = tape.log_softmax(traces, Widths::Even);
        Outlook { spans: words.spans.clone(), tags, spines, functions, heads, attachments, traces, plans }
    }

    /// The scores of each sentence.
    pub(crate) fn sentences(&self) -> Vec<SentenceScores> {
        let sentence = |((from, to), plan): ((usize, usize), &Plan)| {
            let grid = |matrix: &Matrix| {
                Grid::from_values(
                    matrix.cols(),
                    matrix.values()[from * matrix.cols()..to * matrix.cols()].to_vec(),
                )
            };
            SentenceScores {
                tags: grid(&self.tags),
                spines: grid(&self.spines),
                functions: grid(&self.functions),
                heads: plan.heads.clone(),
                attachments: plan.attachment_scores(&self.attachments),
                traces: plan.trace_scores(&self.traces),
            }
        };
        each(&self.spans).zip(&self.plans).map(sentence).collect()
    }

    /// Adds a loss over the scores of the sentences: `factor` times what each says about its cells.
    pub(crate) fn learn(&self, tape: &mut Tape<'_>, gradients: &[LossGradient], factor: f32) {
        let blank = |var: &Var| Matrix::zeros(var.rows(), var.cols());
        let [mut tags, mut spines, mut functions, mut heads, mut attachments, mut traces] =
            [&self.tags, &self.spines, &self.functions, &self.heads, &self.attachments, &self.traces]
                .map(blank);
        for (((from, _), plan), gradient) in each(&self.spans).zip(&self.plans).zip(gradients) {
            for &(cell, share) in &gradient.cells {
                let by = factor * share;
                match cell {
                    Cell::Tag(word, tag) => tags.row_mut(from + word as usize)[tag.index()] += by,
                    Cell::Spine(word, spine) => spines.row_mut(from + word as usize)[spine.index()] += by,
                    Cell::Function(word, function) => {
                        functions.row_mut(from + word as usize)[function.index()] += by;
                    }
                    Cell::Head(word, head) => heads.values_mut()[plan.head_value(word, head)] += by,
                    Cell::Attachment(word, head, attachment) => {
                        if let Some(row) = plan.attachment_row(word, head) {
                            attachments.row_mut(row)[attachment.index()] += by;
                        }
                    }
                    Cell::Trace(trace) => {
                        if let Some(row) = plan.trace_row(&trace) {
                            traces.row_mut(row)[trace.label.index() + 1] += by;
                            traces.row_mut(row)[NO_TRACE] -= by;
                        }
                    }
                }
            }
        }
        tape.external_loss(&self.tags, tags);
        tape.external_loss(&self.spines, spines);
        tape.external_loss(&self.functions, functions);
        tape.external_loss(&self.heads, heads);
        tape.external_loss(&self.attachments, attachments);
        tape.external_loss(&self.traces, traces);
    }
}

/// The class of pairs of words without a reference.
const NO_TRACE: usize = 0;

/// Where the values of a sentence begin in those of a batch.
#[derive(Clone, Copy, Debug, Default)]
struct Starts {
    head_value: usize,
    attachment_row: usize,
    trace_row: usize,
}

/// Which pairs of a sentence are scored.
struct Plan {
    start: Starts,
    heads: Grid,
    /// Words (from 0) and heads (the root is 0) between which there may be a structural edge, sorted.
    attachments: Vec<(usize, usize)>,
    /// The words that may refer, sorted.
    referrers: Vec<usize>,
}

impl Plan {
    /// Heads that are out of the question become -∞; the root never does, so that there is always a tree.
    fn new(heads: Vec<f32>, mut may_refer: Vec<bool>, gold: Option<&Gold>, starts: &mut Starts) -> Plan {
        let columns = may_refer.len() + 1;
        let mut heads = Grid::from_values(columns, heads);
        let mut attachments = Vec::new();
        for word in 0..may_refer.len() {
            let row = heads.row_mut(word);
            let right = gold.map(|gold| gold.heads[word] as usize);
            let floor = row.iter().copied().fold(f32::NEG_INFINITY, f32::max) - HEAD_MARGIN;
            for (head, score) in row.iter_mut().enumerate().skip(1) {
                if *score >= floor || right == Some(head) {
                    attachments.push((word, head));
                } else {
                    *score = f32::NEG_INFINITY;
                }
            }
        }
        for trace in gold.iter().flat_map(|gold| &gold.traces) {
            may_refer[trace.referrer as usize - 1] = true;
        }
        let words = may_refer.len();
        let referrers: Vec<usize> = (0..words).filter(|&word| may_refer[word]).collect();
        let start = *starts;
        starts.head_value += words * columns;
        starts.attachment_row += attachments.len();
        starts.trace_row += referrers.len() * words.saturating_sub(1);
        Plan { start, heads, attachments, referrers }
    }

    fn words(&self) -> usize {
        self.heads.columns() - 1
    }

    fn head_value(&self, word: u32, head: u32) -> usize {
        self.start.head_value + word as usize * self.heads.columns() + head as usize
    }

    fn attachment_row(&self, word: u32, head: u32) -> Option<usize> {
        let place = self.attachments.binary_search(&(word as usize, head as usize)).ok()?;
        Some(self.start.attachment_row + place)
    }

    fn trace_row(&self, trace: &Trace) -> Option<usize> {
        let (referrer, antecedent) = (trace.referrer as usize - 1, trace.antecedent as usize - 1);
        let place = self.referrers.binary_search(&referrer).ok()?;
        let among_others = antecedent - usize::from(antecedent > referrer);
        Some(self.start.trace_row + place * (self.words() - 1) + among_others)
    }

    fn others(&self, referrer: usize) -> impl Iterator<Item = usize> + use<> {
        (0..self.words()).filter(move |&other| other != referrer)
    }

    fn attachment_scores(&self, attachments: &Matrix) -> Grid {
        let n = self.words();
        let mut by_pair = Grid::new(n * (n + 1), attachments.cols(), f32::NEG_INFINITY);
        for (row, &(word, head)) in (self.start.attachment_row..).zip(&self.attachments) {
            by_pair.row_mut(word * (n + 1) + head).copy_from_slice(attachments.row(row));
        }
        by_pair
    }

    fn trace_scores(&self, traces: &Matrix) -> Vec<Option<Grid>> {
        let mut by_referrer = vec![None; self.words()];
        let mut row = self.start.trace_row;
        for &referrer in &self.referrers {
            let mut grid = Grid::new(self.words(), traces.cols() - 1, f32::NEG_INFINITY);
            for antecedent in self.others(referrer) {
                let scores = traces.row(row);
                let labels = &scores[NO_TRACE + 1..];
                let worth = labels.iter().map(|label| label - scores[NO_TRACE]);
                grid.row_mut(antecedent).iter_mut().zip(worth).for_each(|(cell, worth)| *cell = worth);
                row += 1;
            }
            by_referrer[referrer] = Some(grid);
        }
        by_referrer
    }
}

/// Pairs of rows of a batch.
type Pairs = Vec<(u32, u32)>;

/// The pairs of all sentences: for attachments, and for references.
fn all_pairs(plans: &[Plan]) -> (Pairs, Pairs) {
    let (mut attachments, mut traces) = (Vec::new(), Vec::new());
    let mut from = 0;
    for (nth, plan) in plans.iter().enumerate() {
        // Among heads, each sentence begins with a row for the root.
        attachments.extend(
            plan.attachments.iter().map(|&(word, head)| ((from + word) as u32, (from + nth + head) as u32)),
        );
        for &referrer in &plan.referrers {
            traces
                .extend(plan.others(referrer).map(|other| ((from + referrer) as u32, (from + other) as u32)));
        }
        from += plan.words();
    }
    (attachments, traces)
}
