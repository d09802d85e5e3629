//! The relaxed problem: the trees of a sentence when traces may cross anything.
//!
//! Each null takes its best antecedent whatever crosses, so a spine with its traces has one score, and the rest is a projective tree with
//! attachment sites. What a tree scores here is the most that any analysis with its spines, heads and sites can score.

use tracebank_chart::sites::{Side, SiteScores, SiteTree, Slot};
use tracebank_chart::{Node, Nodes};

use super::Settings;
use super::candidates::Candidate;
use crate::gold::WordAnalysis;
use crate::scores::SentenceScores;
use crate::valency::Valency;
use crate::vocabulary::{AttachmentId, FunctionId, TagId, Vocabulary};

/// A sentence and its candidates, as a problem of projective trees.
pub(super) struct Relaxed<'a> {
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) settings: &'a Settings,
    pub(super) candidates: &'a [Vec<Candidate>],
    /// The score of each spine with its traces, and of each structural edge by site.
    pub(super) sites: SiteScores,
}

impl<'a> Relaxed<'a> {
    /// The problem in which a spine has the `score` of its candidate: with its traces at their [best](Candidate::best), or
    /// [summed](Candidate::total).
    pub(super) fn new(
        scores: &SentenceScores,
        vocabulary: &'a Vocabulary,
        valency: &Valency,
        settings: &'a Settings,
        candidates: &'a [Vec<Candidate>],
        score: impl Fn(&Candidate) -> f32,
    ) -> Relaxed<'a> {
        let nodes = Nodes::new(candidates.iter().map(Vec::len));
        let all = || candidates.iter().flatten();
        let phrases = all().map(|candidate| vocabulary.facts(candidate.spine).phrases.len());
        let mut sites = SiteScores::new(nodes.clone(), phrases);
        sites.single_root = settings.single_root;
        for (node, candidate) in (0..).map(Node).zip(all()) {
            *sites.spine_mut(node) = score(candidate);
            for (slot, height) in sites.slots_of(node).zip(0..) {
                for side in [Side::Left, Side::Right] {
                    let [filled, empty] = valency.scores(candidate.spine, height, side);
                    *sites.spine_mut(node) += settings.valency * filled;
                    *sites.empty_mut(Slot(slot as u32), side) = settings.valency * (empty - filled);
                }
            }
        }
        let root = Slot(sites.slots_of(nodes.root()).start as u32);
        for word in 0..scores.words() {
            *sites.edge_mut(word, root) = scores.head(word, 0);
            for parent in (0..scores.words()).filter(|&parent| parent != word) {
                let edge = scores.head(word, parent as u32 + 1);
                if edge == f32::NEG_INFINITY {
                    continue;
                }
                let row = scores.attachments(word, parent as u32 + 1);
                for (node, candidate) in nodes.of_word(parent).zip(&candidates[parent]) {
                    let phrases = &vocabulary.facts(candidate.spine).phrases;
                    for (slot, phrase) in sites.slots_of(Node(node as u32)).zip(phrases) {
                        let attachment = phrase.map_or(f32::NEG_INFINITY, |phrase| row[phrase.index()]);
                        *sites.edge_mut(word, Slot(slot as u32)) = edge + settings.attachment * attachment;
                    }
                }
            }
        }
        Relaxed { vocabulary, settings, candidates, sites }
    }

    /// The candidate that a node stands for.
    pub(super) fn candidate(&self, node: Node) -> &'a Candidate {
        let nodes = self.sites.nodes();
        let word = nodes.word(node);
        &self.candidates[word][node.index() - nodes.of_word(word).start]
    }

    /// The problem with one node and one head a word, by word.
    pub(super) fn only(&self, chosen: &[Node], heads: &[u32]) -> SiteScores {
        let (nodes, mut sites) = (self.sites.nodes(), self.sites.clone());
        for (word, &head) in heads.iter().enumerate() {
            for node in nodes.of_word(word).map(|node| Node(node as u32)).filter(|&node| node != chosen[word])
            {
                *sites.spine_mut(node) = f32::NEG_INFINITY;
            }
            let parent = if head == 0 { nodes.root() } else { chosen[head as usize - 1] };
            let kept = sites.slots_of(parent);
            for slot in (0..sites.slots()).filter(|slot| !kept.contains(slot)) {
                *sites.edge_mut(word, Slot(slot as u32)) = f32::NEG_INFINITY;
            }
        }
        sites
    }

    /// The head of each word of a tree, counted from 1; 0 is the root.
    pub(super) fn heads(&self, tree: &SiteTree) -> Vec<u32> {
        tree.slots.iter().map(|&slot| self.parent(slot).0).collect()
    }

    /// The words of a tree, without tags and functions.
    pub(super) fn words(&self, tree: &SiteTree) -> Vec<WordAnalysis> {
        let root = self.vocabulary.root_attachment().unwrap_or(AttachmentId(0));
        let word = |(&node, &slot): (&Node, &Slot)| {
            let (head, attachment) = self.parent(slot);
            WordAnalysis {
                tag: TagId(0),
                spine: self.candidate(node).spine,
                function: FunctionId(0),
                head,
                attachment: attachment.unwrap_or(root),
            }
        };
        tree.nodes.iter().zip(&tree.slots).map(word).collect()
    }

    /// The word that a slot belongs to, and the phrase it is.
    pub(super) fn parent(&self, slot: Slot) -> (u32, Option<AttachmentId>) {
        let node = self.sites.node_of(slot);
        if node == self.sites.nodes().root() {
            return (0, None);
        }
        let height = slot.index() - self.sites.slots_of(node).start;
        let phrases = &self.vocabulary.facts(self.candidate(node).spine).phrases;
        (self.sites.nodes().word(node) as u32 + 1, phrases.get(height).copied().flatten())
    }
}
