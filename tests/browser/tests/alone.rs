//! What a test program leaves behind, and what it says where something is missing. Each test here runs one of the ignored
//! ones in a program of its own.
#![cfg(unix)]

use outflank_browser::{Axe, Page};
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Where the ignored tests let the browser keep its files.
const FOLDER: &str = "OUTFLANK_TEST_FOLDER";

/// Runs a test of this file that is ignored by itself, in such an environment.
fn run(test: &str, environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored"]);
    for variable in ["OUTFLANK_NEED_BROWSER", "OUTFLANK_NEED_AXE", "OUTFLANK_AXE"] {
        command.env_remove(variable);
    }
    command.envs(environment.iter().copied()).output().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[test]
#[ignore = "run by another one"]
fn opens_a_page_and_fails() {
    let folder = std::env::var_os(FOLDER).unwrap();
    let page = Page::open(Path::new(&folder));
    assert!(page.is_none(), "it fails while its page is open");
}

#[test]
#[ignore = "run by another one"]
fn reads_axe() {
    assert!(Axe::read().is_none());
}

/// Profile, temporary files, home: all goes with the test program, also when it fails.
#[test]
fn a_browser_leaves_nothing_behind() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let temporary = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let [given, elsewhere] = [&folder, &temporary].map(|folder| folder.path().to_str().unwrap());
    let output =
        run("opens_a_page_and_fails", &[(FOLDER, given), ("TMPDIR", elsewhere), ("HOME", elsewhere)]);
    if output.status.success() {
        return outflank_browser::skipped("there is no browser that could leave anything");
    }
    let begun = Instant::now();
    while !names(folder.path()).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60), "left behind: {:?}", names(folder.path()));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(names(temporary.path()), Vec::<String>::new());
}

#[test]
fn what_is_missing_is_said_and_fails_where_it_is_needed() {
    let nowhere = [("PATH", ""), ("CHROMIUM", "no-such-browser"), (FOLDER, env!("CARGO_TARGET_TMPDIR"))];
    for (test, needed) in
        [("opens_a_page_and_fails", "OUTFLANK_NEED_BROWSER"), ("reads_axe", "OUTFLANK_NEED_AXE")]
    {
        let skipped = run(test, &nowhere);
        let said = String::from_utf8(skipped.stderr).unwrap();
        assert!(skipped.status.success() && said.contains(&format!("SKIPPED {test}: ")), "{said}");
        let environment = [&nowhere[..], &[(needed, "1")]].concat();
        assert!(!run(test, &environment).status.success(), "{needed}");
    }
}
