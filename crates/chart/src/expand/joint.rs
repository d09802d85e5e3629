//! Putting neighbouring items together: which vertices they share, and what follows for connectivity.
//!
//! A rule touches at most four vertices (`i k l j`, or `i k j` and `x`), so a relation between them is sixteen bits and a
//! property of them four. Millions of joins are tried when rules are expanded; in bits, each is a handful of instructions.

use crate::item::{Count, Kind, Letter, Link, Side, Structural, Visible};
use crate::structure::{Class, Parents};
use crate::template::{Hat, Pattern, Places, Template};

/// The most vertices.
const VERTICES: usize = 4;

/// A template as the generation code sees it.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    class: Class,
    places: Places,
    /// The vertices that the output no longer shows, and those it shows.
    hidden: u8,
    shown: u8,
}

/// Connectivity of the vertices of a template, as far as one or several neighbouring items say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    /// Which vertices can be reached from which, and by an edge: bit `4 from + to`.
    reach: u16,
    direct: u16,
    /// Trees: has a parent. Structural tree: has a structural parent.
    parent: u8,
    structural_parent: u8,
    /// The external vertex that has structural edges into its span.
    structural_external: Option<u8>,
    hat: bool,
    /// The side of the template's external vertex.
    side: Option<Side>,
}

impl Joint {
    pub(super) fn new(template: &Template, class: Class) -> Self {
        let places = template.places();
        debug_assert!(places.vertices <= VERTICES);
        let hidden = places.hidden().fold(0, |hidden, vertex| hidden | 1 << vertex);
        let shown = places.output.iter().flatten().fold(0, |shown, vertex| shown | 1 << vertex);
        Self { class, places, hidden, shown }
    }

    /// The state of one item at this position.
    pub(super) fn place(&self, position: usize, kind: &Kind) -> State {
        let places = self.places.inputs[position];
        let mut state = State { hat: kind.hat, ..State::default() };
        for (vertex, place) in [Visible::L, Visible::R, Visible::X].into_iter().zip(places) {
            let Some(place) = place else { continue };
            let directed_tree = self.class.directed && self.class.parents == Parents::One;
            state.parent |= u8::from(directed_tree && kind.has_parent(vertex)) << place;
            state.structural_parent |= u8::from(kind.structural.parent[vertex as usize]) << place;
            for (to, to_place) in places.iter().enumerate() {
                let Some(to_place) = *to_place else { continue };
                let (link, bit) = (kind.links[vertex as usize][to], bit(place, to_place));
                state.reach |= if link == Link::None { 0 } else { bit };
                state.direct |= if link == Link::Direct { bit } else { 0 };
            }
        }
        if kind.structural.external {
            state.structural_external = places[2].map(|place| place as u8);
        }
        if places[2].is_some() && places[2] == self.places.output[2] {
            state.side = kind.side;
        }
        state
    }

    /// Joins two neighbours, unless that closes a cycle, gives a vertex a second parent where that is forbidden, or makes
    /// two structural edges cross.
    #[inline]
    pub(super) fn join(&self, before: &State, item: &State) -> Option<State> {
        // The structural edges to two different external vertices cross (lemma 6 of the paper).
        let differ = |a: Option<u8>, b: Option<u8>| a.is_some() && b.is_some() && a != b;
        if before.parent & item.parent != 0
            || before.structural_parent & item.structural_parent != 0
            || differ(before.structural_external, item.structural_external)
            || (before.side.is_some() && item.side.is_some() && before.side != item.side)
        {
            return None;
        }
        let reach = close(before.reach | item.reach);
        if self.class.directed && reach & DIAGONAL != 0 {
            return None;
        }
        if !self.class.directed
            && self.class.parents == Parents::One
            && closes_circle(before.reach, item.reach)
        {
            return None;
        }
        Some(State {
            reach: reach & !DIAGONAL,
            direct: before.direct | item.direct,
            parent: before.parent | item.parent,
            structural_parent: before.structural_parent | item.structural_parent,
            structural_external: before.structural_external.or(item.structural_external),
            hat: before.hat | item.hat,
            side: before.side.or(item.side),
        })
    }

    /// The output, unless a vertex would disappear without a path from a visible one (or without its structural
    /// parent), or the output does not fit the template.
    pub(super) fn finish(&self, state: &State, output: &Pattern) -> Option<Kind> {
        let rows = (0..VERTICES).filter(|vertex| self.shown >> vertex & 1 != 0);
        let reached = rows.fold(0, |reached, vertex| reached | (state.reach >> (VERTICES * vertex)) as u8);
        let unparented = if self.class.structural { !state.structural_parent } else { 0 };
        if self.hidden & (!reached | unparented) != 0 {
            return None;
        }
        let link = |from: usize, to: usize| match bit(from, to) {
            bit if state.direct & bit != 0 => Link::Direct,
            bit if state.reach & bit != 0 => Link::Path,
            _ => Link::None,
        };
        let (letter, hat) = output.letters[0];
        let mut made = Kind {
            letter,
            side: state.side,
            count: output.count.unwrap_or(if letter == Letter::B { Count::Many } else { Count::One }),
            hat: hat == Hat::Carried && state.hat,
            links: [[Link::None; 3]; 3],
            structural: Structural::default(),
        };
        for (from, from_place) in self.places.output.iter().enumerate() {
            let Some(from_place) = *from_place else { continue };
            made.structural.parent[from] = state.structural_parent >> from_place & 1 != 0;
            for (to, to_place) in self.places.output.iter().enumerate() {
                if let Some(to_place) = *to_place {
                    made.links[from][to] = link(from_place, to_place);
                }
            }
        }
        let external = self.places.output[2].map(|place| place as u8);
        made.structural.external = external.is_some() && state.structural_external == external;
        let sides_agree = output.side.is_none_or(|side| made.side == Some(side));
        (sides_agree && output.fits_links(&made)).then_some(made)
    }
}

const DIAGONAL: u16 = 0b1000_0100_0010_0001;

fn bit(from: usize, to: usize) -> u16 {
    1 << (VERTICES * from + to)
}

/// Completes the paths: whatever is reachable through another vertex is reachable. A vertex on a cycle reaches itself.
fn close(mut reach: u16) -> u16 {
    for through in 0..VERTICES {
        let row = reach >> (VERTICES * through) & 0b1111;
        // The vertices that reach `through`, one bit in each row; each row gets all that `through` reaches.
        let column = reach >> through & 0b0001_0001_0001_0001;
        reach |= column * row;
    }
    reach
}

/// In an undirected tree, would an item link two vertices that are linked already?
fn closes_circle(before: u16, item: u16) -> bool {
    let mut links = before;
    // A spanning forest of the item's own connections.
    let mut own = 0;
    for from in 0..VERTICES {
        for to in 0..from {
            let (there, back) = (bit(from, to), bit(to, from));
            if item & there == 0 || own & there != 0 {
                continue;
            }
            if links & there != 0 {
                return true;
            }
            own = close(own | there | back);
            links = close(links | there | back);
        }
    }
    false
}
