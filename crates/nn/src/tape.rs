//! The record of a computation, and its way back.
//!
//! Each operation (see [`crate::ops`]) computes a value and pushes a closure that, given the gradient at its result,
//! adds to the gradients at its arguments. Losses need no scalars: a loss puts its gradient directly at the variable
//! it judges ([`Tape::external_loss`]), and [`Tape::backward`] runs the closures from last to first.
//!
//! In [`Mode::Infer`] closures are dropped as soon as they are pushed, and with them what they hold, so the same code
//! computes values and keeps nothing.

use std::ops::Deref;
use std::rc::Rc;

use crate::gradients::{Gradients, Rows};
use crate::int8::{Int8Weights, Layer, Table};
use crate::matrix::Matrix;
use crate::params::{ParamId, Params};
use crate::product::{Multiply, Products, multiply_in_order};
use crate::random::substream;
use crate::vector;

/// The purpose of a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Gradients will be wanted; dropout is drawn from the seed.
    Train {
        /// Decides what is dropped.
        seed: u64,
    },
    /// Only values are wanted; nothing is dropped or recorded.
    Infer,
}

/// A value of a computation.
#[derive(Clone, Debug)]
pub struct Var {
    value: Rc<Matrix>,
    node: Node,
}

impl Var {
    /// Where gradients go.
    pub(crate) fn node(&self) -> Node {
        self.node
    }

    /// The value, shared.
    pub(crate) fn share(&self) -> Rc<Matrix> {
        Rc::clone(&self.value)
    }

    /// The value, without a copy if nobody else holds it.
    pub(crate) fn into_matrix(self) -> Matrix {
        Rc::unwrap_or_clone(self.value)
    }
}

impl Deref for Var {
    type Target = Matrix;

    fn deref(&self) -> &Matrix {
        &self.value
    }
}

/// The place of a variable's gradient; none if no gradient is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node(Option<usize>);

impl Node {
    pub(crate) fn is_wanted(self) -> bool {
        self.0.is_some()
    }
}

type Backward = Box<dyn FnOnce(Matrix, &mut Sink<'_>)>;

/// A computation over parameters.
pub struct Tape<'p> {
    params: &'p Params,
    int8: Option<&'p Int8Weights>,
    mode: Mode,
    products: Products,
    steps: Vec<Backward>,
    gradients: Vec<Option<Matrix>>,
    draws: u64,
}

impl<'p> Tape<'p> {
    /// An empty computation.
    pub fn new(params: &'p Params, mode: Mode) -> Self {
        let (steps, gradients, products) = (Vec::new(), Vec::new(), Products::F32);
        Self { params, int8: None, mode, products, steps, gradients, draws: 0 }
    }

    /// This computation with products of these numbers, in training.
    #[must_use]
    pub fn with_products(self, products: Products) -> Self {
        Self { products, ..self }
    }

    /// An empty computation of values only, with int8 weights where there are any.
    pub fn infer(params: &'p Params, int8: Option<&'p Int8Weights>) -> Self {
        Self { int8, ..Self::new(params, Mode::Infer) }
    }

    /// The int8 weights of a linear layer, if they are to be used.
    pub(crate) fn int8_layer(&self, id: ParamId) -> Option<&'p Layer> {
        self.int8?.layer(id)
    }

    /// A table of int8 rows, if it is to be used.
    pub(crate) fn int8_table(&self, id: ParamId) -> Option<&'p Table> {
        self.int8?.table(id)
    }

    /// The parameters computed with.
    pub fn params(&self) -> &'p Params {
        self.params
    }

    /// Whether gradients will be wanted.
    pub fn is_training(&self) -> bool {
        self.mode != Mode::Infer
    }

    /// The way to multiply: fast in training, in the same bits on every machine in use.
    pub(crate) fn multiply(&self) -> Multiply {
        if self.is_training() { self.products.multiply() } else { multiply_in_order }
    }

    /// A seed for the next random choice; none outside of training.
    pub(crate) fn draw(&mut self) -> Option<u32> {
        let Mode::Train { seed } = self.mode else { return None };
        self.draws += 1;
        Some(substream(seed, self.draws) as u32)
    }

    /// Whether the result of an operation on these needs a gradient.
    pub(crate) fn wants(&self, vars: &[&Var], params: &[ParamId]) -> bool {
        self.is_training()
            && (vars.iter().any(|var| var.node.is_wanted())
                || params.iter().any(|&id| self.params.learns(id)))
    }

    /// A value without a gradient.
    pub fn constant(&self, value: Matrix) -> Var {
        Var { value: Rc::new(value), node: Node(None) }
    }

    /// Records an operation's result and its way back.
    pub(crate) fn push(
        &mut self,
        value: Matrix,
        wanted: bool,
        backward: impl FnOnce(Matrix, &mut Sink<'_>) + 'static,
    ) -> Var {
        self.push_shared(Rc::new(value), wanted, backward)
    }

    /// Like [`Tape::push`], for a way back that itself needs the result.
    pub(crate) fn push_shared(
        &mut self,
        value: Rc<Matrix>,
        wanted: bool,
        backward: impl FnOnce(Matrix, &mut Sink<'_>) + 'static,
    ) -> Var {
        let node = wanted.then(|| {
            self.steps.push(Box::new(backward));
            self.gradients.push(None);
            self.steps.len() - 1
        });
        Var { value, node: Node(node) }
    }

    /// Adds a loss computed elsewhere: its gradient at `var`.
    ///
    /// # Panics
    /// If the gradient has another shape than the variable.
    pub fn external_loss(&mut self, var: &Var, gradient: Matrix) {
        assert_eq!(var.shape(), gradient.shape(), "a gradient has the shape of its variable");
        add_at(&mut self.gradients, var.node, gradient);
    }

    /// Adds the gradients of all losses at all parameters to `grads`.
    pub fn backward(self, grads: &mut Gradients) {
        let mut sink = Sink { params: self.params, grads, gradients: self.gradients };
        for step in self.steps.into_iter().rev() {
            // Dropping the gradient as it passes keeps few alive at a time.
            if let Some(gradient) = sink.gradients.pop().flatten() {
                step(gradient, &mut sink);
            }
        }
    }
}

/// Receives gradients on the way back.
pub(crate) struct Sink<'a> {
    params: &'a Params,
    grads: &'a mut Gradients,
    gradients: Vec<Option<Matrix>>,
}

impl<'a> Sink<'a> {
    /// The parameters computed with.
    pub(crate) fn params(&self) -> &'a Params {
        self.params
    }

    /// Adds a gradient at a variable.
    pub(crate) fn add(&mut self, node: Node, gradient: Matrix) {
        add_at(&mut self.gradients, node, gradient);
    }

    /// Lets `write` write to the gradient at a variable. If the second argument is `true`, there was none before, and
    /// the matrix holds stale values that must all be overwritten.
    pub(crate) fn write(
        &mut self,
        node: Node,
        rows: usize,
        cols: usize,
        write: impl FnOnce(&mut Matrix, bool),
    ) {
        let Node(Some(index)) = node else { return };
        let slot = &mut self.gradients[index];
        let fresh = slot.is_none();
        write(slot.get_or_insert_with(|| Matrix::stale(rows, cols)), fresh);
    }

    /// Lets `write` add to the gradient at a variable.
    pub(crate) fn accumulate(
        &mut self,
        node: Node,
        rows: usize,
        cols: usize,
        write: impl FnOnce(&mut Matrix),
    ) {
        self.write(node, rows, cols, |gradient, fresh| {
            if fresh {
                gradient.values_mut().fill(0.0);
            }
            write(gradient);
        });
    }

    /// The gradient of a matrix of parameters; none if it is frozen.
    pub(crate) fn dense(&mut self, id: ParamId) -> Option<&mut Matrix> {
        self.params.learns(id).then(|| self.grads.dense(self.params, id))
    }

    /// The gradient of a table; none if it is frozen.
    pub(crate) fn rows(&mut self, id: ParamId) -> Option<&mut Rows> {
        self.params.learns(id).then(|| self.grads.rows(self.params, id))
    }
}

fn add_at(gradients: &mut [Option<Matrix>], node: Node, gradient: Matrix) {
    let Node(Some(index)) = node else { return };
    match &mut gradients[index] {
        Some(sum) => vector::add(sum.values_mut(), gradient.values()),
        empty => *empty = Some(gradient),
    }
}
