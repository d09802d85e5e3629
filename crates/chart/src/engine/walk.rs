//! Applying a map as [machine code](crate::native), row by row.

use super::kernel::Call;
use super::view::{BY_X, UNIT, View};
use crate::native::{Arithmetic, Factor, Form, Routine};

/// The code for a call. There is none where nothing has lanes, or where rows overwrite each other.
pub(super) fn routine<'a, V>(arithmetic: Arithmetic, call: &Call<'a, V>) -> Option<&'a Routine> {
    let factor = |view: View<'_>| match view.mode {
        UNIT => Factor::One,
        mode if mode & BY_X == 0 => Factor::Single,
        _ => Factor::Lanes,
    };
    let (target, left, right) = (factor(call.target), factor(call.left.1), factor(call.right.1));
    let has_lanes = [target, left, right].contains(&Factor::Lanes);
    let overwritten = call.assign && call.rows.len() > 1 && !call.has_target_by_row();
    if !has_lanes || overwritten {
        return None;
    }
    let form = Form { target_has_lanes: target == Factor::Lanes, left, right, assign: call.assign };
    call.terms.native.routine(call.terms, arithmetic, form)
}

/// Runs the code at all rows, as many at a time as are evenly apart.
pub(super) fn walk<V>(routine: &Routine, out: &mut [V], call: &Call<'_, V>) {
    let mut row = 0;
    while row < call.rows.len() {
        let (count, [target, left, right]) = call.next_rows(row, out.len());
        let mut pointers = (
            out.as_mut_ptr().wrapping_add(target.start),
            call.left.0.as_ptr().wrapping_add(left.start),
            call.right.0.as_ptr().wrapping_add(right.start),
        );
        for _ in 0..count {
            // SAFETY: all entries that the map names are inside the arrays, of which the target alone is mutable.
            unsafe { routine.run(pointers.0, pointers.1, pointers.2) };
            pointers = (
                pointers.0.wrapping_add(target.step),
                pointers.1.wrapping_add(left.step),
                pointers.2.wrapping_add(right.step),
            );
        }
        row += count;
    }
}
