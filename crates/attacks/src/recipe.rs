//! Any text is a recipe or an error, and a recipe is written and read again as itself.

use tracebank_train::Recipe;

/// One attack. Panics where a promise does not hold.
pub fn attack(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    match Recipe::parse(text) {
        Ok(recipe) => {
            let written = toml::to_string(&recipe).expect("a recipe is TOML");
            let again = Recipe::parse(&written).expect("a recipe was written");
            // Not the recipes themselves: some weights may be NaN, which is not equal to itself.
            assert_eq!(toml::to_string(&again).expect("a recipe is TOML"), written);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
