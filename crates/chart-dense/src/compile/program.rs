//! The program of a class: the bilinear maps between [arrays](Array).

use tracebank_chart::{Class, Grammar};

use super::Array;
use super::build::Builder;
use super::terms::Bilinear;

/// The maps that add edges to items with an external vertex, on the left and on the right.
#[derive(Debug)]
pub struct Finish {
    /// `Pre × Ends → Mid`.
    pub mid: [Bilinear; 2],
    /// `SetI × One → Mid`.
    pub lift: [Bilinear; 2],
    /// `Mid × External → Post`.
    pub post: [Bilinear; 2],
}

/// The compiled rules of a class. Each map is named after what it makes or after the [`Shape`](tracebank_chart::shape::Shape) it implements; maps in pairs
/// are for external vertices on the left and on the right.
#[derive(Debug)]
pub struct Program {
    /// The class.
    pub class: Class,
    /// How many entries each array has for one place, by [`Array`].
    pub counts: [usize; Array::COUNT],
    /// The entry of [`Array::PreI`] where initial items go.
    pub initial: u16,
    /// The entry of [`Array::SetI`] that holds the complete structures.
    pub complete: u16,

    /// `PreI × Ends → SetI`.
    pub intervals: Bilinear,
    /// The maps of an item in the left role.
    pub left: Finish,
    /// The maps of an item in the right role.
    pub right: Finish,
    /// `Post × One → Set`.
    pub sets: [Bilinear; 2],
    /// `RowPost × One → Right`.
    pub rights: [Bilinear; 2],
    /// `RowPostL × One → OwnRow`.
    pub owns: Bilinear,

    /// `SetI × SetI → PreI`.
    pub step: Bilinear,
    /// `SetI × SetI → PreI`.
    pub pair: Bilinear,
    /// `SetR × SetI → PreI`.
    pub close_left: Bilinear,
    /// `SetI × Own → PreI`.
    pub close_right: Bilinear,
    /// `SetR × SetI → Tail`.
    pub make_tail: Bilinear,
    /// `Tail × SetI → PreI`.
    pub use_tail: Bilinear,
    /// `SetI × Own → Head`.
    pub make_head: Bilinear,
    /// `SetI × Head → PreI`.
    pub use_head: Bilinear,
    /// `SetR × SetI → Pairs`.
    pub make_pairs: Bilinear,
    /// `SetI × Own → Pairs`.
    pub nest_pairs: Bilinear,
    /// `Pairs × Own → PreI`.
    pub use_pairs: Bilinear,
    /// `SetR × SetI → Quads`.
    pub make_quads: Bilinear,
    /// `PostR × One → Firsts`.
    pub firsts: Bilinear,
    /// `Firsts × Quads → PreI`.
    pub use_quads: Bilinear,

    /// `Set × Right → Pre`.
    pub same: [Bilinear; 2],
    /// `Set × Own → Pre`.
    pub own_right: [Bilinear; 2],
    /// `SetR × Right → Pre`.
    pub own_left: [Bilinear; 2],
    /// `Set × SetI → Pre`.
    pub beside_right: [Bilinear; 2],
    /// `SetI × Right → Pre`.
    pub beside_left: [Bilinear; 2],
}

impl Finish {
    /// How many entries the *mid* level has: one more than the last that either map makes.
    pub(super) fn mid_count(&self, side: usize) -> usize {
        let maps = [&self.mid[side], &self.lift[side]];
        maps.into_iter()
            .filter(|map| !map.forward.is_empty())
            .map(|map| map.forward.last().0 + 1)
            .max()
            .unwrap_or(0)
    }
}

impl Program {
    /// The compiled rules of a grammar, made when first asked for and kept with it.
    pub fn of(grammar: &Grammar) -> &Self {
        grammar.compiled_for(|grammar| Builder::new(grammar.rules(), grammar.classes()).build())
    }

    /// The maps with their names, for statistics.
    pub fn maps(&self) -> Vec<(&'static str, &Bilinear)> {
        let mut maps: Vec<(&'static str, &Bilinear)> = vec![
            ("intervals", &self.intervals),
            ("owns", &self.owns),
            ("step", &self.step),
            ("pair", &self.pair),
            ("close-left", &self.close_left),
            ("close-right", &self.close_right),
            ("make-tail", &self.make_tail),
            ("use-tail", &self.use_tail),
            ("make-head", &self.make_head),
            ("use-head", &self.use_head),
            ("make-pairs", &self.make_pairs),
            ("nest-pairs", &self.nest_pairs),
            ("use-pairs", &self.use_pairs),
            ("make-quads", &self.make_quads),
            ("firsts", &self.firsts),
            ("use-quads", &self.use_quads),
        ];
        let sided: [(&str, &str, &[Bilinear; 2]); 13] = [
            ("left-mid-left", "left-mid-right", &self.left.mid),
            ("left-lift-left", "left-lift-right", &self.left.lift),
            ("left-post-left", "left-post-right", &self.left.post),
            ("right-mid-left", "right-mid-right", &self.right.mid),
            ("right-lift-left", "right-lift-right", &self.right.lift),
            ("right-post-left", "right-post-right", &self.right.post),
            ("sets-left", "sets-right", &self.sets),
            ("rights-left", "rights-right", &self.rights),
            ("same-left", "same-right", &self.same),
            ("own-right-left", "own-right-right", &self.own_right),
            ("own-left-left", "own-left-right", &self.own_left),
            ("beside-right-left", "beside-right-right", &self.beside_right),
            ("beside-left-left", "beside-left-right", &self.beside_left),
        ];
        for (left, right, [on_left, on_right]) in sided {
            maps.extend([(left, on_left), (right, on_right)]);
        }
        maps
    }
}
