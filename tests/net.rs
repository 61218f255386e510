//! The net of the evaluation: another one can be named, and what is no net is told so.

use std::process::{Command, Output};

const EMBEDDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/net/evaluation.net");

fn outflank(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outflank")).args(arguments).output().unwrap()
}

fn signature(net: Option<&str>) -> String {
    let named: Vec<&str> = net.into_iter().flat_map(|net| ["--net", net]).collect();
    let output = outflank(&[&named[..], &["bench", "300"]].concat());
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.rsplit_once("signature ").unwrap().1.trim().to_owned()
}

#[test]
fn the_net_that_comes_with_the_engine_is_the_one_in_its_sources() {
    assert_eq!(signature(Some("embedded")), signature(Some(EMBEDDED)));
}

#[test]
fn with_the_net_the_engine_plays_otherwise_and_without_it_as_if_nothing_was_named() {
    assert_ne!(signature(None), signature(Some("embedded")));
    assert_eq!(signature(None), signature(Some("none")));
}

#[test]
fn what_is_no_net_is_told_so() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    for (name, why) in [(manifest, "no net"), ("nowhere.net", "nowhere.net")] {
        let output = outflank(&["--net", name]);
        assert!(!output.status.success());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.starts_with("outflank: net ") && told.contains(why), "{told}");
    }
    assert!(!outflank(&["--net"]).status.success());
}
