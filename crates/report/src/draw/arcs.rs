//! Arcs: edges over a line of words, in lanes, so that arcs over the same place do not lie on each other.

use std::collections::BTreeMap;

use super::svg::{Stroke, Svg};

/// From the feet to the lowest arc, and from lane to lane.
const ARC_RISE: f64 = 20.0;
const ARC_STEP: f64 = 12.0;
/// How far apart the ends of arcs on one spot stand, and how round their corners are.
const END_STEP: f64 = 6.0;
const ROUNDING: f64 = 18.0;

/// An arc between two spots, with its point at the second.
pub(super) struct Arc<S> {
    pub(super) from: S,
    pub(super) to: S,
    from_x: f64,
    to_x: f64,
    pub(super) stroke: Stroke,
}

impl<S: Copy + Ord> Arc<S> {
    pub(super) fn new(from: S, to: S, stroke: Stroke) -> Arc<S> {
        Arc { from, to, from_x: 0.0, to_x: 0.0, stroke }
    }

    fn interval(&self) -> (f64, f64) {
        (self.from_x.min(self.to_x), self.from_x.max(self.to_x))
    }
}

/// Arcs that stand on one line.
pub(super) struct Arcs<S> {
    arcs: Vec<Arc<S>>,
    lanes: Vec<usize>,
}

impl<S: Copy + Ord> Arcs<S> {
    /// Lays arcs out; `room` tells the middle and the width of a spot.
    pub(super) fn new(mut arcs: Vec<Arc<S>>, room: impl Fn(S) -> (f64, f64)) -> Arcs<S> {
        for arc in &mut arcs {
            (arc.from_x, arc.to_x) = (room(arc.from).0, room(arc.to).0);
        }
        spread_ends(&mut arcs, room);
        keep_apart(&mut arcs);
        let lanes = lanes(&arcs.iter().map(Arc::interval).collect::<Vec<_>>());
        Arcs { arcs, lanes }
    }

    /// The arcs with the places of their ends and their lanes, for whoever draws them otherwise.
    pub(super) fn placed(&self) -> impl Iterator<Item = (&Arc<S>, (f64, f64), usize)> {
        self.arcs.iter().zip(&self.lanes).map(|(arc, &lane)| (arc, (arc.from_x, arc.to_x), lane))
    }

    /// How high they rise.
    pub(super) fn height(&self) -> f64 {
        self.lanes.iter().max().map_or(0.0, |&lane| ARC_RISE + ARC_STEP * lane as f64)
    }

    /// Draws them, standing on `foot`.
    pub(super) fn draw(&self, foot: f64, svg: &mut Svg) {
        for (arc, &lane) in self.arcs.iter().zip(&self.lanes) {
            let top = foot - ARC_RISE - ARC_STEP * lane as f64;
            let (start, end) = (arc.from_x, arc.to_x);
            let turn = (end - start).clamp(-2.0 * ROUNDING, 2.0 * ROUNDING) / 2.0;
            let path = format!(
                "M{start:.1},{foot:.1} C{start:.1},{top:.1} {start:.1},{top:.1} {:.1},{top:.1} H{:.1} C{end:.1},{top:.1} {end:.1},{top:.1} {end:.1},{:.1}",
                start + turn,
                end - turn,
                foot - 5.0
            );
            svg.path(&path, arc.stroke);
            svg.arrow_head(end, foot, top, arc.stroke.colour);
        }
    }
}

/// Moves the ends of arcs on one spot apart. Those that go left come first, the nearest outermost, so that none crosses another
/// that it lies over.
fn spread_ends<S: Copy + Ord>(arcs: &mut [Arc<S>], room: impl Fn(S) -> (f64, f64)) {
    let mut ends: BTreeMap<S, Vec<(f64, usize, bool)>> = BTreeMap::new();
    for (index, arc) in arcs.iter().enumerate() {
        ends.entry(arc.from).or_default().push((arc.to_x - arc.from_x, index, true));
        ends.entry(arc.to).or_default().push((arc.from_x - arc.to_x, index, false));
    }
    for (spot, mut ends) in ends {
        // -10, -500, 500, 10: the inverse of the distance, upside down
        ends.sort_by(|(a, ..), (b, ..)| (1.0 / a).total_cmp(&(1.0 / b)));
        let (x, width) = room(spot);
        let step = END_STEP.min(width / ends.len() as f64).max(1.0);
        let first = x - step * (ends.len() - 1) as f64 / 2.0;
        for (place, (_, index, is_from)) in ends.into_iter().enumerate() {
            let x = first + step * place as f64;
            if is_from {
                arcs[index].from_x = x;
            } else {
                arcs[index].to_x = x;
            }
        }
    }
}

/// Moves ends that neighbours still share to the right, so that no two arrowheads ever stand on one spot.
fn keep_apart<S>(arcs: &mut [Arc<S>]) {
    let mut ends: Vec<&mut f64> = arcs.iter_mut().flat_map(|arc| [&mut arc.from_x, &mut arc.to_x]).collect();
    ends.sort_by(|a, b| a.total_cmp(b));
    let mut free = f64::NEG_INFINITY;
    for x in ends {
        *x = x.max(free);
        free = *x + END_STEP;
    }
}

/// For each interval, its lane from 0: intervals that share a place have different lanes, and shorter ones have lower lanes than those
/// they lie under as far as that goes.
pub(super) fn lanes(intervals: &[(f64, f64)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..intervals.len()).collect();
    let length = |index: usize| intervals[index].1 - intervals[index].0;
    order.sort_by(|&a, &b| length(a).total_cmp(&length(b)).then(a.cmp(&b)));
    let mut taken: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut lanes = vec![0; intervals.len()];
    for index in order {
        let (start, end) = intervals[index];
        let meets = |lane: &Vec<(f64, f64)>| lane.iter().any(|&(s, e)| s < end && start < e);
        // above everything that it covers, not only beside it
        let lane = taken.iter().rposition(meets).map_or(0, |highest| highest + 1);
        if lane == taken.len() {
            taken.push(Vec::new());
        }
        taken[lane].push((start, end));
        lanes[index] = lane;
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_intervals_stack_and_neighbours_share() {
        assert_eq!(lanes(&[(0.0, 10.0), (1.0, 2.0), (3.0, 4.0), (12.0, 14.0)]), [1, 0, 0, 0]);
        assert_eq!(lanes(&[(0.0, 5.0), (3.0, 9.0)]), [0, 1]);
        assert_eq!(lanes(&[(0.0, 2.0), (2.0, 4.0)]), [0, 0]);
        assert!(lanes(&[]).is_empty());
    }

    #[test]
    fn no_two_ends_share_a_spot() {
        let stroke = Stroke { colour: "", width: 1.0, dashed: false };
        let arcs = (0..9u32).flat_map(|from| [0, 1, 4].map(|to| Arc::new(from, to, stroke))).collect();
        let arcs = Arcs::new(arcs, |spot| (10.0 * f64::from(spot), 8.0));
        let mut ends: Vec<f64> = arcs.placed().flat_map(|(_, (from, to), _)| [from, to]).collect();
        ends.sort_by(f64::total_cmp);
        assert!(ends.windows(2).all(|pair| pair[1] - pair[0] > END_STEP - 1e-6), "{ends:?}");
    }
}
