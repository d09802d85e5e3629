//! From a node to those in a relation to it, without looking at any other.
//!
//! `naive` defines the relations; here they are walked. Numbers in pre-order do most of it: what a node dominates is an interval, what it
//! precedes is all behind that interval.

use std::ops::ControlFlow;

use crate::relation::{DescriptionId, Relation};
use crate::set::Set;
use crate::view::View;

/// The answer of whoever is shown a node: to go on, or to stop.
pub(crate) type Flow = ControlFlow<()>;

/// Whether nodes fit descriptions.
pub(crate) trait Fits {
    fn fits(&self, node: u32, description: DescriptionId) -> bool;
}

/// Shows `visit` every `b` for which `a relation b`, each once.
pub(crate) fn each(
    view: &View,
    fits: &impl Fits,
    relation: Relation,
    a: u32,
    visit: &mut dyn FnMut(u32) -> Flow,
) -> Flow {
    use Relation as R;
    let here = view.node(a);
    match relation {
        R::Parent => view.children(a).try_for_each(visit),
        R::Child => view.parent(a).into_iter().try_for_each(visit),
        R::Dominates => (a + 1..here.end).try_for_each(visit),
        R::Dominated => view.ancestors(a).try_for_each(visit),
        R::HasNth(nth) => view.nth_child(a, nth).into_iter().try_for_each(visit),
        R::IsNth(nth) => {
            view.parent(a).filter(|&above| is_nth(view, a, above, nth)).into_iter().try_for_each(visit)
        }
        R::HasOnly => view.only_child(a).into_iter().try_for_each(visit),
        R::IsOnly => view.only_parent(a).into_iter().try_for_each(visit),
        R::Leftmost => {
            std::iter::successors(view.first_child(a), |&below| view.first_child(below)).try_for_each(visit)
        }
        R::IsLeftmost => {
            let up = |node: u32| view.parent(node).filter(|&above| above + 1 == node);
            std::iter::successors(up(a), |&above| up(above)).try_for_each(visit)
        }
        R::Rightmost => {
            std::iter::successors(view.last_child(a), |&below| view.last_child(below)).try_for_each(visit)
        }
        R::IsRightmost => {
            let up = |node: u32| view.parent(node).filter(|_| view.next_sister(node).is_none());
            std::iter::successors(up(a), |&above| up(above)).try_for_each(visit)
        }
        R::Unary => {
            std::iter::successors(view.only_child(a), |&below| view.only_child(below)).try_for_each(visit)
        }
        R::IsUnary => {
            std::iter::successors(view.only_parent(a), |&above| view.only_parent(above)).try_for_each(visit)
        }
        R::Leaf => view.leaves(a).filter(|&leaf| leaf != a).try_for_each(visit),
        R::NthLeaf(nth) => view.nth_leaf(a, nth).into_iter().try_for_each(visit),
        R::Sister => {
            let sisters = view.parent(a).into_iter().flat_map(|above| view.children(above));
            sisters.filter(|&sister| sister != a).try_for_each(visit)
        }
        R::LeftSister => {
            std::iter::successors(view.next_sister(a), |&sister| view.next_sister(sister)).try_for_each(visit)
        }
        R::RightSister => {
            let before = |node: u32| view.previous_sister(node);
            std::iter::successors(before(a), |&sister| before(sister)).try_for_each(visit)
        }
        R::NextSister => view.next_sister(a).into_iter().try_for_each(visit),
        R::PreviousSister => view.previous_sister(a).into_iter().try_for_each(visit),
        R::Precedes => (here.end..view.len()).try_for_each(visit),
        R::Follows => (0..a).filter(|&node| view.node(node).end <= a).try_for_each(visit),
        R::JustBefore => view.beginning(here.end).try_for_each(visit),
        R::JustBehind => view.ending(view.top(a)).try_for_each(visit),
        R::Down(between) => down(view, fits, between, a, visit),
        R::Up(between) => {
            for above in view.ancestors(a) {
                visit(above)?;
                if !fits.fits(above, between) {
                    break;
                }
            }
            Flow::Continue(())
        }
        R::Ahead(between) => ahead(view, fits, between, here.end, visit),
        R::Back(between) => back(view, fits, between, view.top(a), visit),
        R::HeadChild => view.head_child(a).into_iter().try_for_each(visit),
        R::IsHeadChild => headed(view, a).into_iter().try_for_each(visit),
        R::Head => {
            std::iter::successors(view.head_child(a), |&head| view.head_child(head)).try_for_each(visit)
        }
        R::IsHead => std::iter::successors(headed(view, a), |&above| headed(view, above)).try_for_each(visit),
        R::Same => visit(a),
        R::SameOrParent => std::iter::once(a).chain(view.children(a)).try_for_each(visit),
        R::Anywhere => (0..view.len()).try_for_each(visit),
        R::StandsFor => view.antecedents(a, false).into_iter().try_for_each(visit),
        R::Resolves => view.antecedents(a, true).into_iter().try_for_each(visit),
        R::StoodForBy => stood_for(view, a, false, visit),
        R::ResolvedBy => stood_for(view, a, true, visit),
        R::IsArgument(role) => view.predicates(a, role).try_for_each(visit),
        R::HasArgument(role) => view.arguments(a, role).try_for_each(visit),
        R::Edge => view.edges_from(a).try_for_each(visit),
        R::EdgeFrom => view.edges_to(a).try_for_each(visit),
        R::Spine => spine(view, spine_top(view, a)).filter(|&node| node != a).try_for_each(visit),
        R::Hangs => {
            let above = view.parent(spine_top(view, a)).filter(|_| has_spine(view, a));
            above.into_iter().flat_map(|above| spine(view, spine_top(view, above))).try_for_each(visit)
        }
        R::Holds => {
            let hosts = spine(view, spine_top(view, a)).filter(|_| has_spine(view, a));
            let hung = hosts.flat_map(|host| {
                view.children(host)
                    .filter(move |&child| view.is_wrapper(host) || view.head_child(host) != Some(child))
            });
            hung.filter(|&child| has_spine(view, child))
                .flat_map(|child| spine(view, child))
                .try_for_each(visit)
        }
    }
}

/// Whether some `b` of `set` has `a relation b`.
pub(crate) fn any(view: &View, fits: &impl Fits, relation: Relation, a: u32, set: &Set) -> bool {
    let end = view.node(a).end;
    match relation {
        Relation::Parent => view.children(a).any(|b| set.contains(b)),
        Relation::Child => view.parent(a).is_some_and(|b| set.contains(b)),
        Relation::Dominates => set.first_in(a + 1, end).is_some(),
        Relation::Precedes => set.first_in(end, view.len()).is_some(),
        Relation::Anywhere => !set.is_empty(),
        Relation::Same => set.contains(a),
        Relation::Follows => set.iter().take_while(|&node| node < a).any(|node| view.node(node).end <= a),
        _ => {
            let mut visit = |b: u32| if set.contains(b) { Flow::Break(()) } else { Flow::Continue(()) };
            each(view, fits, relation, a, &mut visit).is_break()
        }
    }
}

fn is_nth(view: &View, node: u32, parent: u32, nth: i32) -> bool {
    view.nth_child(parent, nth) == Some(node)
}

/// The parent that `node` is the head child of.
fn headed(view: &View, node: u32) -> Option<u32> {
    view.parent(node).filter(|&above| view.head_child(above) == Some(node))
}

fn down(
    view: &View,
    fits: &impl Fits,
    between: DescriptionId,
    a: u32,
    visit: &mut dyn FnMut(u32) -> Flow,
) -> Flow {
    let end = view.node(a).end;
    let mut node = a + 1;
    while node < end {
        visit(node)?;
        // below a node that cannot be passed nothing is reached
        node = if fits.fits(node, between) { node + 1 } else { view.node(node).end };
    }
    Flow::Continue(())
}

/// Rows go from border to border between leaves: what begins at a border that is reached is reached, and if it may be passed, so is the border
/// where it ends. A border is named by the highest node that begins at it.
fn ahead(
    view: &View,
    fits: &impl Fits,
    between: DescriptionId,
    border: u32,
    visit: &mut dyn FnMut(u32) -> Flow,
) -> Flow {
    let mut reached = Set::default();
    reached.reset(view.len() + 1);
    reached.insert(border);
    let mut at = border;
    while let Some(border) = reached.first_in(at, view.len()) {
        for node in view.beginning(border) {
            visit(node)?;
            if fits.fits(node, between) {
                reached.insert(view.node(node).end);
            }
        }
        at = border + 1;
    }
    Flow::Continue(())
}

fn back(
    view: &View,
    fits: &impl Fits,
    between: DescriptionId,
    border: u32,
    visit: &mut dyn FnMut(u32) -> Flow,
) -> Flow {
    let mut reached = Set::default();
    reached.reset(view.len() + 1);
    reached.insert(border);
    for border in (1..=border).rev() {
        if !reached.contains(border) {
            continue;
        }
        for node in view.ending(border) {
            visit(node)?;
            if fits.fits(node, between) {
                reached.insert(view.top(node));
            }
        }
    }
    Flow::Continue(())
}

fn stood_for(view: &View, a: u32, beyond_pronouns: bool, visit: &mut dyn FnMut(u32) -> Flow) -> Flow {
    // every null is the leaf of some edge; with it come its tag and the phrases that hold nothing else
    for leaf in view.leaves(0) {
        if leaf != a && view.antecedents(leaf, beyond_pronouns).contains(&a) {
            view.with_shells(leaf).filter(|&node| node != a).try_for_each(&mut *visit)?;
        }
    }
    Flow::Continue(())
}

/// The highest node with the head word of `node`. The wrapper around the sentence is the spine of the root, and of no word.
fn spine_top(view: &View, node: u32) -> u32 {
    let up = |&node: &u32| headed(view, node).filter(|&above| !view.is_wrapper(above));
    std::iter::successors(Some(node), up).last().unwrap_or(node)
}

/// The nodes from `top` down to its word.
fn spine(view: &View, top: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(top), |&node| view.head_child(node).filter(|_| !view.is_wrapper(node)))
}

/// Whether `node` is on a spine: it holds a word of the sentence, or is one.
fn has_spine(view: &View, node: u32) -> bool {
    view.head_child(node).is_some() || headed(view, node).is_some()
}
