//! Any text is a recipe or an error, and a recipe is written and read again as itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tracebank_train::Recipe;

fuzz_target!(|text: &str| {
    match Recipe::parse(text) {
        Ok(recipe) => {
            let written = toml::to_string(&recipe).expect("a recipe is TOML");
            let again = Recipe::parse(&written).expect("a recipe was written");
            // Not the recipes themselves: some weights may be NaN, which is not equal to itself.
            assert_eq!(toml::to_string(&again).expect("a recipe is TOML"), written);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
