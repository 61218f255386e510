//! A Chromium without a window, driven over its protocol for developers' tools.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

const LONGEST: Duration = Duration::from_secs(60);

/// One page of a browser. Dropping it ends the browser.
pub(crate) struct Page {
    child: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: Option<String>,
    next: u64,
    /// What the page complained about.
    pub(crate) complaints: Vec<String>,
    _profile: TempDir,
}

/// The browser's program: `CHROMIUM`, or the first that is installed.
fn program() -> Option<String> {
    let told = std::env::var("CHROMIUM").ok();
    let usual = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    let runs = |name: &String| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    told.into_iter().chain(usual).find(runs)
}

impl Page {
    /// A page of a new browser; `None` where there is none.
    pub(crate) fn open() -> Option<Page> {
        let program = program()?;
        let profile = tempfile::Builder::new().tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let mut command = Command::new(program);
        command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]);
        command.args(["--no-first-run", "--hide-scrollbars", "--remote-debugging-port=0", "about:blank"]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let address = wait(|| std::fs::read_to_string(profile.path().join("DevToolsActivePort")).ok());
        let (port, path) = address.trim().split_once('\n').unwrap();
        let (socket, _) = tungstenite::connect(format!("ws://127.0.0.1:{port}{path}")).unwrap();
        let complaints = Vec::new();
        let mut page = Page { child, socket, session: None, next: 0, complaints, _profile: profile };
        let target = page.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        page.session = page.call("Target.attachToTarget", &attach)["sessionId"].as_str().map(str::to_owned);
        for part in ["Page", "Runtime", "Log"] {
            page.call(&format!("{part}.enable"), &json!({}));
        }
        Some(page)
    }

    fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let answer: Value = serde_json::from_str(&text).unwrap();
            match answer["method"].as_str() {
                Some("Runtime.exceptionThrown") => self.complaints.push(answer["params"].to_string()),
                Some("Log.entryAdded") if answer["params"]["entry"]["level"] == "error" => {
                    self.complaints.push(answer["params"]["entry"].to_string());
                }
                _ => {}
            }
            if answer["id"] == self.next {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let found = self.call("Runtime.evaluate", &asked);
        assert!(found["exceptionDetails"].is_null(), "{expression}: {found}");
        found["result"]["value"].clone()
    }

    /// Waits until an expression holds.
    pub(crate) fn until(&mut self, expression: &str) {
        let begun = Instant::now();
        while self.value(expression) != true {
            if begun.elapsed() > LONGEST {
                let text = self.value("document.body.innerText");
                panic!("never: {expression}; {:?}; {text}", self.complaints);
            }
            sleep(Duration::from_millis(20));
        }
    }

    /// Makes the window so large.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let phone = width < 500;
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone });
        self.call("Emulation.setDeviceMetricsOverride", &size);
    }

    pub(crate) fn go(&mut self, address: &str) {
        self.call("Page.navigate", &json!({ "url": address }));
        self.until(&format!("location.href === {} && document.readyState === 'complete'", json!(address)));
    }

    /// The middle of what a selector finds, scrolled into sight.
    fn middle(&mut self, selector: &str) -> (f64, f64) {
        let place = self.value(&format!(
            "(() => {{ const found = document.querySelector({});
                found.scrollIntoView({{ block: 'center' }});
                const box = found.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        ));
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    fn mouse(&mut self, kind: &str, (x, y): (f64, f64)) {
        let held = u8::from(kind != "mouseReleased");
        let event =
            json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": held, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", &event);
    }

    /// Clicks with the mouse.
    pub(crate) fn click(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.mouse("mousePressed", place);
        self.mouse("mouseReleased", place);
    }

    /// Drags with the mouse.
    pub(crate) fn drag(&mut self, from: &str, to: &str) {
        let start = self.middle(from);
        let end = self.middle(to);
        let start = if self.middle(from) == start { start } else { self.middle(from) };
        self.mouse("mousePressed", start);
        self.mouse("mouseMoved", (f64::midpoint(start.0, end.0), f64::midpoint(start.1, end.1)));
        self.mouse("mouseMoved", end);
        self.mouse("mouseReleased", end);
    }

    /// Presses a key.
    pub(crate) fn key(&mut self, key: &str) {
        let code = match key {
            "Enter" => 13,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            _ => 40,
        };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", &event);
        }
    }

    /// A picture of what is in the window.
    pub(crate) fn picture(&mut self, file: &Path) {
        let taken = self.call("Page.captureScreenshot", &json!({ "format": "png" }));
        std::fs::write(file, STANDARD.decode(taken["data"].as_str().unwrap()).unwrap()).unwrap();
    }
}

fn wait<T>(mut found: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(begun.elapsed() < LONGEST, "the browser does not start");
        sleep(Duration::from_millis(20));
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
