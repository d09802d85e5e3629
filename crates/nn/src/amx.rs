//! The tiles of AMX: whether this process may use them, and their shapes. Instructions on them are inline assembly, because the compiler's own names for
//! them are not stable.

use std::arch::asm;
use std::arch::x86_64::__cpuid_count;
use std::sync::LazyLock;

/// Products of bf16 on tiles.
const BF16: u32 = 1 << 22;
/// Tiles at all.
const TILES: u32 = 1 << 24;
/// Products of bytes on tiles.
const INT8: u32 = 1 << 25;

/// Whether there are products of bf16.
#[cfg(feature = "train")]
pub(crate) fn has_bf16() -> bool {
    *FEATURES & BF16 != 0
}

/// Whether there are products of bytes.
pub(crate) fn has_int8() -> bool {
    *FEATURES & INT8 != 0
}

/// The products on tiles that the machine has and that the system lets this process use: tiles are large, so it wants to be asked.
static FEATURES: LazyLock<u32> = LazyLock::new(|| {
    if !is_x86_feature_detected!("avx512bw") {
        return 0;
    }
    let features = __cpuid_count(7, 0).edx;
    if features & TILES != 0 && is_permitted() { features & (BF16 | INT8) } else { 0 }
});

#[cfg(target_os = "linux")]
fn is_permitted() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const REQUEST_PERMISSION: i64 = 0x1023;
    const TILE_DATA: i64 = 18;
    let mut answer = ARCH_PRCTL;
    // SAFETY: the call takes two numbers and touches no memory; beside its answer the system changes these two registers.
    unsafe {
        asm!("syscall", inout("rax") answer, in("rdi") REQUEST_PERMISSION, in("rsi") TILE_DATA, out("rcx") _, out("r11") _, options(nostack));
    }
    answer == 0
}

#[cfg(not(target_os = "linux"))]
fn is_permitted() -> bool {
    false
}

/// The shapes of the eight tiles, as the machine reads them.
#[repr(C, align(64))]
struct Shapes {
    palette: u8,
    start: u8,
    reserved: [u8; 14],
    bytes: [u16; 16],
    rows: [u8; 16],
}

/// All tiles whole.
static WHOLE: Shapes = Shapes {
    palette: 1,
    start: 0,
    reserved: [0; 14],
    bytes: [64, 64, 64, 64, 64, 64, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0],
    rows: [16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0],
};

/// The use of tiles: while there is one, they have their shapes, and then they are empty.
pub(crate) struct Tiles;

impl Tiles {
    /// Shapes the tiles.
    ///
    /// # Panics
    /// If there are none.
    pub(crate) fn shaped() -> Tiles {
        assert!(*FEATURES != 0, "this machine has no tiles");
        // SAFETY: the machine has the instruction, which reads the 64 bytes of `Shapes`.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &raw const WHOLE, options(nostack, readonly)) };
        Tiles
    }
}

impl Drop for Tiles {
    fn drop(&mut self) {
        // SAFETY: the machine has the instruction, which touches nothing but the tiles.
        unsafe { asm!("tilerelease", options(nostack, nomem)) };
    }
}
