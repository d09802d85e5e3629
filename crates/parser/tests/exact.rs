//! The decoder against brute force: every choice of spines, heads, attachment sites and antecedents over a few words, scored straight from the
//! definition.

use std::collections::BTreeSet;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tracebank_chart::decompose::{RuleUse, decompose, graph_of};
use tracebank_chart::expand::Rules;
use tracebank_chart::sites::Side;
use tracebank_chart::{Derivation, Edge, EdgeKind, Grammar, Node, Nodes, Worker, rule_file};
use tracebank_parser::decode::{Decoder, Optimality, PhraseProbability, Pruning, Settings};
use tracebank_parser::gold::{Analysis, Gold, WordAnalysis};
use tracebank_parser::rules::RuleSet;
use tracebank_parser::scores::{Grid, SentenceScores};
use tracebank_parser::valency::Valency;
use tracebank_parser::vocabulary::{
    AttachmentId, FunctionId, Names, SpineId, TagId, Trace, TraceId, Vocabulary,
};
use tracebank_syntax::class::{Class, Structure};
use tracebank_syntax::graph::{Arc, ArcKind, Vertex};
use tracebank_syntax::project::Site;

/// Random scores, the same every time.
struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.0.next_u64() % limit as u64) as usize
    }

    fn roll(&mut self, spread: f32) -> f32 {
        (self.0.next_u32() as f32 / u32::MAX as f32 - 0.5) * spread
    }

    fn grid(&mut self, rows: usize, columns: usize, spread: f32) -> Grid {
        Grid::from_values(columns, (0..rows * columns).map(|_| self.roll(spread)).collect())
    }

    /// Forbids all of a row but some, and what must be kept.
    fn thin(&mut self, row: &mut [f32], left: usize, kept: Option<usize>) {
        while row.iter().filter(|score| score.is_finite()).count() > left {
            let place = self.below(row.len());
            if Some(place) != kept {
                row[place] = f32::NEG_INFINITY;
            }
        }
    }
}

/// The one spine of the vocabulary that can break the guidelines.
const SBAR_OVER_CLAUSE: SpineId = SpineId(1);

fn vocabulary() -> Vocabulary {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Vocabulary::new(Names {
        tags: names(&["X"]),
        spines: names(&["NP NP", "VP(NP(*)) S SBAR", "VP S(NP(*T*))", "NP", "()"]),
        functions: names(&[""]),
        attachments: names(&["NP#0", "NP#1", "VP#0", "S#0", "SBAR#0", "#0"]),
        traces: names(&["(NP *)#0 > NP#0", "(NP *T*)#0 > NP#0", "(NP *T*)#0 > S#0"]),
        obliged: names(&["*T*"]),
    })
    .unwrap()
}

/// Random scores of a sentence. From five words on, words have two spines and three heads each, and most traces are forbidden: still some
/// ten thousand analyses.
fn random_scores(dice: &mut Dice, vocabulary: &Vocabulary, n: usize) -> SentenceScores {
    let names = vocabulary.names();
    let mut scores = SentenceScores {
        tags: dice.grid(n, 1, 1.0),
        spines: dice.grid(n, names.spines.len(), 6.0),
        functions: dice.grid(n, 1, 1.0),
        heads: dice.grid(n, n + 1, 6.0),
        attachments: dice.grid(n * (n + 1), names.attachments.len(), 6.0),
        traces: (0..n).map(|_| Some(dice.grid(n, names.traces.len(), 24.0))).collect(),
        is_cut: false,
    };
    let (spines, heads) = [(5, 9), (3, 4), (2, 3)][n.clamp(3, 5) - 3];
    for word in 0..n {
        dice.thin(scores.spines.row_mut(word), spines, None);
        dice.thin(scores.heads.row_mut(word), heads, Some(0));
        for antecedent in 0..n {
            let grid = scores.traces[word].as_mut().unwrap();
            dice.thin(grid.row_mut(antecedent), if n < 5 { 2 } else { 1 }, None);
        }
    }
    scores
}

fn random_valency(dice: &mut Dice, vocabulary: &Vocabulary) -> Valency {
    let mut valency = Valency::default();
    for _ in 0..30 {
        let gold = Gold {
            spines: (0..3).map(|_| Some(SpineId(dice.below(5) as u16))).collect(),
            heads: vec![2, 0, 2],
            attachments: (0..3).map(|_| Some(AttachmentId(dice.below(5) as u16))).collect(),
            ..Gold::default()
        };
        valency.learn(&gold, vocabulary);
    }
    valency
}

/// All ways to choose one of `options[i]` for each i.
fn choices<T: Copy>(options: &[Vec<T>]) -> Vec<Vec<T>> {
    options.iter().fold(vec![Vec::new()], |all, options| {
        all.iter()
            .flat_map(|chosen| options.iter().map(move |&option| [&chosen[..], &[option]].concat()))
            .collect()
    })
}

fn is_projective_tree(heads: &[u32]) -> bool {
    let reaches_root = |start: usize| {
        let mut at = start as u32 + 1;
        (0..=heads.len()).any(|_| {
            at = if at == 0 { 0 } else { heads[at as usize - 1] };
            at == 0
        })
    };
    (0..heads.len()).all(reaches_root) && Class::of(&structural(heads)).is_projective()
}

fn structural(heads: &[u32]) -> Vec<Arc> {
    let arc = |(child, &parent): (u32, &u32)| Arc {
        parent: Vertex(parent),
        child: Vertex(child),
        kind: ArcKind::Structural,
    };
    (1..).zip(heads).map(arc).collect()
}

/// A problem, and the definition of its objective.
struct Problem<'p> {
    scores: &'p SentenceScores,
    vocabulary: &'p Vocabulary,
    valency: &'p Valency,
    settings: &'p Settings,
    structure: Structure,
    /// The rules that derive every answer.
    grammar: Option<&'p Grammar>,
    /// Whether a null may stand for a phrase that only another spine of the antecedent's word has.
    loose: bool,
}

impl Problem<'_> {
    /// The `most` best analyses of all, best first.
    fn best(&self, most: usize) -> Vec<(f32, Analysis)> {
        let n = self.scores.words();
        let finite = |row: &[f32]| (0..row.len()).filter(|&id| row[id].is_finite()).collect::<Vec<_>>();
        let spines: Vec<Vec<SpineId>> = (0..n)
            .map(|word| {
                finite(self.scores.spines.row(word)).into_iter().map(|id| SpineId(id as u16)).collect()
            })
            .collect();
        let heads: Vec<Vec<u32>> = (0..n)
            .map(|word| {
                let heads = finite(self.scores.heads.row(word)).into_iter();
                heads.filter(|&head| head != word + 1).map(|head| head as u32).collect()
            })
            .collect();
        let single = |heads: &&Vec<u32>| heads.iter().filter(|&&head| head == 0).count() == 1;
        let trees = choices(&heads).into_iter().filter(|heads| is_projective_tree(heads));
        let trees: Vec<Vec<u32>> =
            trees.filter(|heads| !self.settings.single_root || single(&heads)).collect();
        let mut found: Vec<(f32, Analysis)> = Vec::new();
        for spines in choices(&spines) {
            for heads in &trees {
                let sites = self.sites(&spines, heads, most);
                if sites.is_empty() {
                    continue;
                }
                let traces = self.traces(&spines, heads, most);
                for (site_score, attachments) in &sites {
                    for (trace_score, traces) in &traces {
                        let words = (0..n).map(|word| WordAnalysis {
                            tag: TagId(0),
                            spine: spines[word],
                            function: FunctionId(0),
                            head: heads[word],
                            attachment: attachments[word],
                        });
                        let score = site_score + trace_score;
                        found.push((score, Analysis { words: words.collect(), traces: traces.clone() }));
                    }
                }
            }
            found.sort_by(|a, b| b.0.total_cmp(&a.0));
            found.truncate(most);
        }
        found
    }

    /// The best sites for these spines and heads, with the score of both.
    fn sites(&self, spines: &[SpineId], heads: &[u32], most: usize) -> Vec<(f32, Vec<AttachmentId>)> {
        let n = spines.len();
        let root = self.vocabulary.root_attachment().unwrap();
        let phrases = |head: u32| &self.vocabulary.facts(spines[head as usize - 1]).phrases;
        let options = |word: usize| match heads[word] {
            0 => vec![root],
            head => phrases(head).iter().flatten().copied().collect(),
        };
        let mut fixed = 0.0;
        for word in 0..n {
            fixed += self.settings.spine * self.scores.spine(word, spines[word]);
            fixed += self.scores.head(word, heads[word]);
        }
        let mut found = Vec::new();
        for sites in choices(&(0..n).map(options).collect::<Vec<_>>()) {
            let height = |word: usize| phrases(heads[word]).iter().position(|&id| id == Some(sites[word]));
            let mut score = fixed;
            let mut nests = true;
            for parent in 1..=n as u32 {
                let hangs = |word: &usize| heads[*word] == parent;
                let left: Vec<usize> = (0..parent as usize - 1).rev().filter(hangs).collect();
                let right: Vec<usize> = (parent as usize..n).filter(hangs).collect();
                for (side, words) in [(Side::Left, left), (Side::Right, right)] {
                    let heights: Vec<Option<usize>> = words.iter().map(|&word| height(word)).collect();
                    nests &= heights.is_sorted();
                    for at in 0..phrases(parent).len() {
                        let [filled, empty] = self.valency.scores(spines[parent as usize - 1], at, side);
                        let is_filled = heights.contains(&Some(at));
                        score += self.settings.valency * if is_filled { filled } else { empty };
                    }
                }
            }
            for word in (0..n).filter(|&word| spines[word] == SBAR_OVER_CLAUSE) {
                // Its clause has no subject, and its SBAR is alone with the clause unless something hangs there.
                let introduces = |child: usize| heads[child] == word as u32 + 1 && height(child) == Some(2);
                let violations = if (0..n).any(introduces) { 1.0 } else { 2.0 };
                score -= self.settings.violation_penalty * violations;
            }
            for word in (0..n).filter(|&word| heads[word] > 0) {
                score += self.settings.attachment * self.scores.attachment(word, heads[word], sites[word]);
            }
            if nests && score.is_finite() {
                found.push((score, sites));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.truncate(most);
        found
    }

    /// The best traces for these spines and heads, with their score and that of nulls without any.
    fn traces(&self, spines: &[SpineId], heads: &[u32], most: usize) -> Vec<(f32, Vec<Trace>)> {
        let n = spines.len();
        let mut referrals: Vec<Vec<Option<Trace>>> = Vec::new();
        let mut silence: Vec<f32> = Vec::new();
        for word in 0..n {
            for referrer in &self.vocabulary.facts(spines[word]).referrers {
                let mut options = vec![None];
                for other in (0..n).filter(|&other| other != word) {
                    let all = (0..self.scores.spines.columns()).map(|id| SpineId(id as u16));
                    let possible = all.filter(|&id| self.loose && self.scores.spine(other, id).is_finite());
                    let possible: Vec<SpineId> = possible.chain([spines[other]]).collect();
                    let has_it =
                        |label: TraceId, id: &SpineId| self.vocabulary.facts(*id).serves[label.index()];
                    let serves = |label: &&TraceId| {
                        possible.iter().any(|id| has_it(**label, id))
                            && self.scores.trace(word, other, **label).is_finite()
                    };
                    let trace = |&label: &TraceId| Trace {
                        referrer: word as u32 + 1,
                        antecedent: other as u32 + 1,
                        label,
                    };
                    options.extend(referrer.labels.iter().filter(serves).map(trace).map(Some));
                }
                referrals.push(options);
                silence.push(if referrer.is_obliged { -self.settings.unmet_penalty } else { 0.0 });
            }
        }
        let mut found = Vec::new();
        for chosen in choices(&referrals) {
            let mut arcs = structural(heads);
            let mut score = 0.0;
            for (choice, silent) in chosen.iter().zip(&silence) {
                let Some(Trace { referrer, antecedent, label }) = *choice else {
                    score += silent;
                    continue;
                };
                let raw = self.scores.trace(referrer as usize - 1, antecedent as usize - 1, label);
                score += self.settings.trace_score(raw, self.vocabulary.is_awaited(label));
                arcs.push(Arc {
                    parent: Vertex(referrer),
                    child: Vertex(antecedent),
                    kind: ArcKind::Trace(0),
                });
            }
            let mut phrases = BTreeSet::new();
            for trace in chosen.iter().flatten() {
                let kind = self.vocabulary.trace(trace.label);
                // Each trace of movement after the first of a phrase is paid for.
                if kind.from.kind() == "*T*" && !phrases.insert((trace.antecedent, kind.to.to_string())) {
                    score -= self.settings.shared_penalty;
                }
            }
            let class = Class::of(&arcs);
            let fits = match self.structure {
                Structure::OneEndpointCrossing => class.is_one_endpoint_crossing() && class.is_lock_free(),
                Structure::ProjectiveGraph => class.is_projective(),
                Structure::ProjectiveTree => class.is_tree(),
            };
            let mut traces: Vec<Trace> = chosen.into_iter().flatten().collect();
            traces.sort_unstable();
            if fits && self.grammar.is_none_or(|grammar| derivation(grammar, heads, &traces).is_some()) {
                found.push((score, traces));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.truncate(most);
        found
    }
}

/// The derivation of an analysis. A trace goes from its null's word to the antecedent's, unless that is above it in the tree.
fn derivation(grammar: &Grammar, heads: &[u32], traces: &[Trace]) -> Option<Derivation> {
    let is_above = |above: u32, mut word: u32| loop {
        match word {
            _ if word == above => return true,
            0 => return false,
            _ => word = heads[word as usize - 1],
        }
    };
    let node = |word: u32| Node(if word == 0 { heads.len() as u32 } else { word - 1 });
    let structural = |from: Node, to: Node| {
        heads.iter().zip(1..).any(|(&head, word)| (node(head), node(word)) == (from, to))
    };
    let traced: BTreeSet<(Node, Node)> = traces
        .iter()
        .map(|&Trace { referrer, antecedent, .. }| {
            let is_turned = is_above(antecedent, referrer);
            if is_turned { (node(antecedent), node(referrer)) } else { (node(referrer), node(antecedent)) }
        })
        .collect();
    let mut edges: Vec<Edge> = Vec::new();
    for (word, &head) in (1..).zip(heads) {
        let (from, to) = (node(head), node(word));
        let kind = if traced.contains(&(from, to)) { EdgeKind::Both } else { EdgeKind::Structural };
        edges.push(Edge { from, to, kind });
    }
    let alone = traced.iter().filter(|&&(from, to)| !structural(from, to));
    edges.extend(alone.map(|&(from, to)| Edge { from, to, kind: EdgeKind::Trace }));
    let graph = graph_of(heads.len(), edges);
    decompose(&mut Worker::new(), grammar, &Nodes::single(heads.len()), &graph).ok()
}

fn settings() -> Settings {
    Settings {
        pruning: Pruning { spines: 10, spine_margin: 1e9, trace_margin: 1e9, ..Pruning::default() },
        trace: 0.7,
        trace_bonus: 0.2,
        awaited_bonus: 0.7,
        shared_penalty: 2.5,
        valency: 0.8,
        violation_penalty: 0.7,
        ..Settings::default()
    }
}

fn close(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-3
}

/// Compares the decoder with brute force; gives how often each proof was found.
fn compare(rounds: usize, n: usize, wanted: usize, seed: u64, settings: &Settings) -> [usize; 3] {
    compare_restricted(rounds, n, wanted, seed, settings, None)
}

/// Compares them with rules that must derive every answer.
fn compare_restricted(
    rounds: usize,
    n: usize,
    wanted: usize,
    seed: u64,
    settings: &Settings,
    rules: Option<&RuleSet>,
) -> [usize; 3] {
    let grammar = rules.map(restricted_grammar);
    let vocabulary = vocabulary();
    let mut dice = Dice::new(seed);
    let mut seen = [0; 3];
    for round in 0..rounds {
        let scores = random_scores(&mut dice, &vocabulary, n);
        let valency = random_valency(&mut dice, &vocabulary);
        for single_root in [false, true] {
            let settings = Settings { single_root, ..*settings };
            for structure in [Structure::OneEndpointCrossing, Structure::ProjectiveGraph] {
                let problem = Problem {
                    scores: &scores,
                    vocabulary: &vocabulary,
                    valency: &valency,
                    settings: &settings,
                    structure,
                    grammar: grammar.as_ref(),
                    loose: false,
                };
                let best = problem.best(wanted);
                if best.is_empty() {
                    continue;
                }
                let about = format!("{n} words, round {round}, {structure:?}, single root {single_root}");
                let mut decoder =
                    Decoder::new(&vocabulary, settings).with_valency(&valency).with_rules(rules);
                let decoded = decoder.decode(&scores, structure, None, wanted);
                seen[decoded.optimality as usize] += 1;
                if decoded.optimality == Optimality::Unproved {
                    let found = decoded.best().score - decoded.best().penalty;
                    // Where no tree that was looked at can be derived, the rules do not count.
                    assert!(
                        rules.is_some() || found <= best[0].0 + 1e-3,
                        "{about}: {found} is more than {}",
                        best[0].0
                    );
                    continue;
                }
                assert_eq!(decoded.ranking.len(), best.len(), "{about}");
                for (place, (ranked, (score, analysis))) in decoded.ranking.iter().zip(&best).enumerate() {
                    let value = ranked.score - ranked.penalty;
                    assert!(close(value, *score), "{about}, {place}: {value} {score}");
                    let tied = best.iter().filter(|(other, _)| close(*other, *score)).count() > 1;
                    assert!(tied || place + 1 == wanted || ranked.analysis == *analysis, "{about}, {place}");
                }
            }
        }
    }
    seen
}

#[test]
fn nothing_scores_more_than_what_the_decoder_finds() {
    let mut seen = [0; 3];
    for (rounds, n) in [(10, 1), (20, 2), (8, 3), (10, 4), (20, 5), (12, 6)] {
        let found = compare(rounds, n, 1, 40 + n as u64, &settings());
        seen.iter_mut().zip(found).for_each(|(all, found)| *all += found);
    }
    assert!(seen[0] > 200 && seen[2] * 10 < seen[0], "{seen:?}");
}

#[test]
fn the_chart_proves_what_too_many_trees_stand_before() {
    // The relaxed problem may look at two trees only.
    let pruning = Pruning { trees: 2, ..settings().pruning };
    let settings = Settings { pruning, violation_penalty: 0.1, ..settings() };
    let mut seen = [0; 3];
    for (rounds, n) in [(4, 3), (6, 4), (18, 5), (8, 6)] {
        let found = compare(rounds, n, 1, 70 + n as u64, &settings);
        seen.iter_mut().zip(found).for_each(|(all, found)| *all += found);
    }
    assert!(seen[1] > 20 && seen[2] < seen[1], "{seen:?}");
}

#[test]
fn the_next_best_are_the_next_best() {
    let mut seen = [0; 3];
    for (rounds, n) in [(8, 1), (10, 2), (10, 3), (6, 4), (6, 5)] {
        for wanted in [2, 7] {
            let found = compare(rounds, n, wanted, 100 + n as u64, &settings());
            seen.iter_mut().zip(found).for_each(|(all, found)| *all += found);
        }
    }
    assert!(seen[0] > 100 && seen[2] * 10 < seen[0], "{seen:?}");
}

fn restricted_grammar(rules: &RuleSet) -> Grammar {
    Grammar::new(&Rules::expand(RuleSet::CLASS).restricted_to(rules.file()).unwrap())
}

/// Rules that derive the answers to some problems, without every fifth of them.
fn rules_of_some_answers() -> RuleSet {
    let vocabulary = vocabulary();
    let mut dice = Dice::new(5);
    let grammar = Grammar::of(RuleSet::CLASS);
    let mut uses = RuleUse::new(&grammar);
    for n in (0..40).map(|round| 3 + round % 4) {
        let scores = random_scores(&mut dice, &vocabulary, n);
        let decoded =
            Decoder::new(&vocabulary, settings()).decode(&scores, Structure::OneEndpointCrossing, None, 1);
        let Analysis { words, traces } = &decoded.best().analysis;
        let heads: Vec<u32> = words.iter().map(|word| word.head).collect();
        // Two traces between the same words may go round in a circle, which no rule derives.
        if let Some(derivation) = derivation(&grammar, &heads, traces) {
            uses.add(&derivation);
        }
    }
    uses.combinations.iter_mut().step_by(5).for_each(|count| *count = 0);
    RuleSet::parse(&rule_file::write(grammar.rules(), &uses)).unwrap()
}

#[test]
fn restricted_rules_derive_every_answer() {
    let rules = rules_of_some_answers();
    let mut seen = [0; 3];
    for (rounds, n, wanted) in [(10, 2, 1), (8, 3, 3), (8, 4, 1), (8, 5, 1), (2, 5, 3), (2, 6, 1)] {
        let found = compare_restricted(rounds, n, wanted, 200 + n as u64, &settings(), Some(&rules));
        seen.iter_mut().zip(found).for_each(|(all, found)| *all += found);
    }
    // Most trees need other rules, so that often too many have to be looked at.
    assert!(seen[0] > 60 && seen[2] < seen[0], "{seen:?}");
    // The restriction binds: without it, some answers need other rules.
    let (vocabulary, grammar) = (vocabulary(), restricted_grammar(&rules));
    let mut dice = Dice::new(205);
    let mut others = 0;
    for _ in 0..20 {
        let scores = random_scores(&mut dice, &vocabulary, 5);
        let decoded =
            Decoder::new(&vocabulary, settings()).decode(&scores, Structure::OneEndpointCrossing, None, 1);
        let Analysis { words, traces } = &decoded.best().analysis;
        let heads: Vec<u32> = words.iter().map(|word| word.head).collect();
        others += usize::from(derivation(&grammar, &heads, traces).is_none());
    }
    assert!(others > 3 && others < 20, "{others}");
}

#[test]
fn beyond_its_budget_a_sentence_is_decoded_with_fewer_spines_and_said_to_be_approximate() {
    let vocabulary = vocabulary();
    let generous = Settings { single_root: false, ..settings() };
    let mut dice = Dice::new(7);
    for n in [2, 5, 9] {
        let scores = random_scores(&mut dice, &vocabulary, n);
        let decode = |settings: Settings| {
            Decoder::new(&vocabulary, settings).decode(&scores, Structure::OneEndpointCrossing, None, 1)
        };
        let best = decode(generous);
        // One spine a word at least, whatever the budget; then one more than that.
        for relaxed_work in [0.0, (n as f64 + 1.0).powi(3)] {
            let pruning = Pruning { relaxed_work, ..generous.pruning };
            let decoded = decode(Settings { pruning, ..generous });
            assert_eq!(decoded.optimality, Optimality::Unproved);
            assert_eq!(decoded.best().analysis.words.len(), n);
            let score = decoded.best().score - decoded.best().penalty;
            assert!(
                score <= best.best().score - best.best().penalty + 1e-3 && score.is_finite(),
                "{n} words"
            );
        }
    }
}

/// Whether a word of an analysis heads a phrase with a label over some words.
fn has_phrase(analysis: &Analysis, vocabulary: &Vocabulary, wanted: &PhraseProbability) -> bool {
    let words = &analysis.words;
    let is_below = |mut word: usize, top: usize| loop {
        if word == top {
            return true;
        }
        match words[word].head {
            0 => return false,
            head => word = head as usize - 1,
        }
    };
    let facts = vocabulary.facts(words[wanted.head].spine);
    vocabulary.labels(words[wanted.head].spine).enumerate().any(|(height, label)| {
        let hangs = |word: &usize| {
            let under = &words[*word];
            let at = facts.height(under.attachment);
            under.head as usize == wanted.head + 1 && at.is_some_and(|at| at <= height)
        };
        let dependants: Vec<usize> = (0..words.len()).filter(hangs).collect();
        let is_inside =
            |word: usize| word == wanted.head || dependants.iter().any(|&top| is_below(word, top));
        label == wanted.label && (0..words.len()).all(|word| is_inside(word) == wanted.tokens.contains(&word))
    })
}

#[test]
fn probabilities_are_shares_of_all_analyses() {
    let vocabulary = vocabulary();
    let mut dice = Dice::new(11);
    let (mut phrases, mut antecedents) = (0, 0);
    for round in 0..6 {
        let scores = random_scores(&mut dice, &vocabulary, 3);
        let valency = random_valency(&mut dice, &vocabulary);
        // Over three words nothing is outside the class, and without the penalties all is a sum over parts.
        let settings = Settings {
            shared_penalty: 0.0,
            violation_penalty: 0.0,
            temperature: 1.7,
            single_root: round % 2 == 0,
            ..settings()
        };
        let structure = Structure::OneEndpointCrossing;
        let problem = Problem {
            scores: &scores,
            vocabulary: &vocabulary,
            valency: &valency,
            settings: &settings,
            structure,
            grammar: None,
            loose: true,
        };
        let all = problem.best(usize::MAX);
        let weight = |score: f32| f64::from(score / settings.temperature).exp();
        let total: f64 = all.iter().map(|(score, _)| weight(*score)).sum();
        let share = |has: &dyn Fn(&Analysis) -> bool| {
            let with = all.iter().filter(|(_, analysis)| has(analysis));
            (with.map(|(score, _)| weight(*score)).sum::<f64>() / total) as f32
        };
        let mut decoder = Decoder::new(&vocabulary, settings).with_valency(&valency);
        let decoded = decoder.decode(&scores, structure, None, 1);
        let found = decoder.probabilities(&scores, structure, decoded.best()).unwrap();
        assert!((found.log_total - total.ln()).abs() < 1e-3, "round {round}");
        assert!(close(found.analysis, share(&|analysis| *analysis == decoded.best().analysis)));
        for phrase in &found.phrases {
            let expected = share(&|analysis| has_phrase(analysis, &vocabulary, phrase));
            assert!(close(phrase.probability, expected), "round {round}: {phrase:?} {expected}");
            phrases += usize::from(phrase.probability < 0.99);
        }
        for null in &found.nulls {
            let has_it = |analysis: &Analysis| {
                vocabulary.sites(analysis.words[null.head].spine).any(|(site, _)| match site {
                    Site::Null { above, kind } => *above == null.above && *kind == null.kind,
                    _ => false,
                })
            };
            assert!(close(null.probability, share(&has_it)), "round {round}: {null:?}");
            for antecedent in &null.antecedents {
                let expected = share(&|analysis| {
                    analysis.traces.iter().any(|trace| {
                        let label = vocabulary.trace(trace.label);
                        trace.referrer as usize == null.head + 1
                            && trace.antecedent as usize == antecedent.head + 1
                            && label.from.kind() == null.kind
                            && matches!(&label.to.site, Site::Phrase(to) if Some(to) == antecedent.label.as_ref())
                    })
                });
                assert!(close(antecedent.probability, expected), "round {round}: {antecedent:?} {expected}");
                antecedents += 1;
            }
        }
    }
    assert!(phrases > 10 && antecedents > 5, "{phrases} phrases, {antecedents} antecedents");
}
