//! Ranges of the [`Settings`] that a model or a recipe may ask for.
//!
//! They are far wider than anything that tuning tries. Within them the decoder's sums stay finite; budgets are not among them, for no file can
//! set those.

use std::ops::RangeInclusive;

use crate::decode::{Pruning, Settings};

const WEIGHTS: RangeInclusive<f32> = 0.0..=100.0;
const BONUSES: RangeInclusive<f32> = -100.0..=100.0;
const MARGINS: RangeInclusive<f32> = 0.0..=1e6;
const TEMPERATURES: RangeInclusive<f32> = 0.01..=100.0;
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
        ("valency", settings.valency, WEIGHTS),
        ("violation_penalty", settings.violation_penalty, WEIGHTS),
        ("temperature", settings.temperature, TEMPERATURES),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_each_range_are_inside_and_what_is_beyond_is_named() {
        type Set = fn(&mut Settings, f32);
        let fields: [(&str, Set, f32, f32); 11] = [
            ("spine", |settings, value| settings.spine = value, 0.0, 100.0),
            ("attachment", |settings, value| settings.attachment = value, 0.0, 100.0),
            ("trace", |settings, value| settings.trace = value, 0.0, 100.0),
            ("trace_bonus", |settings, value| settings.trace_bonus = value, -100.0, 100.0),
            ("awaited_bonus", |settings, value| settings.awaited_bonus = value, -100.0, 100.0),
            ("unmet_penalty", |settings, value| settings.unmet_penalty = value, 0.0, 100.0),
            ("shared_penalty", |settings, value| settings.shared_penalty = value, 0.0, 100.0),
            ("valency", |settings, value| settings.valency = value, 0.0, 100.0),
            ("violation_penalty", |settings, value| settings.violation_penalty = value, 0.0, 100.0),
            ("temperature", |settings, value| settings.temperature = value, 0.01, 100.0),
            ("spine_margin", |settings, value| settings.pruning.spine_margin = value, 0.0, 1e6),
        ];
        assert_eq!(check_settings(&Settings::default()), Ok(()));
        for (name, set, least, most) in fields {
            let with = |value: f32| {
                let mut settings = Settings::default();
                set(&mut settings, value);
                check_settings(&settings)
            };
            assert_eq!((with(least), with(most)), (Ok(()), Ok(())), "{name}");
            for value in [least - 0.1, most + 0.1, most * 2.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                assert!(with(value).unwrap_err().starts_with(name), "{name} {value}");
            }
        }
        for (spines, is_sound) in [(0, false), (1, true), (64, true), (65, false), (usize::MAX, false)] {
            let pruning = Pruning { spines, ..Pruning::default() };
            assert_eq!(check_settings(&Settings { pruning, ..Settings::default() }).is_ok(), is_sound);
        }
    }
}
