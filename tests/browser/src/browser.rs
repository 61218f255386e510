//! The browser's process and the pipe to it, which the pages of a test program share.
//!
//! The pipe ends with the test program however that ends. Then the browser ends too, and the shell that started it
//! removes its folder: profile, temporary files, home.

use crate::skip::missing;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

/// How long anything may take.
pub(crate) const LONGEST: Duration = Duration::from_secs(60);
/// Runs a browser until it ends, with descriptors 3 and 4 as its pipe, and removes its folder. What the browser leaves
/// behind may still write for a moment.
const RUN: &str = "trap '' INT HUP TERM
    \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null
    for try in 1 2 3 4 5 6 7 8 9; do rm -rf -- \"$TMPDIR\" && break; sleep 0.2; done";
const FLAGS: [&str; 9] = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--no-first-run",
    "--no-startup-window",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    // Parts of the browser's own window, and a spare process for the next page: each window would take a second more.
    "--disable-features=SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
];

type Routes = Mutex<HashMap<String, Sender<Value>>>;

/// The one browser of this test program.
pub(crate) struct Browser {
    pipe: Mutex<ChildStdin>,
    /// Who gets the messages of a session, or the answer to a question that is none's.
    routes: Arc<Routes>,
    questions: AtomicU64,
}

/// What one page says to the browser and hears of it.
pub(crate) struct Line {
    browser: &'static Browser,
    sender: Sender<Value>,
    receiver: Receiver<Value>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The browser's program: `CHROMIUM`, or the first that is installed.
fn program() -> Option<String> {
    let named = std::env::var("CHROMIUM").ok();
    let usual = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    let runs = |name: &String| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    named.into_iter().chain(usual).find(runs)
}

impl Browser {
    /// The browser; it keeps its files below this folder if it has to be started.
    pub(crate) fn shared(folder: &Path) -> Option<&'static Browser> {
        static SHARED: OnceLock<Option<Browser>> = OnceLock::new();
        let found = SHARED.get_or_init(|| program().map(|program| Browser::start(&program, folder)));
        if found.is_none() {
            missing("OUTFLANK_NEED_BROWSER", "there is no Chromium here (CHROMIUM names its program)");
        }
        found.as_ref()
    }

    fn start(program: &str, folder: &Path) -> Browser {
        let folder = tempfile::Builder::new().prefix("browser-").tempdir_in(folder).unwrap().keep();
        let mut command = Command::new("sh");
        command.args(["-c", RUN, "sh", program]).args(FLAGS);
        command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
        command.env("TMPDIR", &folder).env("HOME", &folder);
        command.env_remove("XDG_CONFIG_HOME").env_remove("XDG_CACHE_HOME");
        let mut shell = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let routes = Arc::<Routes>::default();
        let (pipe, output) = (shell.stdin.take().unwrap(), shell.stdout.take().unwrap());
        let heard = routes.clone();
        thread::spawn(move || {
            hear(output, &heard);
            shell.wait()
        });
        Browser { pipe: Mutex::new(pipe), routes, questions: AtomicU64::new(0) }
    }
}

/// Hands every message to whoever waits for it, until the browser ends; then nobody waits any longer.
fn hear(output: ChildStdout, routes: &Routes) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    while output.read_until(0, &mut bytes).is_ok_and(|length| length > 0) {
        let message: Value = serde_json::from_slice(bytes.strip_suffix(&[0]).unwrap_or(&bytes)).unwrap();
        bytes.clear();
        let key = message["sessionId"].as_str().map_or_else(|| message["id"].to_string(), str::to_owned);
        if let Some(route) = locked(routes).get(&key) {
            // A page that was dropped hears nothing any more.
            let _ = route.send(message);
        }
    }
    locked(routes).clear();
}

impl Line {
    /// A line to the browser.
    pub(crate) fn new(browser: &'static Browser) -> Line {
        let (sender, receiver) = channel();
        Line { browser, sender, receiver }
    }

    /// Hears what a session says.
    pub(crate) fn follow(&self, session: &str) {
        locked(&self.browser.routes).insert(session.to_owned(), self.sender.clone());
    }

    /// Hears it no more.
    pub(crate) fn leave(&self, session: &str) {
        locked(&self.browser.routes).remove(session);
    }

    /// Asks the browser, in a session if one is named; the number of the question.
    pub(crate) fn ask(&self, session: Option<&str>, method: &str, parameters: &Value) -> u64 {
        let number = self.browser.questions.fetch_add(1, Ordering::Relaxed);
        let mut message = json!({ "id": number, "method": method, "params": parameters });
        match session {
            Some(session) => message["sessionId"] = json!(session),
            None => self.follow(&number.to_string()),
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        // If the browser is gone, the answer is missed.
        let _ = locked(&self.browser.pipe).write_all(&bytes);
        number
    }

    /// The next message.
    pub(crate) fn hear(&self) -> Value {
        self.receiver.recv_timeout(2 * LONGEST).expect("the browser answers")
    }
}
