//! Holds each way back against differences of the way there.

use crate::gradients::Gradients;
use crate::matrix::Matrix;
use crate::params::{Learning, Param, ParamId, Params};
use crate::random::Random;
use crate::tape::{Mode, Tape, Var};

const MODE: Mode = Mode::Train { seed: 3 };

/// Checks the gradients of random matrices with these shapes; `tables` lists those that are looked up by row.
pub(crate) fn check_with_tables(
    shapes: &[(usize, usize)],
    tables: &[usize],
    build: impl Fn(&mut Tape<'_>, &[ParamId]) -> Var,
) {
    let mut random = Random::new(11);
    let mut params = Params::default();
    let ids: Vec<ParamId> = (0..shapes.len())
        .map(|i| {
            let value = random.normal_matrix(shapes[i].0, shapes[i].1, 0.7);
            let table = tables.contains(&i);
            let name = i.to_string();
            params.add(Param { name, value, frozen: false, table, decays: true, learning: Learning::Fresh })
        })
        .collect();

    let mut tape = Tape::new(&params, MODE);
    let result = build(&mut tape, &ids);
    let weights = random.normal_matrix(result.rows(), result.cols(), 1.0);
    tape.external_loss(&result, weights.clone());
    let mut grads = Gradients::new(&params);
    tape.backward(&mut grads);

    let loss = |params: &Params| {
        let result = build(&mut Tape::new(params, MODE), &ids);
        let terms = result.values().iter().zip(weights.values());
        terms.filter(|(y, _)| y.is_finite()).map(|(&y, &w)| f64::from(y) * f64::from(w)).sum::<f64>()
    };
    let step = 1e-2f32;
    for (&id, &(rows, cols)) in ids.iter().zip(shapes) {
        for at in 0..rows * cols {
            let mut moved = |by: f32| {
                let before = params.value(id).values()[at];
                params.get_mut(id).value.values_mut()[at] = before + by;
                let loss = loss(&params);
                params.get_mut(id).value.values_mut()[at] = before;
                loss
            };
            let difference = ((moved(step) - moved(-step)) / f64::from(2.0 * step)) as f32;
            let gradient = grads.get(id).at(at / cols, at % cols);
            assert!(
                (difference - gradient).abs() < 5e-3 * (1.0 + difference.abs()),
                "parameter {id:?} at {at}: difference {difference}, gradient {gradient}"
            );
        }
    }
}

/// Checks the gradients of random matrices with these shapes, given as variables.
pub(crate) fn check(shapes: &[(usize, usize)], build: impl Fn(&mut Tape<'_>, &[Var]) -> Var) {
    check_with_tables(shapes, &[], |tape, ids| {
        let vars: Vec<Var> = ids.iter().map(|&id| tape.param(id)).collect();
        build(tape, &vars)
    });
}

/// Checks the gradients where the first matrix is a variable and the others are parameters.
pub(crate) fn check_layer(shapes: &[(usize, usize)], build: impl Fn(&mut Tape<'_>, &Var, &[ParamId]) -> Var) {
    check_with_tables(shapes, &[], |tape, ids| {
        let input = tape.param(ids[0]);
        build(tape, &input, &ids[1..])
    });
}

/// Whether two matrices agree.
pub(crate) fn close(a: &Matrix, b: &Matrix, tolerance: f32) -> bool {
    a.shape() == b.shape() && a.values().iter().zip(b.values()).all(|(x, y)| (x - y).abs() <= tolerance)
}
