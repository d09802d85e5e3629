//! Ranges of the [`Settings`] that a model or a recipe may ask for.
//!
//! They are far wider than anything that tuning tries. Within them the decoder's sums stay finite; budgets are not among them, for no file can
//! set those.

use std::ops::RangeInclusive;

use crate::decode::{Pruning, Settings};

const WEIGHTS: RangeInclusive<f32> = 0.0..=100.0;
const BONUSES: RangeInclusive<f32> = -100.0..=100.0;
const MARGINS: RangeInclusive<f32> = 0.0..=1e6;
const SPINES: RangeInclusive<usize> = 1..=64;

/// Whether settings are within their ranges; otherwise, which is not.
pub fn check_settings(settings: &Settings) -> Result<(), String> {
    let Settings { pruning: Pruning { spines, spine_margin, .. }, .. } = *settings;
    let ranges = [
        ("spine", settings.spine, WEIGHTS),
        ("attachment", settings.attachment, WEIGHTS),
        ("trace", settings.trace, WEIGHTS),
        ("trace_bonus", settings.trace_bonus, BONUSES),
        ("awaited_bonus", settings.awaited_bonus, BONUSES),
        ("unmet_penalty", settings.unmet_penalty, WEIGHTS),
        ("shared_penalty", settings.shared_penalty, WEIGHTS),
        ("empty_penalty", settings.empty_penalty, WEIGHTS),
        ("spine_margin", spine_margin, MARGINS),
    ];
    let outside = ranges.iter().find(|(_, value, range)| !range.contains(value));
    if let Some((name, value, range)) = outside {
        return Err(format!("{name} is {value}, and must be from {} to {}", range.start(), range.end()));
    }
    if !SPINES.contains(&spines) {
        return Err(format!("spines is {spines}, and must be from {} to {}", SPINES.start(), SPINES.end()));
    }
    Ok(())
}
