//! The weights of a network, by name and in a fixed order.

use std::collections::HashMap;

use crate::matrix::Matrix;
use crate::random::Random;

/// Names a parameter of one [`Params`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamId(u32);

impl ParamId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The learning rate that a parameter follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learning {
    /// Learns at the rate of what starts from random values.
    Fresh,
    /// Comes with pretrained weights and learns at the encoder's rate; `depth` counts layers from the top.
    Pretrained {
        /// 0 for the layer nearest to the output.
        depth: u32,
    },
}

/// One weight matrix.
#[derive(Clone, Debug)]
pub struct Param {
    /// The name it is stored under.
    pub name: String,
    /// The weights.
    pub value: Matrix,
    /// Is left as it is; no gradient is computed.
    pub frozen: bool,
    /// A table of which a batch touches few rows.
    pub table: bool,
    /// Is drawn towards zero; biases and norms are not.
    pub decays: bool,
    /// Its group of learning rates.
    pub learning: Learning,
}

/// All weights of a network.
#[derive(Clone, Debug, Default)]
pub struct Params {
    entries: Vec<Param>,
    by_name: HashMap<String, ParamId>,
}

impl Params {
    /// Adds a parameter.
    ///
    /// # Panics
    /// If the name is taken.
    pub fn add(&mut self, param: Param) -> ParamId {
        let id = ParamId(self.entries.len() as u32);
        let taken = self.by_name.insert(param.name.clone(), id);
        assert!(taken.is_none(), "two parameters are named {}", param.name);
        self.entries.push(param);
        id
    }

    /// The parameter's weights.
    pub fn value(&self, id: ParamId) -> &Matrix {
        &self.entries[id.index()].value
    }

    /// Whether gradients are wanted.
    pub(crate) fn learns(&self, id: ParamId) -> bool {
        !self.entries[id.index()].frozen
    }

    /// The parameter of this name.
    pub fn find(&self, name: &str) -> Option<ParamId> {
        self.by_name.get(name).copied()
    }

    /// One parameter.
    pub fn get(&self, id: ParamId) -> &Param {
        &self.entries[id.index()]
    }

    /// One parameter, to be changed.
    pub fn get_mut(&mut self, id: ParamId) -> &mut Param {
        &mut self.entries[id.index()]
    }

    /// All parameters in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Param> {
        self.entries.iter()
    }

    /// All parameters in their order, to be changed.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut Param> {
        self.entries.iter_mut()
    }

    /// All parameters in their order, as a slice.
    #[cfg(feature = "train")]
    pub(crate) fn entries_mut(&mut self) -> &mut [Param] {
        &mut self.entries
    }

    /// Freezes the parameters chosen, and thaws the others.
    pub fn freeze(&mut self, chosen: impl Fn(&Param) -> bool) {
        for param in &mut self.entries {
            param.frozen = chosen(param);
        }
    }

    /// Moves all weights this share of the way to those of a network of the same shape.
    pub fn approach(&mut self, others: &Params, share: f32) {
        for (param, other) in self.entries.iter_mut().zip(&others.entries) {
            let values = param.value.values_mut().iter_mut().zip(other.value.values());
            values.for_each(|(value, other)| *value += share * (other - *value));
        }
    }

    /// The number of weights.
    pub fn size(&self) -> usize {
        self.entries.iter().map(|param| param.value.values().len()).sum()
    }
}

/// A maker of parameters with their first values, all drawn from one seed. Without one they have a shape alone, for weights that are about to
/// be read: sizes from a file take no memory before they were compared with what is there.
#[derive(Debug)]
pub struct Builder<'a> {
    /// The parameters so far.
    pub params: &'a mut Params,
    /// The source of first values; without it there are none.
    pub random: Option<Random>,
    /// The group of learning rates of every parameter added.
    pub learning: Learning,
}

impl Builder<'_> {
    fn add(&mut self, name: &str, value: Matrix, table: bool, decays: bool) -> ParamId {
        let learning = self.learning;
        self.params.add(Param { name: name.to_owned(), value, frozen: false, table, decays, learning })
    }

    fn draw(&mut self, rows: usize, cols: usize, random: impl FnOnce(&mut Random) -> Matrix) -> Matrix {
        self.random.as_mut().map_or_else(|| Matrix::unread(rows, cols), random)
    }

    /// Weights of a linear layer, `[outputs, inputs]`, by Glorot's rule.
    pub fn weights(&mut self, name: &str, outputs: usize, inputs: usize) -> ParamId {
        let bound = (6.0 / (outputs + inputs) as f32).sqrt();
        let value = self.draw(outputs, inputs, |random| random.uniform_matrix(outputs, inputs, bound));
        self.add(name, value, false, true)
    }

    /// A row that starts with one value everywhere.
    pub fn row(&mut self, name: &str, cols: usize, value: f32) -> ParamId {
        let value = self.draw(1, cols, |_| Matrix::from_vec(1, cols, vec![value; cols]));
        self.add(name, value, false, false)
    }

    /// A row of random values.
    pub fn random_row(&mut self, name: &str, cols: usize, deviation: f32) -> ParamId {
        let value = self.draw(1, cols, |random| random.normal_matrix(1, cols, deviation));
        self.add(name, value, false, false)
    }

    /// A table of rows to be looked up.
    pub fn table(&mut self, name: &str, rows: usize, cols: usize, deviation: f32) -> ParamId {
        let value = self.draw(rows, cols, |random| random.normal_matrix(rows, cols, deviation));
        self.add(name, value, true, true)
    }
}
