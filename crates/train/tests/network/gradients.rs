//! Gradients against finite differences.

use tracebank_neural::Network;
use tracebank_nn::gradients::Gradients;
use tracebank_nn::random::Random;

/// The gradient of a loss is its difference along random directions, for each parameter.
pub(crate) fn assert_gradients(
    network: &mut Network,
    random: &mut Random,
    loss: impl Fn(&Network, &mut Gradients) -> f64,
) {
    let mut gradients = Gradients::new(&network.params);
    loss(network, &mut gradients);
    let ids: Vec<_> = network.params.iter().map(|param| network.params.find(&param.name)).collect();
    for id in ids.into_iter().flatten() {
        let (rows, cols) = network.params.value(id).shape();
        let mut compare = || {
            let direction = random.normal_matrix(rows, cols, 1.0);
            let gradient = gradients.get(id);
            let expected: f64 = (0..rows * cols)
                .map(|i| f64::from(gradient.at(i / cols, i % cols)) * f64::from(direction.values()[i]))
                .sum();
            let mut moved = |by: f32| {
                let before = network.params.value(id).clone();
                let value = &mut network.params.get_mut(id).value;
                value.values_mut().iter_mut().zip(direction.values()).for_each(|(x, d)| *x += by * d);
                let result = loss(network, &mut Gradients::new(&network.params));
                network.params.get_mut(id).value = before;
                result
            };
            // A step that crosses a kink gives another difference; a smaller one will not cross it.
            let differences: Vec<f64> = [1e-3, 5e-4, 2.5e-4, 1.25e-4]
                .iter()
                .map(|&step| (moved(step) - moved(-step)) / f64::from(2.0 * step))
                .collect();
            let close = |difference: &f64| (difference - expected).abs() < 0.02 * (1.0 + difference.abs());
            if differences.iter().any(close) { Ok(()) } else { Err((differences, expected)) }
        };
        // A kink may be too near for any step that floats can measure. Some unit's sits there in one run of many, and counts for little
        // in most directions; a wrong gradient is wrong in all.
        let found = compare().or_else(|_| compare()).or_else(|_| compare());
        assert!(found.is_ok(), "{}: differences and gradient {found:?}", network.params.get(id).name);
    }
}
