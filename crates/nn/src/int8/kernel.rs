//! The kernels for products of bytes, and the choice of one.
//!
//! Each has a module, which says what its instructions do. All find the same numbers: sums of products of whole numbers are exact.

use std::sync::OnceLock;

use super::layer::{GROUP, Product};
use super::portable;

#[cfg(target_arch = "aarch64")]
use super::neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128;
#[cfg(target_arch = "x86_64")]
use super::{amx, avx_vnni, avx2, avx512};

/// The numbers that a kernel takes together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    /// Quads, to which rows are filled up.
    pub(super) quads: usize,
    /// Rows, to which a block is filled up.
    pub(super) rows: usize,
}

/// A way to compute products that this machine has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernel(&'static Entry);

#[derive(Debug)]
struct Entry {
    /// The instructions that it needs, for people.
    #[allow(dead_code, reason = "printed when a test fails")]
    name: &'static str,
    is_there: fn() -> bool,
    unit: Unit,
    /// To be called only where `is_there`.
    run: unsafe fn(&Product<'_>, &mut [f32]),
}

/// Whole groups of quads, and any number of rows.
const UNIT: Unit = Unit { quads: GROUP, rows: 1 };

/// All kernels, the fastest first.
static ENTRIES: &[Entry] = &[
    #[cfg(target_arch = "x86_64")]
    Entry { name: "AMX", is_there: crate::amx::has_int8, unit: amx::UNIT, run: amx::run },
    #[cfg(target_arch = "x86_64")]
    Entry {
        name: "AVX-512 VNNI",
        is_there: || {
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vnni")
        },
        unit: UNIT,
        run: avx512::run,
    },
    #[cfg(target_arch = "x86_64")]
    Entry {
        name: "AVX-VNNI",
        is_there: || is_x86_feature_detected!("avx2") && is_x86_feature_detected!("avxvnni"),
        unit: UNIT,
        run: avx_vnni::run,
    },
    #[cfg(target_arch = "x86_64")]
    Entry { name: "AVX2", is_there: || is_x86_feature_detected!("avx2"), unit: UNIT, run: avx2::run },
    #[cfg(target_arch = "aarch64")]
    Entry {
        name: "NEON with dot products",
        is_there: || std::arch::is_aarch64_feature_detected!("dotprod"),
        unit: UNIT,
        run: neon::run,
    },
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Entry { name: "simd128", is_there: || true, unit: UNIT, run: simd128::run },
    Entry { name: "none", is_there: || true, unit: UNIT, run: portable::run },
];

impl Kernel {
    /// The kernels of this machine, the fastest first.
    pub(super) fn all() -> impl Iterator<Item = Kernel> {
        ENTRIES.iter().filter(|entry| (entry.is_there)()).map(Kernel)
    }

    /// The fastest of this machine, chosen once.
    pub(super) fn of_this_machine() -> Kernel {
        static CHOSEN: OnceLock<Kernel> = OnceLock::new();
        *CHOSEN.get_or_init(|| Kernel::all().next().expect("one needs nothing"))
    }

    /// The numbers that it takes together.
    pub(super) fn unit(self) -> Unit {
        self.0.unit
    }

    /// Writes a product.
    pub(super) fn run(self, product: &Product<'_>, out: &mut [f32]) {
        // SAFETY: a kernel is made of an entry whose instructions this machine has.
        unsafe { (self.0.run)(product, out) }
    }
}
