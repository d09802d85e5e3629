//! The few instructions of AVX that a bilinear map needs, as bytes.
//!
//! They work on whole registers of 32 bytes, or all of them on one number; the last two always do the latter. Memory is addressed
//! from one of three pointers ([`Base`]).

use crate::engine::Arithmetic;

/// One of the sixteen vector registers.
pub(super) type Register = u8;

/// A pointer that the code is called with: the number of the general register it comes in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Base {
    /// The first argument, `rdi`.
    Target = 7,
    /// The second, `rsi`.
    Left = 6,
    /// The third, `rdx`.
    Right = 2,
}

/// The last operand of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Register(Register),
    /// So many bytes after a pointer.
    Memory(Base, i32),
}

/// An operation on two operands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    Plus,
    Times,
}

/// The tables of instructions that the prefix chooses from.
const BASIC: u8 = 1;
const EXTENDED: u8 = 2;
const IMMEDIATE: u8 = 3;

/// The prefix of instructions on integers and doubles, which some on floats have too.
const P66: u8 = 1;

/// Puts instructions one after the other.
#[derive(Debug)]
pub(super) struct Assembler {
    arithmetic: Arithmetic,
    /// Do instructions work on whole registers?
    whole: bool,
    bytes: Vec<u8>,
}

impl Assembler {
    pub(super) fn new(arithmetic: Arithmetic, whole: bool) -> Self {
        Self { arithmetic, whole, bytes: Vec::new() }
    }

    /// `into = memory`.
    pub(super) fn load(&mut self, into: Register, from: Operand) {
        self.instruction(BASIC, self.prefix(), 0x10, into, 0, from);
    }

    /// `memory = from`.
    pub(super) fn store(&mut self, into: Operand, from: Register) {
        self.instruction(BASIC, self.prefix(), 0x11, from, 0, into);
    }

    /// `into = memory`, one number in all lanes.
    pub(super) fn broadcast(&mut self, into: Register, from: Operand) {
        let opcode = if self.arithmetic.is_double() { 0x19 } else { 0x18 };
        self.instruction(EXTENDED, P66, opcode, into, 0, from);
    }

    /// `into = left ∘ right`, lane by lane.
    pub(super) fn apply(&mut self, operation: Operation, into: Register, left: Register, right: Operand) {
        self.instruction(BASIC, self.prefix(), self.opcode(operation), into, left, right);
    }

    /// Makes every lane of a register the sum of all, with the help of another register.
    pub(super) fn gather(&mut self, register: Register, helper: Register) {
        // The halves change places; then the pairs of a half, if there are pairs; then the numbers of a pair.
        let swaps: &[(u8, u8)] = if self.arithmetic.is_double() {
            &[(0x06, 0x01), (0x05, 0x05)]
        } else {
            &[(0x06, 0x01), (0x04, 0x4e), (0x04, 0xb1)]
        };
        for &(opcode, order) in swaps {
            let second = if opcode == 0x06 { register } else { 0 };
            self.instruction(IMMEDIATE, P66, opcode, helper, second, Operand::Register(register));
            self.bytes.push(order);
            self.apply(Operation::Plus, register, register, Operand::Register(helper));
        }
    }

    /// `register = register + memory`, the first lane only.
    pub(super) fn add_one(&mut self, register: Register, memory: Operand) {
        self.instruction(BASIC, self.single(), self.opcode(Operation::Plus), register, register, memory);
    }

    /// `memory = register`, the first lane only.
    pub(super) fn store_one(&mut self, memory: Operand, register: Register) {
        self.instruction(BASIC, self.single(), 0x11, register, 0, memory);
    }

    /// Goes to the next row and back to the beginning, or if there is none returns to the caller; gives the code. The
    /// [`Walk`](super::Walk) is the fourth argument.
    pub(super) fn finish(mut self) -> Vec<u8> {
        // add (%rcx),%rdi; add 8(%rcx),%rsi; add 16(%rcx),%rdx
        self.bytes.extend([0x48, 0x03, 0x39, 0x48, 0x03, 0x71, 0x08, 0x48, 0x03, 0x51, 0x10]);
        // decq 24(%rcx); jne to the beginning, counted from the end of the instruction
        self.bytes.extend([0x48, 0xff, 0x49, 0x18, 0x0f, 0x85]);
        let back = -(self.bytes.len() as i32 + 4);
        self.bytes.extend(back.to_le_bytes());
        // vzeroupper, without which code that does not know of the upper halves would run slowly; ret
        self.bytes.extend([0xc5, 0xf8, 0x77, 0xc3]);
        self.bytes
    }

    fn opcode(&self, operation: Operation) -> u8 {
        const MAX: u8 = 0x5f;
        const ADD: u8 = 0x58;
        const MULTIPLY: u8 = 0x59;
        match (self.arithmetic, operation) {
            (Arithmetic::MaxPlus, Operation::Plus) => MAX,
            (Arithmetic::MaxPlus, Operation::Times) | (_, Operation::Plus) => ADD,
            (_, Operation::Times) => MULTIPLY,
        }
    }

    /// The prefix of instructions on numbers.
    fn prefix(&self) -> u8 {
        match self.whole {
            false => self.single(),
            true if self.arithmetic.is_double() => P66,
            true => 0,
        }
    }

    /// The prefix of instructions on single numbers.
    fn single(&self) -> u8 {
        if self.arithmetic.is_double() { 3 } else { 2 }
    }

    /// One instruction: a prefix of two or three bytes, the opcode, and what the last operand is.
    fn instruction(
        &mut self,
        table: u8,
        prefix: u8,
        opcode: u8,
        register: Register,
        second: Register,
        last: Operand,
    ) {
        let high = |register: Register| register >> 3;
        let last_high = if let Operand::Register(last) = last { high(last) } else { 0 };
        let whole = u8::from(prefix <= P66);
        // Numbers of registers are stored inverted in the prefix.
        let third = (!second & 0xf) << 3 | whole << 2 | prefix;
        let first = (high(register) ^ 1) << 7;
        if table == BASIC && last_high == 0 {
            self.bytes.extend([0xc5, first | third]);
        } else {
            self.bytes.extend([0xc4, first | 1 << 6 | (last_high ^ 1) << 5 | table, third]);
        }
        let middle = (register & 7) << 3;
        match last {
            Operand::Register(last) => self.bytes.extend([opcode, 0b11 << 6 | middle | last & 7]),
            Operand::Memory(base, offset) => {
                if let Ok(offset) = i8::try_from(offset) {
                    self.bytes.extend([opcode, 0b01 << 6 | middle | base as u8, offset.cast_unsigned()]);
                } else {
                    self.bytes.extend([opcode, 0b10 << 6 | middle | base as u8]);
                    self.bytes.extend(offset.to_le_bytes());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Operand::{Memory, Register};
    use super::*;

    fn bytes(arithmetic: Arithmetic, write: impl FnOnce(&mut Assembler)) -> Vec<u8> {
        bytes_of(Assembler::new(arithmetic, true), write)
    }

    fn bytes_of(mut code: Assembler, write: impl FnOnce(&mut Assembler)) -> Vec<u8> {
        write(&mut code);
        code.bytes
    }

    /// The bytes are those that the GNU assembler makes of the instructions named.
    #[test]
    fn instructions_on_floats() {
        let float = |write: &dyn Fn(&mut Assembler)| bytes(Arithmetic::MaxPlus, write);
        // vmovups 0x20(%rsi),%ymm2
        assert_eq!(float(&|code| code.load(2, Memory(Base::Left, 0x20))), [0xc5, 0xfc, 0x10, 0x56, 0x20]);
        // vmovups %ymm0,0x1000(%rdi)
        let far = [0xc5, 0xfc, 0x11, 0x87, 0x00, 0x10, 0x00, 0x00];
        assert_eq!(float(&|code| code.store(Memory(Base::Target, 0x1000), 0)), far);
        // vbroadcastss 0x40(%rdx),%ymm13
        let spread = [0xc4, 0x62, 0x7d, 0x18, 0x6a, 0x40];
        assert_eq!(float(&|code| code.broadcast(13, Memory(Base::Right, 0x40))), spread);
        // vaddps 0x2000(%rdx),%ymm13,%ymm15
        let sum = [0xc5, 0x14, 0x58, 0xba, 0x00, 0x20, 0x00, 0x00];
        assert_eq!(float(&|code| code.apply(Operation::Times, 15, 13, Memory(Base::Right, 0x2000))), sum);
        // vmaxps %ymm15,%ymm0,%ymm0
        let most = [0xc4, 0xc1, 0x7c, 0x5f, 0xc7];
        assert_eq!(float(&|code| code.apply(Operation::Plus, 0, 0, Register(15))), most);
        // vmaxss 0x20(%rdi),%xmm0,%xmm0; vmovss %xmm0,0x20(%rdi)
        let place = Memory(Base::Target, 0x20);
        assert_eq!(float(&|code| code.add_one(0, place)), [0xc5, 0xfa, 0x5f, 0x47, 0x20]);
        assert_eq!(float(&|code| code.store_one(place, 0)), [0xc5, 0xfa, 0x11, 0x47, 0x20]);
        // vperm2f128 $1,%ymm0,%ymm0,%ymm1; vpermilps $0x4e,%ymm0,%ymm1; vpermilps $0xb1,%ymm0,%ymm1; each with
        // vmaxps %ymm1,%ymm0,%ymm0 after it
        let gathered = [
            [0xc4, 0xe3, 0x7d, 0x06, 0xc8, 0x01, 0xc5, 0xfc, 0x5f, 0xc1],
            [0xc4, 0xe3, 0x7d, 0x04, 0xc8, 0x4e, 0xc5, 0xfc, 0x5f, 0xc1],
            [0xc4, 0xe3, 0x7d, 0x04, 0xc8, 0xb1, 0xc5, 0xfc, 0x5f, 0xc1],
        ];
        assert_eq!(float(&|code| code.gather(0, 1)), gathered.concat());
        // vmulps %ymm9,%ymm13,%ymm15; vaddps %ymm15,%ymm0,%ymm0
        let sums = |write: &dyn Fn(&mut Assembler)| bytes(Arithmetic::ShortSumProduct, write);
        let product = [0xc4, 0x41, 0x14, 0x59, 0xf9];
        assert_eq!(sums(&|code| code.apply(Operation::Times, 15, 13, Register(9))), product);
        let sum = [0xc4, 0xc1, 0x7c, 0x58, 0xc7];
        assert_eq!(sums(&|code| code.apply(Operation::Plus, 0, 0, Register(15))), sum);
    }

    #[test]
    fn instructions_on_doubles() {
        let double = |write: &dyn Fn(&mut Assembler)| bytes(Arithmetic::SumProduct, write);
        // vmovupd 0x20(%rsi),%ymm2
        assert_eq!(double(&|code| code.load(2, Memory(Base::Left, 0x20))), [0xc5, 0xfd, 0x10, 0x56, 0x20]);
        // vbroadcastsd 0x40(%rdx),%ymm13
        let spread = [0xc4, 0x62, 0x7d, 0x19, 0x6a, 0x40];
        assert_eq!(double(&|code| code.broadcast(13, Memory(Base::Right, 0x40))), spread);
        // vmulpd %ymm9,%ymm13,%ymm15
        let product = [0xc4, 0x41, 0x15, 0x59, 0xf9];
        assert_eq!(double(&|code| code.apply(Operation::Times, 15, 13, Register(9))), product);
        // vaddsd 0x40(%rdi),%xmm0,%xmm0; vmovsd %xmm0,0x40(%rdi)
        let place = Memory(Base::Target, 0x40);
        assert_eq!(double(&|code| code.add_one(0, place)), [0xc5, 0xfb, 0x58, 0x47, 0x40]);
        assert_eq!(double(&|code| code.store_one(place, 0)), [0xc5, 0xfb, 0x11, 0x47, 0x40]);
        // vperm2f128 $1,%ymm0,%ymm0,%ymm1; vpermilpd $5,%ymm0,%ymm1; each with vaddpd %ymm1,%ymm0,%ymm0 after it
        let gathered = [
            [0xc4, 0xe3, 0x7d, 0x06, 0xc8, 0x01, 0xc5, 0xfd, 0x58, 0xc1],
            [0xc4, 0xe3, 0x7d, 0x05, 0xc8, 0x05, 0xc5, 0xfd, 0x58, 0xc1],
        ];
        assert_eq!(double(&|code| code.gather(0, 1)), gathered.concat());
    }

    #[test]
    fn rows_are_counted_down() {
        let mut code = Assembler::new(Arithmetic::MaxPlus, true);
        code.load(2, Memory(Base::Left, 0x20));
        let load = [0xc5, 0xfc, 0x10, 0x56, 0x20];
        // add (%rcx),%rdi; add 0x8(%rcx),%rsi; add 0x10(%rcx),%rdx; decq 0x18(%rcx)
        let next = [0x48, 0x03, 0x39, 0x48, 0x03, 0x71, 0x08, 0x48, 0x03, 0x51, 0x10, 0x48, 0xff, 0x49, 0x18];
        // jne .-26; vzeroupper; ret
        let back = [0x0f, 0x85, 0xe6, 0xff, 0xff, 0xff, 0xc5, 0xf8, 0x77, 0xc3];
        assert_eq!(code.finish(), [&load[..], &next, &back].concat());
    }

    #[test]
    fn instructions_on_one_number() {
        let float =
            |write: &dyn Fn(&mut Assembler)| bytes_of(Assembler::new(Arithmetic::MaxPlus, false), write);
        // vmovss 0x20(%rsi),%xmm2
        assert_eq!(float(&|code| code.load(2, Memory(Base::Left, 0x20))), [0xc5, 0xfa, 0x10, 0x56, 0x20]);
        // vaddss 0x2000(%rdx),%xmm13,%xmm15
        let sum = [0xc5, 0x12, 0x58, 0xba, 0x00, 0x20, 0x00, 0x00];
        assert_eq!(float(&|code| code.apply(Operation::Times, 15, 13, Memory(Base::Right, 0x2000))), sum);
        // vmaxss %xmm15,%xmm0,%xmm0
        let most = [0xc4, 0xc1, 0x7a, 0x5f, 0xc7];
        assert_eq!(float(&|code| code.apply(Operation::Plus, 0, 0, Register(15))), most);
        let double =
            |write: &dyn Fn(&mut Assembler)| bytes_of(Assembler::new(Arithmetic::SumProduct, false), write);
        // vmulsd %xmm9,%xmm13,%xmm15
        let product = [0xc4, 0x41, 0x13, 0x59, 0xf9];
        assert_eq!(double(&|code| code.apply(Operation::Times, 15, 13, Register(9))), product);
    }
}
