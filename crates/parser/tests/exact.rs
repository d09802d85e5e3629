//! The decoder against brute force: every choice of spines, parents and references over a few words, scored straight from the definition.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tracebank_parser::decode::{Decoder, Optimality, Pruning, Settings};
use tracebank_parser::scores::{Grid, SentenceScores};
use tracebank_parser::vocabulary::{Names, SpineId, TraceId, Vocabulary};
use tracebank_syntax::class::{Class, Structure};
use tracebank_syntax::graph::{Arc, ArcKind, Vertex};

/// Random scores, the same every time.
struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn roll(&mut self, spread: f32) -> f32 {
        (self.0.next_u32() as f32 / u32::MAX as f32 - 0.5) * spread
    }

    fn grid(&mut self, rows: usize, columns: usize, spread: f32) -> Grid {
        Grid::from_values(columns, (0..rows * columns).map(|_| self.roll(spread)).collect())
    }
}

fn vocabulary() -> Vocabulary {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Vocabulary::new(Names {
        tags: names(&["X"]),
        spines: names(&["()", "NP", "VP(NP(*)) S", "VP S(NP(*T*))"]),
        functions: names(&[""]),
        attachments: names(&["NP#0", "VP#0", "S#0", "#0"]),
        traces: names(&["(NP *)#0 > NP#0", "(NP *T*)#0 > NP#0", "(NP *T*)#0 > S#0"]),
        obliged: names(&["*T*"]),
    })
    .unwrap()
}

fn random_scores(dice: &mut Dice, vocabulary: &Vocabulary, n: usize) -> SentenceScores {
    let names = vocabulary.names();
    SentenceScores {
        tags: dice.grid(n, 1, 1.0),
        spines: dice.grid(n, names.spines.len(), 6.0),
        functions: dice.grid(n, 1, 1.0),
        heads: dice.grid(n, n + 1, 6.0),
        attachments: dice.grid(n * (n + 1), names.attachments.len(), 4.0),
        traces: (0..n).map(|_| Some(dice.grid(n, names.traces.len(), 24.0))).collect(),
    }
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

/// The best score there is, without any of the decoder's code.
fn brute_force(
    scores: &SentenceScores,
    vocabulary: &Vocabulary,
    settings: &Settings,
    structure: Structure,
) -> f32 {
    let n = scores.words();
    let spines: Vec<Vec<SpineId>> = vec![(0..4).map(SpineId).collect(); n];
    let heads: Vec<Vec<u32>> =
        (1..=n as u32).map(|word| (0..=n as u32).filter(|&head| head != word).collect()).collect();
    let trees: Vec<Vec<u32>> =
        choices(&heads).into_iter().filter(|heads| is_projective_tree(heads)).collect();
    let mut best = f32::NEG_INFINITY;
    for spines in choices(&spines) {
        for heads in &trees {
            let mut fixed = 0.0;
            let mut referrals: Vec<Vec<Option<(usize, usize, TraceId)>>> = Vec::new();
            let mut silence: Vec<f32> = Vec::new();
            for word in 0..n {
                fixed += settings.spine * scores.spine(word, spines[word]) + scores.head(word, heads[word]);
                if heads[word] > 0 {
                    let phrases = &vocabulary.facts(spines[heads[word] as usize - 1]).phrases;
                    let row = scores.attachments(word, heads[word]);
                    let best =
                        phrases.iter().flatten().map(|id| row[id.index()]).fold(f32::NEG_INFINITY, f32::max);
                    fixed += settings.attachment * best;
                }
                for referrer in &vocabulary.facts(spines[word]).referrers {
                    let mut options = vec![None];
                    for other in (0..n).filter(|&other| other != word) {
                        let serves = |label: &&TraceId| vocabulary.facts(spines[other]).serves[label.index()];
                        options.extend(
                            referrer.labels.iter().filter(serves).map(|&label| Some((word, other, label))),
                        );
                    }
                    referrals.push(options);
                    silence.push(if referrer.is_obliged { -settings.unmet_penalty } else { 0.0 });
                }
            }
            if fixed == f32::NEG_INFINITY {
                continue;
            }
            for chosen in choices(&referrals) {
                let mut arcs = structural(heads);
                let mut score = fixed;
                for (choice, silent) in chosen.iter().zip(&silence) {
                    let Some((word, other, label)) = *choice else {
                        score += silent;
                        continue;
                    };
                    score +=
                        settings.trace_score(scores.trace(word, other, label), vocabulary.is_awaited(label));
                    arcs.push(Arc {
                        parent: Vertex(word as u32 + 1),
                        child: Vertex(other as u32 + 1),
                        kind: ArcKind::Trace(0),
                    });
                }
                for (place, first) in chosen.iter().flatten().enumerate() {
                    let moved = |id: TraceId| vocabulary.trace(id).from.kind() == "*T*";
                    let same = |second: &&(usize, usize, TraceId)| {
                        let to = |id: TraceId| &vocabulary.trace(id).to;
                        moved(first.2)
                            && moved(second.2)
                            && second.1 == first.1
                            && to(second.2) == to(first.2)
                    };
                    // Each trace after the first of a phrase is paid for once.
                    if chosen.iter().flatten().take(place).any(|second| same(&second)) {
                        score -= settings.shared_penalty;
                    }
                }
                let class = Class::of(&arcs);
                let fits = match structure {
                    Structure::OneEndpointCrossing => {
                        class.is_one_endpoint_crossing() && class.is_lock_free()
                    }
                    Structure::ProjectiveGraph => class.is_projective(),
                    Structure::ProjectiveTree => class.is_tree(),
                };
                if fits {
                    best = best.max(score);
                }
            }
        }
    }
    best
}

#[test]
fn nothing_is_worth_more_than_what_the_decoder_finds() {
    let vocabulary = vocabulary();
    let settings = Settings {
        pruning: Pruning { spines: 10, spine_margin: 1e9, ..Pruning::default() },
        trace: 0.7,
        trace_bonus: 0.2,
        awaited_bonus: 0.7,
        shared_penalty: 2.5,
        ..Settings::default()
    };
    let mut dice = Dice::new(42);
    let mut seen = [0; 3];
    for n in [1, 2, 3, 3, 3] {
        for _ in 0..4 {
            let scores = random_scores(&mut dice, &vocabulary, n);
            for structure in [Structure::OneEndpointCrossing, Structure::ProjectiveGraph] {
                let mut decoder = Decoder::new(&vocabulary, settings);
                let decoded = decoder.decode(&scores, structure, None);
                let best = brute_force(&scores, &vocabulary, &settings, structure);
                assert!(
                    decoded.score <= best + 1e-3,
                    "{n} words, {structure:?}: {} is more than the best, {best}",
                    decoded.score
                );
                seen[decoded.optimality as usize] += 1;
                if decoded.optimality != Optimality::Unproved {
                    assert!(
                        (decoded.score - best).abs() < 1e-3,
                        "{n} words, {structure:?}: {} instead of {best}",
                        decoded.score
                    );
                }
            }
        }
    }
    // Both ways to optimality were gone.
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

#[test]
fn beyond_its_budget_a_sentence_is_decoded_with_fewer_spines_and_said_to_be_approximate() {
    let vocabulary = vocabulary();
    let generous = Pruning { spines: 10, spine_margin: 1e9, ..Pruning::default() };
    let mut dice = Dice::new(7);
    for n in [2, 5, 9] {
        let scores = random_scores(&mut dice, &vocabulary, n);
        let settings = Settings { pruning: generous, ..Settings::default() };
        let best = Decoder::new(&vocabulary, settings).decode(&scores, Structure::OneEndpointCrossing, None);
        // One spine a word at least, whatever the budget; then one more than that.
        for relaxed_work in [0.0, (n as f64 + 1.0).powi(3)] {
            let settings = Settings { pruning: Pruning { relaxed_work, ..generous }, ..Settings::default() };
            let decoded =
                Decoder::new(&vocabulary, settings).decode(&scores, Structure::OneEndpointCrossing, None);
            assert_eq!(decoded.optimality, Optimality::Unproved);
            assert_eq!(decoded.analysis.words.len(), n);
            assert!(decoded.score <= best.score + 1e-3 && decoded.score.is_finite(), "{n} words");
        }
    }
}
