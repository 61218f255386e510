//! A Chromium without a window, driven over its protocol for developers' tools: for tests of pages.
//!
//! It is found as `CHROMIUM` or under its usual names. Where there is none, [`Page::open`] says so and tests skip; with
//! `OUTFLANK_NEED_BROWSER=1` they fail.

mod browser;
mod skip;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use browser::{Browser, LONGEST, Line};
use serde_json::{Value, json};
use skip::missing;
pub use skip::skipped;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a finger is away between two touches.
const RETURN: Duration = Duration::from_millis(500);
/// What keys that write nothing are numbered.
const KEYS: [(&str, u32); 13] = [
    ("Backspace", 8),
    ("Tab", 9),
    ("Enter", 13),
    ("Escape", 27),
    ("Space", 32),
    ("End", 35),
    ("Home", 36),
    ("ArrowLeft", 37),
    ("ArrowUp", 38),
    ("ArrowRight", 39),
    ("ArrowDown", 40),
    ("Delete", 46),
    (".", 190),
];

type Point = (f64, f64);

fn point(pair: &Value) -> Point {
    (pair[0].as_f64().unwrap(), pair[1].as_f64().unwrap())
}

/// The window sizes at which pages are looked at: a desk, a telephone, and one on its side.
pub const SIZES: [(&str, u32, u32); 3] = [("", 1280, 860), ("-phone", 390, 844), ("-side", 844, 390)];

/// Where pictures go, if any are wanted: to the folder that `OUTFLANK_PICTURES` names.
fn pictures() -> Option<PathBuf> {
    std::env::var_os("OUTFLANK_PICTURES").map(PathBuf::from)
}

/// A window of the browser.
#[derive(Clone, Debug)]
pub struct Window(String);

/// A window of the browser, which is started for the first page of a test program and ends with the program. What the
/// browser keeps for a page (cookies, storage, locks) no other page sees; it goes when the page is dropped.
pub struct Page {
    line: Line,
    /// What separates it from other pages.
    context: Value,
    session: String,
    windows: Vec<Window>,
    /// What the page complained about.
    pub complaints: Vec<String>,
    /// A script that every page runs first.
    first: Option<String>,
}

/// The script axe-core, which finds pages that some people cannot use. It is no part of the project: the variable
/// `OUTFLANK_AXE` names its file.
pub struct Axe(String);

impl Axe {
    /// The script; `None` where no file is named, which is said.
    ///
    /// # Panics
    /// If the file cannot be read, or none is named and `OUTFLANK_NEED_AXE` is `1`.
    pub fn read() -> Option<Axe> {
        let Some(file) = std::env::var_os("OUTFLANK_AXE") else {
            missing("OUTFLANK_NEED_AXE", "OUTFLANK_AXE names no file of axe-core (axe.min.js)");
            return None;
        };
        let script = std::fs::read_to_string(&file);
        Some(Axe(script.unwrap_or_else(|error| panic!("{}: {error}", file.display()))))
    }
}

impl Page {
    /// A page of the browser, which keeps its files below this folder; `None` where there is no browser, which is said.
    ///
    /// # Panics
    /// If the browser does not start, or there is none and `OUTFLANK_NEED_BROWSER` is `1`.
    pub fn open(folder: &Path) -> Option<Page> {
        let line = Line::new(Browser::shared(folder)?);
        let (context, session) = (Value::Null, String::new());
        let (windows, complaints) = (Vec::new(), Vec::new());
        let mut page = Page { line, context, session, windows, complaints, first: None };
        page.context = page.of_browser("Target.createBrowserContext", &json!({}))["browserContextId"].clone();
        page.window();
        Some(page)
    }

    /// Opens a window of the same browser and goes on with it; what [`Page::turn_to`] comes back to it by.
    ///
    /// # Panics
    /// If the browser does not open one.
    pub fn window(&mut self) -> Window {
        let wanted = json!({ "url": "about:blank", "newWindow": true, "browserContextId": self.context });
        let target = self.of_browser("Target.createTarget", &wanted);
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session =
            self.of_browser("Target.attachToTarget", &attach)["sessionId"].as_str().unwrap().to_owned();
        self.line.follow(&session);
        self.session.clone_from(&session);
        for part in ["Page", "Runtime", "Log"] {
            self.call(&format!("{part}.enable"), &json!({}));
        }
        // Of all windows of the browser one has the focus; each behaves as if it were that one.
        self.call("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
        self.dark(false);
        if let Some(script) = self.first.clone() {
            self.first(&script);
        }
        let window = Window(session);
        self.windows.push(window.clone());
        window
    }

    /// Goes on with a window that was opened before.
    pub fn turn_to(&mut self, window: &Window) {
        self.session.clone_from(&window.0);
    }

    /// Lets every page that is opened from now on run this script before its own.
    pub fn first(&mut self, script: &str) {
        self.first = Some(script.to_owned());
        self.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": script }));
    }

    /// Chooses a file in an input for files.
    ///
    /// # Panics
    /// If there is no such input.
    pub fn choose_file(&mut self, selector: &str, file: &Path) {
        let asked = json!({ "expression": format!("document.querySelector({})", json!(selector)) });
        let input = self.call("Runtime.evaluate", &asked)["result"]["objectId"].clone();
        self.call("DOM.setFileInputFiles", &json!({ "files": [file], "objectId": input }));
    }

    fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.try_call(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// What the browser answers, or its error.
    fn try_call(&mut self, method: &str, parameters: &Value) -> Result<Value, Value> {
        let number = self.line.ask(Some(&self.session), method, parameters);
        self.answer(number)
    }

    /// What the browser answers to a question that is about no window.
    fn of_browser(&mut self, method: &str, parameters: &Value) -> Value {
        let number = self.line.ask(None, method, parameters);
        let answer = self.answer(number);
        self.line.leave(&number.to_string());
        answer.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn answer(&mut self, number: u64) -> Result<Value, Value> {
        loop {
            let message = self.line.hear();
            let about = &message["params"];
            let complaint = match message["method"].as_str() {
                Some("Runtime.exceptionThrown") => Some(about),
                Some("Runtime.consoleAPICalled") if about["type"] == "error" => Some(about),
                Some("Log.entryAdded") if about["entry"]["level"] == "error" => Some(&about["entry"]),
                _ => None,
            };
            self.complaints.extend(complaint.map(Value::to_string));
            if message["id"] == number {
                let error = &message["error"];
                return if error.is_null() { Ok(message["result"].clone()) } else { Err(error.clone()) };
            }
        }
    }

    /// What the browser traced of these categories while something was done: its events, in no order.
    ///
    /// # Panics
    /// If the browser is gone.
    pub fn traced(&mut self, categories: &[&str], work: impl FnOnce(&mut Page)) -> Vec<Value> {
        self.call("Tracing.start", &json!({ "traceConfig": { "includedCategories": categories } }));
        work(self);
        let end = self.line.ask(Some(&self.session), "Tracing.end", &json!({}));
        let mut events = Vec::new();
        loop {
            let message = self.line.hear();
            match message["method"].as_str() {
                Some("Tracing.dataCollected") => {
                    events.extend(message["params"]["value"].as_array().into_iter().flatten().cloned());
                }
                Some("Tracing.tracingComplete") => return events,
                _ => assert!(message["id"] != end || message["error"].is_null(), "{message}"),
            }
        }
    }

    /// The value of an expression.
    ///
    /// # Panics
    /// If it throws, or the browser is gone.
    pub fn value(&mut self, expression: &str) -> Value {
        self.try_value(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The value of an expression, or the browser's error: the page was left meanwhile.
    fn try_value(&mut self, expression: &str) -> Result<Value, Value> {
        let asked = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let found = self.try_call("Runtime.evaluate", &asked)?;
        assert!(found["exceptionDetails"].is_null(), "{expression}: {found}");
        Ok(found["result"]["value"].clone())
    }

    /// Waits until an expression holds, on this page or on the one that it is left for.
    ///
    /// # Panics
    /// If that takes very long.
    pub fn until(&mut self, expression: &str) {
        let begun = Instant::now();
        while self.try_value(expression) != Ok(json!(true)) {
            if begun.elapsed() > LONGEST {
                let text = self.value("document.body.innerText");
                panic!("never: {expression}; {:?}; {text}", self.complaints);
            }
            sleep(Duration::from_millis(20));
        }
    }

    /// Makes the window so large.
    pub fn resize(&mut self, width: u32, height: u32) {
        let phone = width < 500;
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone });
        self.call("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Opens an address and waits until it is loaded.
    pub fn go(&mut self, address: &str) {
        self.call("Page.navigate", &json!({ "url": address }));
        self.until(&format!("location.href === {} && document.readyState === 'complete'", json!(address)));
    }

    /// Loads the page again and waits until that has happened: what is asked before would be asked of the old one.
    pub fn reload(&mut self) {
        self.value("void (document.left = true)");
        self.call("Page.reload", &json!({}));
        self.until("!document.left && document.readyState === 'complete'");
    }

    /// The middle of what a selector finds, scrolled into sight, once it stands still: what comes and goes on a page
    /// moves the rest of it.
    fn middle(&mut self, selector: &str) -> Point {
        let place = self.value(&format!(
            "new Promise(done => {{ const found = document.querySelector({});
                found.scrollIntoView({{ block: 'center' }});
                const look = before => requestAnimationFrame(() => {{
                    const box = found.getBoundingClientRect(), place = [box.x + box.width / 2, box.y + box.height / 2];
                    if (String(place) === String(before)) done(place); else look(place); }});
                look(null); }})",
            json!(selector)
        ));
        point(&place)
    }

    fn mouse(&mut self, kind: &str, (x, y): Point) {
        let held = u8::from(kind != "mouseReleased");
        let event =
            json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": held, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", &event);
    }

    /// Clicks with the mouse.
    pub fn click(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.mouse("mousePressed", place);
        self.mouse("mouseReleased", place);
    }

    /// The middles of what two selectors find, both in sight if the window is large enough.
    fn middles(&mut self, from: &str, to: &str) -> (Point, Point) {
        let places = self.value(&format!(
            "(() => {{ const [from, to] = [{}, {}].map(each => document.querySelector(each));
                from.scrollIntoView({{ block: 'center' }});
                const box = to.getBoundingClientRect();
                if (box.top < 0 || box.bottom > innerHeight) to.scrollIntoView({{ block: 'nearest' }});
                return [from, to].map(each => each.getBoundingClientRect())
                    .map(box => [box.x + box.width / 2, box.y + box.height / 2]); }})()",
            json!(from),
            json!(to)
        ));
        (point(&places[0]), point(&places[1]))
    }

    /// Drags with the mouse.
    pub fn drag(&mut self, from: &str, to: &str) {
        let (start, end) = self.middles(from, to);
        self.mouse("mousePressed", start);
        self.mouse("mouseMoved", (f64::midpoint(start.0, end.0), f64::midpoint(start.1, end.1)));
        self.mouse("mouseMoved", end);
        self.mouse("mouseReleased", end);
    }

    fn finger(&mut self, kind: &str, place: Option<Point>) {
        let points: Vec<Value> = place.iter().map(|(x, y)| json!({ "x": x, "y": y })).collect();
        self.call("Input.dispatchTouchEvent", &json!({ "type": kind, "touchPoints": points }));
    }

    /// Touches with a finger until something holds, again and again as a person would: a busy browser takes a touch soon
    /// after a swipe for a part of the swipe.
    ///
    /// # Panics
    /// If that takes very long.
    pub fn tap_until(&mut self, selector: &str, condition: &str) {
        let there = format!("!!document.querySelector({})", json!(selector));
        let begun = Instant::now();
        while begun.elapsed() < LONGEST {
            if self.try_value(&there) == Ok(json!(true)) {
                let place = self.middle(selector);
                self.finger("touchStart", Some(place));
                self.finger("touchEnd", None);
            }
            let touched = Instant::now();
            while touched.elapsed() < 6 * RETURN {
                if self.try_value(condition) == Ok(json!(true)) {
                    return;
                }
                sleep(Duration::from_millis(20));
            }
        }
        self.until(condition);
    }

    /// Drags with a finger, in small steps as a finger does.
    pub fn swipe(&mut self, from: &str, to: &str) {
        const STEPS: u32 = 8;
        let (start, end) = self.middles(from, to);
        self.finger("touchStart", Some(start));
        for step in 1..=STEPS {
            let part = f64::from(step) / f64::from(STEPS);
            let place = (start.0 + (end.0 - start.0) * part, start.1 + (end.1 - start.1) * part);
            self.finger("touchMove", Some(place));
        }
        self.finger("touchEnd", None);
        // A finger needs a moment to come back; a browser takes a touch right after a swipe for a part of it.
        sleep(RETURN);
    }

    /// Presses a key, as in `Enter`, `ArrowUp`, `v`, or `Shift+ArrowRight`.
    pub fn key(&mut self, key: &str) {
        let (shift, key) = key.strip_prefix("Shift+").map_or((0, key), |key| (8, key));
        let code = KEYS.iter().find(|(name, _)| *name == key).map(|(_, code)| *code);
        let letter = if key == "Space" { " " } else { key };
        let code = code.unwrap_or_else(|| u32::from(letter.to_uppercase().as_bytes()[0]));
        let text = match key {
            "Enter" => "\r",
            _ if letter.chars().count() == 1 => letter,
            _ => "",
        };
        let down = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        for (kind, text) in [(down, text), ("keyUp", "")] {
            let event = json!({ "type": kind, "key": letter, "code": key, "text": text, "modifiers": shift,
                "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", &event);
        }
    }

    /// Presses the tabulator until what a selector finds has the focus, as somebody without a mouse does.
    ///
    /// # Panics
    /// If it is not reached.
    pub fn tab_to(&mut self, selector: &str) {
        const MOST: usize = 80;
        let there = format!("document.activeElement.matches({})", json!(selector));
        for _ in 0..MOST {
            if self.value(&there) == true {
                return;
            }
            self.key("Tab");
        }
        panic!("the tabulator does not reach {selector}");
    }

    /// Shows the page as on paper, or again as on a screen.
    pub fn print_media(&mut self, prints: bool) {
        let media = if prints { "print" } else { "" };
        self.call("Emulation.setEmulatedMedia", &json!({ "media": media }));
    }

    /// Shows the page to somebody who likes dark pages, or again to one who likes light ones.
    pub fn dark(&mut self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        // Nothing moves: what is looked at in the middle of a movement looks different each time.
        let features = json!([{ "name": "prefers-color-scheme", "value": value },
            { "name": "prefers-reduced-motion", "value": "reduce" }]);
        self.call("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// What of the pieces on `#board` runs out of its face or into its dot; letters and emblems that meet, are too small or
    /// have two colours. An empty list, if all is well.
    ///
    /// # Panics
    /// If the browser is gone.
    pub fn cramped(&mut self) -> Value {
        self.value(include_str!("cramped.js"))
    }

    /// Texts in the window that stand out too little from what is behind them: less than 4.5 to 1, or 3 to 1 where
    /// letters are large (WCAG 2.2, 1.4.3). What is disabled is left out.
    ///
    /// # Panics
    /// If the browser is gone.
    pub fn faint(&mut self) -> Vec<String> {
        let found = self.value(include_str!("contrast.js"));
        found.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    }

    /// What axe finds wrong with the page: the rule, what it asks for, and where.
    ///
    /// # Panics
    /// If the browser is gone, or the script is not axe's.
    pub fn violations(&mut self, axe: &Axe) -> Vec<String> {
        self.value(&format!("{}; undefined", axe.0));
        let found = self.value(
            "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(rule =>
                rule.nodes.map(node => `${rule.id}: ${rule.help}: ${node.target.join(' ')}; ${node.html.slice(0, 120)}`)))",
        );
        found.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    }

    /// Asserts that nothing sticks out of a window of this width sideways.
    ///
    /// # Panics
    /// If something does.
    pub fn fits(&mut self, width: u32, height: u32, what: &str) {
        self.resize(width, height);
        self.value("window.scrollTo(0, 0)");
        let wide = self.value(
            "[document.documentElement.scrollWidth, window.innerWidth, ...[...document.querySelectorAll('body *')]
                .filter(one => one.getBoundingClientRect().right > innerWidth + 1)
                .map(one => `${one.tagName}#${one.id}.${one.className}`).slice(0, 9)]",
        );
        assert!(wide[0].as_u64() <= wide[1].as_u64() && wide[1] == width, "{what} at {width}: {wide}");
    }

    /// A picture of what is in the window, if any are wanted.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn picture(&mut self, name: &str) {
        let Some(folder) = pictures() else { return };
        let taken = self.call("Page.captureScreenshot", &json!({ "format": "png" }));
        let bytes = STANDARD.decode(taken["data"].as_str().unwrap()).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), bytes).unwrap();
    }

    /// Looks at the page in light and dark, in every size: nothing sticks out, and every text can be read. Takes pictures,
    /// if any are wanted.
    ///
    /// # Panics
    /// If something does, or cannot.
    pub fn inspect(&mut self, name: &str) {
        for (suffix, width, height) in SIZES {
            self.fits(width, height, name);
            for (shade, dark) in [("-dark", true), ("", false)] {
                self.dark(dark);
                assert_eq!(self.faint(), Vec::<String>::new(), "{name}{suffix}{shade}");
                self.picture(&format!("{name}{suffix}{shade}"));
            }
        }
        self.resize(SIZES[0].1, SIZES[0].2);
        // A picture that nobody looks at: once it is taken, clicks go where they belong in the new size.
        self.call("Page.captureScreenshot", &json!({ "format": "jpeg", "quality": 1 }));
    }

    /// Pictures of the page as people see it who are colour-blind, if any are wanted: there is nothing else to look at.
    pub fn inspect_colour_blind(&mut self, name: &str) {
        for kind in ["deuteranopia", "achromatopsia"].into_iter().filter(|_| pictures().is_some()) {
            self.call("Emulation.setEmulatedVisionDeficiency", &json!({ "type": kind }));
            self.inspect(&format!("{name}-{kind}"));
            self.call("Emulation.setEmulatedVisionDeficiency", &json!({ "type": "none" }));
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        for Window(session) in &self.windows {
            self.line.leave(session);
        }
        let number =
            self.line.ask(None, "Target.disposeBrowserContext", &json!({ "browserContextId": self.context }));
        self.line.leave(&number.to_string());
    }
}
