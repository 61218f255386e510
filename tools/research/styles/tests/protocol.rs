//! SEI 1: every style passes the arena's check.

use outflank_arena::check::{STEPS, Terms, check};
use outflank_styles::STYLES;
use std::time::Duration;

fn failures(style: &str, steps: impl Fn(&str) -> bool) -> Vec<String> {
    let terms = Terms {
        program: env!("CARGO_BIN_EXE_outflank-style").to_owned(),
        arguments: vec![style.to_owned()],
        margin: Duration::from_secs(2),
        patience: Duration::from_secs(60),
    };
    let findings = STEPS.iter().filter(|step| steps(step.name)).map(|step| check(step, &terms));
    findings
        .filter(|finding| finding.outcome.is_err())
        .map(|finding| format!("{style}: {finding:?}"))
        .collect()
}

#[test]
fn one_style_passes_every_step() {
    let failures = failures("chaser", |_| true);
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn all_styles_pass_what_depends_on_the_style() {
    for style in STYLES {
        let own = ["handshake", "limits", "go-setup", "game", "determinism", "peeking"];
        let failures = failures(style.name, |step| own.contains(&step));
        assert!(failures.is_empty(), "{failures:#?}");
    }
}
