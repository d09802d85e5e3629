//! Looking up rows of tables.

use std::rc::Rc;

use crate::matrix::Matrix;
use crate::ops::each;
use crate::params::ParamId;
use crate::tape::{Tape, Var};
use crate::vector;

impl Tape<'_> {
    /// A matrix of parameters as a variable.
    pub fn param(&mut self, id: ParamId) -> Var {
        let value = self.params().value(id).clone();
        self.push(value, self.wants(&[], &[id]), move |gradient, sink| {
            if let Some(sum) = sink.dense(id) {
                vector::add(sum.values_mut(), gradient.values());
            }
        })
    }

    fn add_row(&self, table: ParamId, row: u32, sum: &mut [f32]) {
        match self.int8_table(table) {
            Some(table) => table.add(row as usize, sum),
            None => vector::add(sum, self.params().value(table).row(row as usize)),
        }
    }

    /// For each row, the sum of one row out of each table.
    pub fn embed(&mut self, lookups: Vec<(ParamId, Rc<[u32]>)>) -> Var {
        let (first, ids) = &lookups[0];
        let mut value = Matrix::zeros(ids.len(), self.params().value(*first).cols());
        for (table, ids) in &lookups {
            for (row, &id) in ids.iter().enumerate() {
                self.add_row(*table, id, value.row_mut(row));
            }
        }
        let tables: Vec<ParamId> = lookups.iter().map(|(table, _)| *table).collect();
        self.push(value, self.wants(&[], &tables), move |gradient, sink| {
            for (table, ids) in &lookups {
                let Some(rows) = sink.rows(*table) else { continue };
                for (row, &id) in ids.iter().enumerate() {
                    vector::add(rows.row_mut(id), gradient.row(row));
                }
            }
        })
    }

    /// For each bag of ids, the sum of their rows; `starts` says where each bag begins in `ids`, and the end of all.
    pub fn embed_bags(&mut self, table: ParamId, ids: Rc<[u32]>, starts: Rc<[usize]>) -> Var {
        let mut value = Matrix::zeros(starts.len() - 1, self.params().value(table).cols());
        for (row, (from, to)) in each(&starts).enumerate() {
            for &id in &ids[from..to] {
                self.add_row(table, id, value.row_mut(row));
            }
        }
        self.push(value, self.wants(&[], &[table]), move |gradient, sink| {
            let Some(rows) = sink.rows(table) else { return };
            for (row, (from, to)) in each(&starts).enumerate() {
                for &id in &ids[from..to] {
                    vector::add(rows.row_mut(id), gradient.row(row));
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check::check_with_tables;

    #[test]
    fn sums_of_lookups() {
        check_with_tables(&[(5, 3), (2, 3)], &[0, 1], |tape, ids| {
            tape.embed(vec![(ids[0], [4, 0, 4, 1].into()), (ids[1], [0, 1, 1, 1].into())])
        });
    }

    #[test]
    fn bags() {
        check_with_tables(&[(5, 3)], &[0], |tape, ids| {
            tape.embed_bags(ids[0], [1, 1, 2, 4].into(), [0, 3, 3, 4].into())
        });
    }
}
