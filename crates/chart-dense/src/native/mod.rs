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

mod assembler;
mod translate;

use std::sync::OnceLock;

use crate::compile::terms::Terms;
use crate::engine::Arithmetic;
use crate::engine::form::Form;

impl Arithmetic {
    const COUNT: usize = 3;

    /// Are its numbers of eight bytes, not four?
    fn is_double(self) -> bool {
        self == Self::SumProduct
    }

    /// The bytes of a number.
    fn size(self) -> usize {
        if self.is_double() { size_of::<f64>() } else { size_of::<f32>() }
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
        assert!(made.as_ref().is_none_or(|routine| routine.form == form), "a map in two forms");
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
    /// The form it was made for.
    form: Form,
    code: memmap2::Mmap,
}

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
