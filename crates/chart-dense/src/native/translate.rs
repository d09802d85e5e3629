//! From the products of a map to code without loops.
//!
//! The products of a target are added up in a register, which is stored when all are in. A product needs one of its factors
//! in a register; the other may come from memory in the same instruction. Twelve registers hold factors that were loaded for an
//! earlier product. When all are taken, the factor goes whose next use is furthest away: since the code runs straight through,
//! every next use is known.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use super::assembler::{Assembler, Base, Operand, Operation, Register};
use crate::compile::terms::Terms;
use crate::engine::form::{Factor, Form};
use crate::engine::{Arithmetic, LANES};

/// The bytes of a register.
const WIDTH: usize = 32;
/// Where products are added up, one register for each part of a block.
const SUMS: [Register; 2] = [0, 1];
/// Registers that hold factors.
const HOLD: Range<Register> = 2..14;
/// For a factor that is not used again.
const ONCE: Register = 14;
/// For a product on its way to the sum.
const PRODUCT: Register = 15;

/// Translates a map.
pub(super) fn translate(terms: &Terms, arithmetic: Arithmetic, form: Form) -> Vec<u8> {
    let block = LANES * arithmetic.size();
    let code = Assembler::new(arithmetic, form.has_lanes());
    let mut translator = Translator { form, block, code, held: Vec::new(), uses: HashMap::new() };
    translator.foresee(terms);
    for (target, pairs) in terms.groups() {
        translator.group(target, pairs);
    }
    translator.code.finish()
}

/// A register full of a factor: an entry of an array, spread over all lanes or one part of its block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Value {
    base: Base,
    entry: u16,
    part: Option<usize>,
}

struct Translator {
    form: Form,
    /// The bytes of a block of eight lanes.
    block: usize,
    code: Assembler,
    held: Vec<(Value, Register)>,
    /// The products each value is a factor of, those done left out.
    uses: HashMap<Value, VecDeque<usize>>,
}

impl Translator {
    /// Notes which products use what.
    fn foresee(&mut self, terms: &Terms) {
        let mut number = 0;
        for (_, pairs) in terms.groups() {
            for part in self.parts() {
                for &pair in pairs {
                    for value in self.values(pair, part).into_iter().flatten() {
                        self.uses.entry(value).or_default().push_back(number);
                    }
                    number += 1;
                }
            }
        }
    }

    /// The parts of a block: as many as registers it fills. If nothing has lanes, its first number is the only part.
    fn parts(&self) -> Range<usize> {
        0..if self.form.has_lanes() { self.block / WIDTH } else { 1 }
    }

    /// The values that one part of a product takes; a factor that is always one is left out.
    fn values(&self, (left, right): (u16, u16), part: usize) -> [Option<Value>; 2] {
        let value = |factor, base, entry| match factor {
            Factor::Single if self.form.has_lanes() => Some(Value { base, entry, part: None }),
            Factor::Single | Factor::Lanes => Some(Value { base, entry, part: Some(part) }),
            Factor::One => None,
        };
        [value(self.form.left, Base::Left, left), value(self.form.right, Base::Right, right)]
    }

    /// Adds products to their target.
    fn group(&mut self, target: usize, pairs: &[(u16, u16)]) {
        let place = |part| Operand::Memory(Base::Target, (target * self.block + part * WIDTH) as i32);
        let places: Vec<Operand> = self.parts().map(place).collect();
        for (part, (&sum, &place)) in SUMS.iter().zip(&places).enumerate() {
            for (number, &pair) in pairs.iter().enumerate() {
                self.product(self.values(pair, part), sum, number == 0);
            }
            if self.form.target_has_lanes {
                if !self.form.assign {
                    self.code.apply(Operation::Plus, sum, sum, place);
                }
                self.code.store(place, sum);
            }
        }
        if !self.form.target_has_lanes {
            self.add_up_lanes(places.len(), places[0]);
        }
    }

    /// Adds the lanes of a sum to a target that has none.
    fn add_up_lanes(&mut self, parts: usize, place: Operand) {
        let [sum, helper] = SUMS;
        if self.form.has_lanes() {
            if parts == 2 {
                self.code.apply(Operation::Plus, sum, sum, Operand::Register(helper));
            }
            self.code.gather(sum, helper);
        }
        if !self.form.assign {
            self.code.add_one(sum, place);
        }
        self.code.store_one(place, sum);
    }

    /// Adds one product to a sum; the first begins it.
    fn product(&mut self, values: [Option<Value>; 2], sum: Register, first: bool) {
        for value in values.into_iter().flatten() {
            self.uses.get_mut(&value).and_then(VecDeque::pop_front);
        }
        match values {
            [Some(left), Some(right)] => {
                let swap = self.should_be_loaded(right, left);
                let (loaded, other) = if swap { (right, left) } else { (left, right) };
                let (register, operand) = (self.register(loaded), self.operand(other));
                let into = if first { sum } else { PRODUCT };
                self.code.apply(Operation::Times, into, register, operand);
                if !first {
                    self.code.apply(Operation::Plus, sum, sum, Operand::Register(PRODUCT));
                }
            }
            [Some(value), None] | [None, Some(value)] => {
                let operand = self.operand(value);
                if first {
                    self.code.load(sum, operand);
                } else {
                    self.code.apply(Operation::Plus, sum, sum, operand);
                }
            }
            [None, None] => unreachable!("a product has a factor"),
        }
    }

    /// Should this factor be in a register, rather than the other?
    fn should_be_loaded(&self, value: Value, other: Value) -> bool {
        let rank = |value: Value| (self.find(value).is_some(), value.part.is_none(), self.uses[&value].len());
        rank(value) > rank(other)
    }

    fn find(&self, value: Value) -> Option<Register> {
        self.held.iter().find(|held| held.0 == value).map(|held| held.1)
    }

    /// A value where it is: in a register, or in memory unless it has to be spread over the lanes.
    fn operand(&mut self, value: Value) -> Operand {
        match self.find(value) {
            Some(register) => Operand::Register(register),
            None if value.part.is_some() => self.memory(value),
            None => Operand::Register(self.register(value)),
        }
    }

    fn memory(&self, Value { base, entry, part }: Value) -> Operand {
        Operand::Memory(base, (entry as usize * self.block + part.unwrap_or(0) * WIDTH) as i32)
    }

    /// A value in a register, loaded if it is in none.
    fn register(&mut self, value: Value) -> Register {
        if let Some(register) = self.find(value) {
            return register;
        }
        let (register, memory) = (self.room(value), self.memory(value));
        if value.part.is_some() {
            self.code.load(register, memory);
        } else {
            self.code.broadcast(register, memory);
        }
        register
    }

    /// Finds a register for a value, and notes that it is held there if it is to be used again.
    fn room(&mut self, value: Value) -> Register {
        let next = |value: &Value| self.uses[value].front().copied().unwrap_or(usize::MAX);
        let free = HOLD.clone().nth(self.held.len());
        let furthest = self.held.iter_mut().max_by_key(|held| next(&held.0));
        match (free, furthest) {
            _ if next(&value) == usize::MAX => ONCE,
            (Some(register), _) => {
                self.held.push((value, register));
                register
            }
            (None, Some(held)) if next(&held.0) > next(&value) => {
                held.0 = value;
                held.1
            }
            _ => ONCE,
        }
    }
}
