//! The page of a match that runs.

use crate::browser::{browser, go};
use crate::common::{arena, bot, file};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Stdio};

/// Whoever watches when the last game ends is left with the whole result, on a page that stays.
#[test]
fn a_match_that_ends_leaves_its_page() {
    let Some(mut page) = browser() else { return };
    let running = Running::of("40");
    page.go(&format!("http://{}/", running.1));
    page.until("document.querySelector('h1')?.textContent === 'The match is over: 40 of 40 games'");
    assert_eq!(page.value("document.querySelectorAll('meta[http-equiv=refresh], tbody tr').length"), 0);
}

/// A match that goes on until it is dropped, and where it is shown.
struct Running(Child, String);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    fn new() -> Running {
        Running::of("100000")
    }

    /// A match of so many games.
    fn of(games: &str) -> Running {
        let cmd = format!("cmd={}", bot());
        let mut command = arena(&["match", "--games", games, "--concurrency", "2", "--max-plies", "600"]);
        command.args(["--sprt", "elo0=0", "elo1=1", "--serve", "0"]);
        for name in ["name=one", "name=<b>another</b> & its long name"] {
            command.args(["--engine", &cmd, name, "movetime=1000"]);
        }
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        let address =
            lines.filter_map(|line| Some(line.split_once("http://")?.1.trim_end_matches('/').to_owned()));
        let address = address.take(1).last().expect("it says where");
        Running(child, address)
    }

    /// What the page's address answers to somebody who calls it by this name.
    fn asked_as(&self, host: &str) -> String {
        let mut stream = TcpStream::connect(&self.1).unwrap();
        write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

/// The page as it stood when some pairs were over, as a file that does not load itself anew.
pub(crate) fn stood() -> PathBuf {
    let running = Running::new();
    let mut page = String::new();
    while !page.contains("class=\"error\"") || !page.contains("<th scope=\"row\">Game") {
        page = running
            .asked_as(&running.1)
            .split_once("\r\n\r\n")
            .unwrap()
            .1
            .replace("http-equiv=\"refresh\"", "");
    }
    let path = file("live.html");
    fs::write(&path, page).unwrap();
    path
}

#[test]
fn a_match_that_runs_is_shown_with_its_test_and_its_games() {
    let Some(mut page) = browser() else { return };
    let running = Running::new();
    assert!(running.asked_as("example.org").starts_with("HTTP/1.1 403"));
    page.go(&format!("http://{}/", running.1));
    page.until("document.querySelectorAll('figure svg').length === 2 && document.querySelectorAll('tbody tr').length > 0");
    page.until("Number(/^\\d+/.exec(document.querySelector('h1')?.textContent)?.[0]) > 20");
    page.until("!!/SPRT elo0 0 elo1 1/.exec(document.querySelector('pre')?.textContent)");
    // It loads itself anew.
    page.value("void (document.left = true)");
    page.until("!document.left && document.readyState === 'complete'");
    page.complaints.retain(|complaint| !complaint.contains("favicon"));
    assert_eq!(page.complaints, Vec::<String>::new());
    drop(running);
    let stood = stood();
    go(&mut page, stood.parent().unwrap(), stood.file_name().unwrap().to_str().unwrap());
    let label = page.value("document.querySelector('figure svg').getAttribute('aria-label')");
    assert!(label.as_str().unwrap().contains("one against <b>another</b> & its long name "), "{label}");
    page.inspect("match-live");
}
