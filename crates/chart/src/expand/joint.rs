//! Putting neighbouring items together: which vertices they share, and what follows for connectivity.

use crate::item::{Count, Kind, Letter, Link, Structural, Visible};
use crate::structure::{Class, Parents};
use crate::template::{Hat, Pattern, Places, Template};

/// A rule touches at most four vertices: `i k l j`, or `i k j` and `x`.
const VERTICES: usize = 4;

/// A template as the generation code sees it.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    class: Class,
    places: Places,
}

/// What the inputs joined so far say together.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    links: [[Link; VERTICES]; VERTICES],
    /// Trees: has a parent. Structural tree: has a structural parent.
    parent: [bool; VERTICES],
    structural_parent: [bool; VERTICES],
    /// The external vertex that has structural edges into its span.
    structural_external: Option<usize>,
    hat: bool,
    side: Option<crate::item::Side>,
}

impl Joint {
    pub(super) fn new(template: &Template, class: Class) -> Self {
        let places = template.places();
        debug_assert!(places.vertices <= VERTICES);
        Self { class, places }
    }

    pub(super) fn start() -> State {
        State {
            links: [[Link::None; VERTICES]; VERTICES],
            parent: [false; VERTICES],
            structural_parent: [false; VERTICES],
            structural_external: None,
            hat: false,
            side: None,
        }
    }

    /// Adds the input at `position`, unless it closes a cycle, gives a vertex a second parent where that is forbidden, or
    /// makes two structural edges cross.
    pub(super) fn join(&self, before: &State, position: usize, kind: &Kind) -> Option<State> {
        let mut state = *before;
        let places = self.places.inputs[position];
        if !self.class.directed && self.class.parents == Parents::One && closes_circle(&state, &places, kind)
        {
            return None;
        }
        for (from, from_place) in places.iter().enumerate() {
            for (to, to_place) in places.iter().enumerate() {
                if let (Some(from_place), Some(to_place)) = (*from_place, *to_place) {
                    let link = &mut state.links[from_place][to_place];
                    *link = (*link).max(kind.links[from][to]);
                }
            }
        }
        close(&mut state.links);
        if self.class.directed && is_cyclic(&state.links) {
            return None;
        }
        for (vertex, place) in [Visible::L, Visible::R, Visible::X].into_iter().zip(places) {
            let Some(place) = place else { continue };
            if self.class.directed && self.class.parents == Parents::One && kind.has_parent(vertex) {
                if state.parent[place] {
                    return None;
                }
                state.parent[place] = true;
            }
            if kind.structural.parent[vertex as usize] {
                if state.structural_parent[place] {
                    return None;
                }
                state.structural_parent[place] = true;
            }
        }
        if kind.structural.external {
            // The edges to two different external vertices cross (lemma 6 of the paper).
            if before.structural_external.is_some_and(|other| Some(other) != places[2]) {
                return None;
            }
            state.structural_external = places[2];
        }
        if places[2].is_some() && places[2] == self.places.output[2] {
            if before.side.is_some_and(|side| Some(side) != kind.side) {
                return None;
            }
            state.side = kind.side;
        }
        state.hat |= kind.hat;
        Some(state)
    }

    /// The output, unless a vertex would disappear without a path from a visible one (or without its structural
    /// parent), or the output does not fit the template.
    pub(super) fn finish(&self, state: &State, output: &Pattern) -> Option<Kind> {
        for hidden in self.places.hidden() {
            let reachable =
                self.places.output.iter().flatten().any(|&v| state.links[v][hidden] != Link::None);
            if !reachable || (self.class.structural && !state.structural_parent[hidden]) {
                return None;
            }
        }
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
            made.structural.parent[from] = state.structural_parent[from_place];
            for (to, to_place) in self.places.output.iter().enumerate() {
                if let Some(to_place) = *to_place {
                    made.links[from][to] = state.links[from_place][to_place];
                }
            }
        }
        made.structural.external =
            self.places.output[2].is_some() && state.structural_external == self.places.output[2];
        let sides_agree = output.side.is_none_or(|side| made.side == Some(side));
        (sides_agree && output.fits_links(&made)).then_some(made)
    }
}

/// Completes the paths: whatever is reachable through another vertex is reachable.
pub(super) fn close<const N: usize>(links: &mut [[Link; N]; N]) {
    for through in 0..N {
        for from in 0..N {
            for to in 0..N {
                if from != to
                    && links[from][to] == Link::None
                    && links[from][through] != Link::None
                    && links[through][to] != Link::None
                {
                    links[from][to] = Link::Path;
                }
            }
        }
    }
}

/// Can two vertices be reached from each other?
pub(super) fn is_cyclic<const N: usize>(links: &[[Link; N]; N]) -> bool {
    (0..N).any(|a| (0..a).any(|b| links[a][b] != Link::None && links[b][a] != Link::None))
}

/// In an undirected tree, would this item link two vertices that are linked already?
fn closes_circle(state: &State, places: &[Option<usize>; 3], kind: &Kind) -> bool {
    let mut links = state.links;
    // A spanning forest of the item's own connections among its visible vertices.
    let mut own = [0, 1, 2];
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let (Some(at), Some(bt)) = (places[a], places[b]) else { continue };
        if kind.links[a][b] == Link::None || own[a] == own[b] {
            continue;
        }
        let (old, new) = (own[b], own[a]);
        own.iter_mut().filter(|group| **group == old).for_each(|group| *group = new);
        if links[at][bt] != Link::None {
            return true;
        }
        links[at][bt] = Link::Path;
        links[bt][at] = Link::Path;
        close(&mut links);
    }
    false
}
