//! Scenarios of the program `chase`: parsed, checked, written and parsed again, but never run.

use nav_judge::frugally;
use nav_sim::Scenario;

/// Returns whether the input is a scenario that could be run.
pub(crate) fn run(bytes: &[u8]) -> bool {
    let scenario = match frugally(bytes, Scenario::parse) {
        Ok(scenario) => scenario,
        Err(error) => {
            let lines = bytes.split(|&byte| byte == b'\n').count();
            assert!((1..=lines + 1).contains(&error.line), "{error:?}");
            assert!(!error.sentence.is_empty());
            return false;
        }
    };
    if let Err(error) = frugally(bytes, |_| scenario.check()) {
        assert!(!error.to_string().is_empty());
        return false;
    }
    // Valid scenarios contain no NaN, which would differ from itself.
    let text = ron::to_string(&scenario).expect("scenarios can be written");
    let again = Scenario::parse(text.as_bytes()).expect("what was written can be read");
    assert_eq!(again, scenario, "{text}");
    true
}
