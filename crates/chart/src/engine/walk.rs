//! Applying a map as [machine code](crate::native), row by row.

use super::kernel::Call;
use super::view::{BY_X, Even, UNIT};
use crate::native::{Arithmetic, Factor, Form, Routine};

/// The code for a call. There is none where rows overwrite each other.
pub(super) fn routine<'a, V>(arithmetic: Arithmetic, call: &Call<'a, V>) -> Option<&'a Routine> {
    let factor = |rows: &Even| match rows.mode {
        BY_X => Factor::Lanes,
        UNIT => Factor::One,
        _ => Factor::Single,
    };
    if call.assign && call.count > 1 && !call.has_target_by_row() {
        return None;
    }
    let target_has_lanes = call.target.mode == BY_X;
    let form =
        Form { target_has_lanes, left: factor(&call.left.1), right: factor(&call.right.1), assign: call.assign };
    call.terms.native.routine(call.terms, arithmetic, form)
}

/// Runs the code at all rows.
pub(super) fn walk<V>(routine: &Routine, out: &mut [V], call: &Call<'_, V>) {
    call.check(out.len());
    let (target, (left, left_rows), (right, right_rows)) = (call.target, call.left, call.right);
    let mut pointers = (
        out.as_mut_ptr().wrapping_add(target.start),
        left.as_ptr().wrapping_add(left_rows.start),
        right.as_ptr().wrapping_add(right_rows.start),
    );
    for _ in 0..call.count {
        // SAFETY: all entries that the map names are inside the arrays, of which the target alone is mutable.
        unsafe { routine.run(pointers.0, pointers.1, pointers.2) };
        pointers = (
            pointers.0.wrapping_add(target.step),
            pointers.1.wrapping_add(left_rows.step),
            pointers.2.wrapping_add(right_rows.step),
        );
    }
}
