//! Sentences → scores. Nothing is scored that cannot matter: phrases and traces only for the likely spines of each word.

use crate::model::{LinearModel, Prepared};
use crate::roles::Roles;
use tracebank_parser::decode::Pruning;
use tracebank_parser::gold::Gold;
use tracebank_parser::scores::{Grid, ScoreRequest, Scorer, SentenceScores, keep_best_heads, log_sum};
use tracebank_parser::vocabulary::{AttachmentId, SpineFacts, SpineId, TagId, TraceId};
use tracebank_text::Sentence;

impl Scorer for LinearModel {
    fn score(&self, sentences: &[&Sentence], request: &ScoreRequest) -> Vec<SentenceScores> {
        let score = |sentence: &&Sentence| {
            let words: Vec<String> = sentence.words().map(str::to_owned).collect();
            let tag = |word: usize| sentence.tags.get(word).and_then(|tag| self.vocabulary.tag_id(tag));
            let tags: Option<Vec<_>> =
                (!sentence.tags.is_empty()).then(|| (0..words.len()).map(tag).collect());
            self.score(&words, tags.as_deref(), &request.pruning)
        };
        sentences.iter().map(score).collect()
    }
}

const IMPOSSIBLE: f32 = f32::NEG_INFINITY;

impl LinearModel {
    /// The scores of a sentence within the budgets of `pruning`; tags are found where they are not given.
    pub fn score(
        &self,
        words: &[String],
        tags: Option<&[Option<TagId>]>,
        pruning: &Pruning,
    ) -> SentenceScores {
        let (tags, grid) = self.tagger.tag(&self.lexicon, words, tags);
        let prepared = self.prepare_tagged(words, tags);
        SentenceScores { tags: grid, ..self.score_within(&prepared, None, pruning) }
    }

    /// The scores of a sentence already looked at. No part of `gold` is left out, so that training sees its score.
    pub fn score_prepared(&self, prepared: &Prepared, gold: Option<&Gold>) -> SentenceScores {
        self.score_within(prepared, gold, &self.config.settings.pruning)
    }

    fn score_within(&self, prepared: &Prepared, gold: Option<&Gold>, pruning: &Pruning) -> SentenceScores {
        let (n, names) = (prepared.sentence.words(), self.vocabulary.names());
        let mut tags = Grid::new(n, names.tags.len(), IMPOSSIBLE);
        for (word, tag) in prepared.tags.iter().enumerate() {
            tags.row_mut(word)[tag.index()] = 0.0;
        }
        let mut scores = SentenceScores {
            tags,
            spines: self.spines(prepared, gold),
            functions: self.functions(prepared, gold),
            heads: self.heads(prepared, gold),
            attachments: Grid::default(),
            traces: Vec::new(),
            is_cut: false,
        };
        let is_edge = |word: usize| scores.heads.row(word)[1..].iter().filter(|&&score| score > IMPOSSIBLE);
        let pairs = (0..n).map(|word| is_edge(word).count()).sum();
        let most_heads = pruning.most_heads(n, pairs, names.attachments.len());
        if let Some(most) = most_heads.filter(|_| gold.is_none()) {
            keep_best_heads(&mut scores.heads, n, most);
            scores.is_cut = true;
        }
        let likely: Vec<Vec<SpineId>> = (0..n).map(|word| self.likely(&scores.spines, word, gold)).collect();
        scores.attachments = self.attachments(prepared, &scores.heads, &likely);
        let (traces, reach) = self.traces(prepared, &likely, gold, pruning);
        scores.traces = traces;
        scores.is_cut |= reach < n;
        // Training prunes with losses added, and objectives with probabilities normalise for themselves.
        if gold.is_none() {
            self.prune(&mut scores.spines, &likely);
            if self.config.is_normalised {
                self.normalise(&mut scores, &likely);
            }
        }
        scores
    }

    fn spines(&self, prepared: &Prepared, gold: Option<&Gold>) -> Grid {
        let mut grid = Grid::new(prepared.spines.len(), self.vocabulary.names().spines.len(), IMPOSSIBLE);
        let mut reader = self.sets.spine.reader(&self.weights);
        for (word, spines) in prepared.spines.iter().enumerate() {
            reader.look(&prepared.sentence, word + 1, word + 1);
            let right = gold.and_then(|gold| gold.spines[word]);
            for spine in spines.iter().copied().chain(right) {
                grid.row_mut(word)[spine.index()] = reader.score(spine.index());
            }
        }
        grid
    }

    fn functions(&self, prepared: &Prepared, gold: Option<&Gold>) -> Grid {
        let mut grid = Grid::new(prepared.tags.len(), self.vocabulary.names().functions.len(), IMPOSSIBLE);
        let mut reader = self.sets.function.reader(&self.weights);
        for (word, &tag) in prepared.tags.iter().enumerate() {
            reader.look(&prepared.sentence, word + 1, word + 1);
            let right = gold.and_then(|gold| gold.functions[word]);
            for function in self.lexicon.functions(tag).chain(right) {
                grid.row_mut(word)[function.index()] = reader.score(function.index());
            }
        }
        grid
    }

    /// Parents; all but the best, the root and the words beside are impossible.
    fn heads(&self, prepared: &Prepared, gold: Option<&Gold>) -> Grid {
        let n = prepared.sentence.words();
        let mut grid = Grid::new(n, n + 1, IMPOSSIBLE);
        let mut reader = self.sets.head.reader(&self.weights);
        for word in 0..n {
            let row = grid.row_mut(word);
            for head in (0..=n).filter(|&head| head != word + 1) {
                reader.look(&prepared.sentence, head, word + 1);
                row[head] = reader.score(0);
            }
            if n > self.config.heads {
                let mut ranked = row.to_vec();
                ranked.sort_unstable_by(|a, b| b.total_cmp(a));
                let least = ranked[self.config.heads];
                let right = gold.map(|gold| gold.heads[word] as usize);
                let is_kept =
                    |head: usize| head == 0 || head == word || head == word + 2 || Some(head) == right;
                for head in (0..=n).filter(|&head| !is_kept(head)) {
                    if row[head] < least {
                        row[head] = IMPOSSIBLE;
                    }
                }
            }
        }
        grid
    }

    /// The spines of a word that the decoder may look at: one more than it does, for gold may fall behind when losses are added.
    fn likely(&self, grid: &Grid, word: usize, gold: Option<&Gold>) -> Vec<SpineId> {
        let row = grid.row(word);
        let mut likely: Vec<usize> = (0..row.len()).filter(|&id| row[id] > IMPOSSIBLE).collect();
        likely.sort_by(|&a, &b| row[b].total_cmp(&row[a]).then(a.cmp(&b)));
        likely.truncate(self.config.settings.pruning.spines + 1);
        let mut likely: Vec<SpineId> = likely.into_iter().map(|id| SpineId(id as u16)).collect();
        let right = gold.and_then(|gold| gold.spines[word]).filter(|right| !likely.contains(right));
        likely.extend(right);
        likely
    }

    /// Leaves the spines that are to be decoded. To be done before [`normalise`](Self::normalise), after which the scores of spines mean
    /// nothing without their traces.
    fn prune(&self, grid: &mut Grid, likely: &[Vec<SpineId>]) {
        let Pruning { spines, spine_margin, .. } = self.config.settings.pruning;
        for (word, likely) in likely.iter().enumerate() {
            let row = grid.row_mut(word);
            let best = likely.first().map_or(IMPOSSIBLE, |best| row[best.index()]);
            let kept: Vec<(usize, f32)> =
                likely.iter().take(spines.max(1)).map(|id| (id.index(), row[id.index()])).collect();
            row.fill(IMPOSSIBLE);
            for (spine, score) in kept.into_iter().filter(|&(_, score)| score >= best - spine_margin) {
                row[spine] = score;
            }
        }
    }

    fn facts<'s>(&'s self, likely: &'s [SpineId]) -> impl Iterator<Item = &'s SpineFacts> {
        likely.iter().map(|&spine| self.vocabulary.facts(spine))
    }

    fn attachments(&self, prepared: &Prepared, heads: &Grid, likely: &[Vec<SpineId>]) -> Grid {
        let n = likely.len();
        let mut grid = Grid::sparse(n * (n + 1), self.vocabulary.names().attachments.len());
        let mut reader = self.sets.attachment.reader(&self.weights);
        for (parent, spines) in (1..).zip(likely) {
            let phrases = self.facts(spines).flat_map(|facts| facts.phrases.iter().copied().flatten());
            let phrases = sorted(phrases.map(AttachmentId::index));
            for word in (0..n).filter(|&word| heads.row(word)[parent] > IMPOSSIBLE) {
                reader.look(&prepared.sentence, parent, word + 1);
                let row = grid.row_mut(word * (n + 1) + parent);
                phrases.iter().for_each(|&phrase| row[phrase] = reader.score(phrase));
            }
        }
        grid
    }

    /// Traces, and the distance to the farthest antecedent that was looked at.
    fn traces(
        &self,
        prepared: &Prepared,
        likely: &[Vec<SpineId>],
        gold: Option<&Gold>,
        pruning: &Pruning,
    ) -> (Vec<Option<Grid>>, usize) {
        let (n, labels) = (likely.len(), self.vocabulary.names().traces.len());
        let roles = (self.config.least_role > 0.0).then(|| Roles::of(self, prepared));
        let may = |word: usize, role: fn(&Roles, usize) -> f32| {
            gold.is_some() || roles.as_ref().is_none_or(|roles| role(roles, word) >= self.config.least_role)
        };
        // For each word, the traces that can end in one of its spines.
        let served: Vec<Vec<bool>> = (0..n)
            .map(|word| {
                let mut served = vec![false; labels];
                for facts in self.facts(&likely[word]).filter(|_| may(word, Roles::referred)) {
                    served.iter_mut().zip(&facts.serves).for_each(|(any, &this)| *any |= this);
                }
                served
            })
            .collect();
        let mut reader = self.sets.trace.reader(&self.weights);
        let wanted = |(word, spines): (usize, &Vec<SpineId>)| {
            let places = self.facts(spines).filter(|_| may(word, Roles::refers));
            let places = places.flat_map(|facts| &facts.referrers).flat_map(|place| &place.labels);
            sorted(places.copied().map(TraceId::index))
        };
        let wanted: Vec<Vec<usize>> = likely.iter().enumerate().map(wanted).collect();
        let referrers = wanted.iter().filter(|labels| !labels.is_empty()).count();
        let reach = if gold.is_some() { n } else { pruning.reach(n, referrers, labels) };
        let mut grids = Vec::with_capacity(n);
        for (word, wanted) in wanted.iter().enumerate() {
            let grid = (!wanted.is_empty()).then(|| {
                let mut grid = Grid::sparse(n, labels);
                for antecedent in (0..n).filter(|&other| other != word && other.abs_diff(word) <= reach) {
                    let mut has_looked = false;
                    for &label in wanted.iter().filter(|&&label| served[antecedent][label]) {
                        if !has_looked {
                            reader.look(&prepared.sentence, word + 1, antecedent + 1);
                            has_looked = true;
                        }
                        grid.row_mut(antecedent)[label] = self.config.trace_prior + reader.score(label);
                    }
                }
                grid
            });
            grids.push(grid);
        }
        (grids, reach)
    }

    /// Takes from each spine the log-sum of the scores of its nulls' traces, so that the score of the spine with one of them is the logarithm of its
    /// probability.
    fn normalise(&self, scores: &mut SentenceScores, likely: &[Vec<SpineId>]) {
        for (word, spines) in likely.iter().enumerate() {
            let Some(grid) = &scores.traces[word] else { continue };
            for &spine in spines {
                let total: f32 = self
                    .vocabulary
                    .facts(spine)
                    .referrers
                    .iter()
                    .map(|place| {
                        let silent = if place.is_obliged { -self.config.settings.unmet_penalty } else { 0.0 };
                        let of_antecedent = |antecedent: usize| {
                            place.labels.iter().map(move |label| grid.row(antecedent)[label.index()])
                        };
                        log_sum((0..likely.len()).flat_map(of_antecedent).chain([silent]))
                    })
                    .sum();
                scores.spines.row_mut(word)[spine.index()] -= total;
            }
        }
    }
}

fn sorted(ids: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut ids: Vec<usize> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
