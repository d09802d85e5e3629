//! Maps as machine code.
//!
//! A map of the compiled rules is a few hundred products of entries that stand at fixed places of a block, and it is applied at
//! thousands of places of a sentence. A loop over the list of products spends three quarters of its instructions on the list. So a
//! map is translated, when it is first applied, into code that has its products written out ([`translate`]), and the code is run
//! once for each row of eight lanes. Where that cannot be done (another processor, a system that lets no program write code),
//! the loops of [`crate::engine`] do the same.
//!
//! The code reads and writes only what the products name. That all of it is inside the arrays is checked by the caller, with the
//! largest entries of the map.

#[cfg(target_arch = "x86_64")]
mod assembler;
#[cfg(target_arch = "x86_64")]
mod translate;

use std::sync::OnceLock;

use crate::compile::terms::Terms;

/// The algebras that code is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arithmetic {
    /// [`Max`](crate::semiring::Max), on `f32`.
    MaxPlus,
    /// [`Sum`](crate::semiring::Sum), on `f64`.
    SumProduct,
    /// [`ShortSum`](crate::semiring::ShortSum), on `f32`.
    ShortSumProduct,
}

impl Arithmetic {
    const COUNT: usize = 3;

    /// Are its numbers of eight bytes, not four?
    #[cfg(target_arch = "x86_64")]
    fn is_double(self) -> bool {
        self == Self::SumProduct
    }

    /// The bytes of a number.
    #[cfg(target_arch = "x86_64")]
    fn size(self) -> usize {
        if self.is_double() { size_of::<f64>() } else { size_of::<f32>() }
    }
}

/// How a factor is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Factor {
    /// Eight lanes.
    Lanes,
    /// One number for all lanes.
    Single,
    /// Not at all: it is one.
    One,
}

/// How a map is applied to a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Form {
    /// Does the target have lanes, or does it get the sum of all?
    pub(crate) target_has_lanes: bool,
    pub(crate) left: Factor,
    pub(crate) right: Factor,
    /// Overwrite the target instead of adding to it.
    pub(crate) assign: bool,
}

impl Form {
    /// The form of the transpose that makes the left factor of the target and the right one, in this order.
    pub(crate) fn to_left(self) -> Self {
        let left = if self.target_has_lanes { Factor::Lanes } else { Factor::Single };
        Self { target_has_lanes: self.left == Factor::Lanes, left, right: self.right, assign: false }
    }

    /// The form of the other transpose.
    pub(crate) fn to_right(self) -> Self {
        Self { left: self.right, right: self.left, ..self }.to_left()
    }

    /// Does anything have lanes?
    pub(crate) fn has_lanes(self) -> bool {
        self.target_has_lanes || self.left == Factor::Lanes || self.right == Factor::Lanes
    }
}

/// The code of a map. A map is always applied in the same form, so there is at most one piece for each algebra.
#[derive(Debug, Default)]
pub(crate) struct Native([OnceLock<Option<Routine>>; Arithmetic::COUNT]);

impl Native {
    /// The code of a map, made when it is first asked for. None if there is none for this machine.
    #[inline]
    pub(crate) fn routine(&self, terms: &Terms, arithmetic: Arithmetic, form: Form) -> Option<&Routine> {
        let slot = &self.0[arithmetic as usize];
        let made = slot.get_or_init(|| Routine::new(terms, arithmetic, form));
        debug_assert!(made.as_ref().is_none_or(|routine| routine.form == form), "a map in two forms");
        made.as_ref()
    }
}

/// How code goes from row to row.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Walk {
    /// By how many bytes the target, the left and the right factor move on: wrapping, for it may be back.
    pub(crate) steps: [usize; 3],
    /// How many rows there are: at least one. The code counts them down.
    pub(crate) count: usize,
}

/// A piece of code.
#[derive(Debug)]
pub(crate) struct Routine {
    /// What it was made for.
    form: Form,
    #[cfg(target_arch = "x86_64")]
    code: memmap2::Mmap,
}

#[cfg(target_arch = "x86_64")]
impl Routine {
    fn new(terms: &Terms, arithmetic: Arithmetic, form: Form) -> Option<Self> {
        if !is_x86_feature_detected!("avx") {
            return None;
        }
        let bytes = translate::translate(terms, arithmetic, form);
        let mut code = memmap2::MmapMut::map_anon(bytes.len()).ok()?;
        code.copy_from_slice(&bytes);
        Some(Self { form, code: code.make_exec().ok()? })
    }

    /// Applies the map to all rows of a walk.
    ///
    /// # Safety
    /// From each pointer on, and at each of its next rows, all entries that the map names must be there, in the numbers the code
    /// was made for; the target must be apart from the factors.
    #[inline]
    pub(crate) unsafe fn run<V>(&self, target: *mut V, left: *const V, right: *const V, mut walk: Walk) {
        type Code<V> = unsafe extern "sysv64" fn(*mut V, *const V, *const V, *mut Walk);
        // SAFETY: the bytes are a function of this type, and the caller promises the rest.
        unsafe {
            std::mem::transmute::<*const u8, Code<V>>(self.code.as_ptr())(target, left, right, &raw mut walk);
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Routine {
    fn new(_: &Terms, _: Arithmetic, _: Form) -> Option<Self> {
        None
    }

    /// Never called: there is no routine.
    ///
    /// # Safety
    /// None is needed.
    pub(crate) unsafe fn run<V>(&self, _: *mut V, _: *const V, _: *const V, _: Walk) {}
}
