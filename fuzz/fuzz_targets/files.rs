//! Runs [`Target::Files`] with what libFuzzer makes up.

#![no_main]

use heap_meter::Meter;
use libfuzzer_sys::fuzz_target;
use nav_fuzz::Target;

#[global_allocator]
static METER: Meter = Meter;

fuzz_target!(|bytes: &[u8]| {
    Target::Files.run(bytes);
});
