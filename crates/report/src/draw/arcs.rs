//! Lanes for arcs, so that arcs over the same place do not lie on each other.

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
}
