//! Scores of a batch in the parser's terms, and the way back from there to the network.
//!
//! Every task is a log-softmax on the tape, computed once: parsing reads the values ([`BatchScores::sentences`]), the losses of the tasks are put at the same
//! variables, and so is the gradient of an objective over whole sentences ([`BatchScores::add_loss`]).
//!
//! Pairs of words are scored only where it can matter ([`Scope`]): attachments for heads that are not out of the question, traces for words one
//! of whose likely spines has something that refers. In long sentences the budget of pairs binds: words keep fewer heads, and nulls see less far.

use std::ops::Range;

use tracebank_nn::matrix::Matrix;
use tracebank_nn::ops::{Spans, Widths, each};
use tracebank_nn::tape::{Tape, Var};
use tracebank_parser::decode::Pruning;
use tracebank_parser::gold::Gold;
use tracebank_parser::scores::{Grid, Part, Parts, SentenceScores, keep_best_heads};
use tracebank_parser::vocabulary::{SpineId, Trace, Vocabulary};

use crate::network::{Network, NetworkConfig, Words};

/// For each spine, whether something in it refers.
#[derive(Clone, Debug)]
pub struct Referring(Vec<bool>);

impl Referring {
    /// The spines of a vocabulary.
    pub fn new(vocabulary: &Vocabulary) -> Referring {
        let spines = (0..vocabulary.names().spines.len()).map(|id| SpineId(id as u16));
        Referring(spines.map(|id| !vocabulary.facts(id).referrers.is_empty()).collect())
    }

    /// Whether a likely spine among these scores has something that refers.
    fn is_likely(&self, spines: &[f32], margin: f32) -> bool {
        let floor = spines.iter().copied().fold(f32::NEG_INFINITY, f32::max) - margin;
        spines.iter().zip(&self.0).any(|(&score, &refers)| refers && score >= floor)
    }
}

/// The pairs of words that are scored.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// Attachments to all heads that are not out of the question.
    pub likely_heads: bool,
    /// Traces of the words that are likely to have something that refers.
    pub referring: Option<&'a Referring>,
    /// All pairs that gold has, one gold for each sentence.
    pub gold: Option<&'a [&'a Gold]>,
    /// Traces of all words, for a loss that must see where none are.
    pub all_traces: bool,
    /// The margins of heads that are out of the question, and of spines that are not likely.
    pub pruning: &'a Pruning,
}

impl<'a> Scope<'a> {
    /// The scope of a parse; without traces if it is not known what refers.
    pub fn parsing(referring: Option<&'a Referring>, pruning: &'a Pruning) -> Scope<'a> {
        Scope { likely_heads: true, referring, gold: None, all_traces: false, pruning }
    }
}

/// The scores of a batch, as variables of a tape: logarithms of probabilities.
pub struct BatchScores {
    spans: Spans,
    /// Tags, a row for each word.
    pub tags: Var,
    /// Spines, a row for each word.
    pub spines: Var,
    /// Function tags, a row for each word.
    pub functions: Var,
    /// Heads: for each word a ragged row over the root and the words of its sentence.
    pub heads: Var,
    /// The rows that the values of [`BatchScores::heads`] fall into.
    pub head_widths: Widths,
    /// Labels of attachments, a row for each pair in scope.
    pub attachments: Var,
    /// Labels of traces after the class [`NO_TRACE`], a row for each pair in scope.
    pub traces: Var,
    plans: Vec<Plan>,
}

impl BatchScores {
    /// Scores the sentences of a batch.
    pub fn new(network: &Network, tape: &mut Tape<'_>, words: &Words, scope: Scope<'_>) -> BatchScores {
        let mut word_task = |task: fn(&Network, &mut Tape<'_>, &Words) -> Var| {
            let raw = task(network, tape, words);
            tape.log_softmax(raw, Widths::Even)
        };
        let tags = word_task(Network::tags);
        let spines = word_task(Network::spines);
        let functions = word_task(Network::functions);
        let (heads, head_widths) = network.arcs(tape, words);
        let heads = tape.log_softmax(heads, head_widths.clone());

        let mut head_values = heads.values();
        let mut starts = Starts::default();
        let plan = |(nth, (from, to)): (usize, (usize, usize))| {
            let (values, rest) = head_values.split_at((to - from) * (to - from + 1));
            head_values = rest;
            let margin = scope.pruning.referrer_margin;
            let is_likely =
                |row| scope.referring.is_some_and(|referring| referring.is_likely(spines.row(row), margin));
            let may_refer = (from..to).map(is_likely).collect();
            Plan::new(values.to_vec(), may_refer, scope, nth, network.config(), &mut starts)
        };
        let plans: Vec<Plan> = each(&words.spans).enumerate().map(plan).collect();
        let (attachment_pairs, trace_pairs) = all_pairs(&plans);
        let attachments = network.attachments(tape, words, attachment_pairs.into());
        let attachments = tape.log_softmax(attachments, Widths::Even);
        let traces = network.traces(tape, words, trace_pairs.into());
        let traces = tape.log_softmax(traces, Widths::Even);
        let spans = words.spans.clone();
        BatchScores { spans, tags, spines, functions, heads, head_widths, attachments, traces, plans }
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.tags.rows()
    }

    /// The row of [`BatchScores::attachments`] for a word (from 0) of a sentence and its head; none if it is not in scope.
    pub fn attachment_row(&self, sentence: usize, word: u32, head: u32) -> Option<usize> {
        self.plans[sentence].attachment_row(word, head)
    }

    /// The row of [`BatchScores::traces`] for the two words of a trace; none if it is not in scope.
    pub fn trace_row(&self, sentence: usize, trace: &Trace) -> Option<usize> {
        self.plans[sentence].trace_row(trace)
    }

    /// The scores of each sentence.
    pub fn sentences(&self) -> Vec<SentenceScores> {
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
                is_cut: plan.is_cut,
            }
        };
        each(&self.spans).zip(&self.plans).map(sentence).collect()
    }

    /// Adds a loss over the scores of the sentences to the tape, by its gradient in their parts, times `factor`.
    pub fn add_loss(&self, tape: &mut Tape<'_>, gradients: &[Parts], factor: f32) {
        let blank = |var: &Var| Matrix::zeros(var.rows(), var.cols());
        let [mut tags, mut spines, mut functions, mut heads, mut attachments, mut traces] =
            [&self.tags, &self.spines, &self.functions, &self.heads, &self.attachments, &self.traces]
                .map(blank);
        for (((from, _), plan), gradient) in each(&self.spans).zip(&self.plans).zip(gradients) {
            for &(part, share) in gradient {
                let by = factor * share;
                match part {
                    Part::Tag(word, tag) => tags.row_mut(from + word as usize)[tag.index()] += by,
                    Part::Spine(word, spine) => spines.row_mut(from + word as usize)[spine.index()] += by,
                    Part::Function(word, function) => {
                        functions.row_mut(from + word as usize)[function.index()] += by;
                    }
                    Part::Head(word, head) => heads.values_mut()[plan.head_value(word, head)] += by,
                    Part::Attachment(word, head, attachment) => {
                        if let Some(row) = plan.attachment_row(word, head) {
                            attachments.row_mut(row)[attachment.index()] += by;
                        }
                    }
                    Part::Trace(trace) => {
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

/// The class of pairs of words without a trace.
pub const NO_TRACE: usize = 0;

/// Where the values of a sentence begin in those of a batch.
#[derive(Clone, Copy, Debug, Default)]
struct Starts {
    head_value: usize,
    attachment_row: usize,
    trace_row: usize,
}

/// The pairs of a sentence that are scored.
struct Plan {
    start: Starts,
    heads: Grid,
    /// Words (from 0) and heads (the root is 0) between which there may be a structural edge, sorted.
    attachments: Vec<(usize, usize)>,
    /// The words whose traces are scored, sorted, each with its first row.
    referrers: Vec<(usize, usize)>,
    /// The distance to the farthest antecedent that is scored.
    reach: usize,
    /// Whether there are fewer pairs than the scope asks for.
    is_cut: bool,
    /// The words whose traces are to be seen in the scores of the sentence.
    may_refer: Vec<bool>,
}

impl Plan {
    /// Heads that are out of the question become -∞; the root never does, so that there is always a tree.
    fn new(
        heads: Vec<f32>,
        mut may_refer: Vec<bool>,
        scope: Scope<'_>,
        nth: usize,
        config: &NetworkConfig,
        starts: &mut Starts,
    ) -> Plan {
        let gold = scope.gold.map(|gold| gold[nth]);
        let columns = may_refer.len() + 1;
        let mut heads = Grid::from_values(columns, heads);
        let mut attachments = Vec::new();
        for word in 0..may_refer.len() {
            let row = heads.row_mut(word);
            let right = gold.map(|gold| gold.heads[word] as usize);
            let best = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let floor = if scope.likely_heads { best - scope.pruning.head_margin } else { f32::INFINITY };
            for (head, score) in row.iter_mut().enumerate() {
                if right == Some(head) || (*score >= floor && head > 0) {
                    attachments.push((word, head));
                } else if head > 0 {
                    *score = f32::NEG_INFINITY;
                }
            }
        }
        let words = may_refer.len();
        let pairs = attachments.len();
        let most = scope.pruning.most_heads(words, pairs, config.labels.attachments);
        if let Some(most) = most.filter(|_| gold.is_none()) {
            keep_best_heads(&mut heads, words, most);
            attachments.retain(|&(word, head)| heads.row(word)[head] > f32::NEG_INFINITY);
        }
        for trace in gold.iter().flat_map(|gold| &gold.traces) {
            may_refer[trace.referrer as usize - 1] = true;
        }
        let referring: Vec<usize> = (0..words).filter(|&word| scope.all_traces || may_refer[word]).collect();
        let all = scope.pruning.reach(words, referring.len(), config.labels.traces + 1);
        let reach = if gold.is_some() { words } else { all };
        let start = *starts;
        starts.head_value += words * columns;
        starts.attachment_row += attachments.len();
        let is_cut = attachments.len() < pairs || reach < words;
        let mut plan = Plan { start, heads, attachments, referrers: Vec::new(), reach, is_cut, may_refer };
        for word in referring {
            plan.referrers.push((word, starts.trace_row));
            starts.trace_row += plan.others(word).count();
        }
        plan
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
        let place = self.referrers.binary_search_by_key(&referrer, |&(word, _)| word).ok()?;
        let range = self.range(referrer);
        if antecedent == referrer || !range.contains(&antecedent) {
            return None;
        }
        let among_others = antecedent - range.start - usize::from(antecedent > referrer);
        Some(self.referrers[place].1 + among_others)
    }

    /// The words that may be antecedents, and the one that refers.
    fn range(&self, referrer: usize) -> Range<usize> {
        referrer.saturating_sub(self.reach)..self.words().min(referrer.saturating_add(self.reach + 1))
    }

    fn others(&self, referrer: usize) -> impl Iterator<Item = usize> + use<> {
        self.range(referrer).filter(move |&other| other != referrer)
    }

    fn attachment_scores(&self, attachments: &Matrix) -> Grid {
        let n = self.words();
        let mut by_pair = Grid::sparse_for(self.attachments.len(), n * (n + 1), attachments.cols());
        // The pair with the root is there for a loss alone: what hangs from the root has no phrase to choose.
        let pairs = (self.start.attachment_row..).zip(&self.attachments);
        for (row, &(word, head)) in pairs.filter(|(_, (_, head))| *head > 0) {
            by_pair.row_mut(word * (n + 1) + head).copy_from_slice(attachments.row(row));
        }
        by_pair
    }

    fn trace_scores(&self, traces: &Matrix) -> Vec<Option<Grid>> {
        let mut by_referrer = vec![None; self.words()];
        for &(referrer, first) in self.referrers.iter().filter(|(word, _)| self.may_refer[*word]) {
            let mut grid = Grid::sparse_for(self.others(referrer).count(), self.words(), traces.cols() - 1);
            for (row, antecedent) in (first..).zip(self.others(referrer)) {
                let scores = traces.row(row);
                let labels = &scores[NO_TRACE + 1..];
                let over_none = labels.iter().map(|label| label - scores[NO_TRACE]);
                grid.row_mut(antecedent).iter_mut().zip(over_none).for_each(|(to, score)| *to = score);
            }
            by_referrer[referrer] = Some(grid);
        }
        by_referrer
    }
}

/// Pairs of rows of a batch.
type Pairs = Vec<(u32, u32)>;

/// The pairs of all sentences: for attachments, and for traces.
fn all_pairs(plans: &[Plan]) -> (Pairs, Pairs) {
    let (mut attachments, mut traces) = (Vec::new(), Vec::new());
    let mut from = 0;
    for (nth, plan) in plans.iter().enumerate() {
        // Among heads, each sentence begins with a row for the root.
        attachments.extend(
            plan.attachments.iter().map(|&(word, head)| ((from + word) as u32, (from + nth + head) as u32)),
        );
        for &(referrer, _) in &plan.referrers {
            traces
                .extend(plan.others(referrer).map(|other| ((from + referrer) as u32, (from + other) as u32)));
        }
        from += plan.words();
    }
    (attachments, traces)
}
