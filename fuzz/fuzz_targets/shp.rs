#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tracebank_attacks::shp::attack(bytes));
