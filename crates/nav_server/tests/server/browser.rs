//! The page in a real browser: headless Chromium, driven by its debugging protocol.

use crate::server::Server;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};
use tungstenite::{Message, WebSocket};

/// A browser with one page, which ends when it is dropped.
pub struct Browser {
    process: Child,
    profile: PathBuf,
    socket: WebSocket<TcpStream>,
    session: String,
    sent: u64,
    /// Errors that the page reported.
    pub complaints: Vec<String>,
}

/// Names under which Chromium is installed.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

impl Browser {
    /// Starts a browser, or prints that none is installed.
    pub fn start(test: &str) -> Option<Self> {
        let is_there = |name: &&str| {
            let version = Command::new(name).arg("--version").output();
            version.is_ok_and(|output| output.status.success())
        };
        let Some(name) = NAMES.into_iter().find(|name| is_there(name)) else {
            println!("skipped: Chromium is not installed (apt-get install chromium)");
            return None;
        };
        let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = fs::remove_dir_all(&profile);
        fs::create_dir_all(&profile).unwrap();
        let mut process = Command::new(name)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--window-size=1280,800",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .arg("--remote-debugging-port=0")
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let address = lines.map_while(Result::ok).find_map(|line| {
            line.strip_prefix("DevTools listening on ")
                .map(str::to_owned)
        });
        let address = address.expect("Chromium says where it listens");
        let authority = address
            .strip_prefix("ws://")
            .and_then(|rest| rest.split('/').next());
        let stream = TcpStream::connect(authority.unwrap()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        let (socket, _) = tungstenite::client(&address, stream).unwrap();
        let mut browser = Self {
            process,
            profile,
            socket,
            session: String::new(),
            sent: 0,
            complaints: Vec::new(),
        };
        let targets = browser.call("Target.getTargets", json!({}));
        let pages = targets["targetInfos"].as_array().unwrap().iter();
        let page = pages
            .into_iter()
            .find(|target| target["type"] == "page")
            .unwrap();
        let attach = json!({"targetId": page["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned).unwrap();
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.call(domain, json!({}));
        }
        Some(browser)
    }

    /// Calls a method of the protocol and returns its result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.sent += 1;
        let mut message = json!({"id": self.sent, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = self.session.clone().into();
        }
        self.socket
            .send(Message::text(message.to_string()))
            .unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else {
                continue;
            };
            let said: Value = serde_json::from_str(&text).unwrap();
            let is_complaint = match said["method"].as_str() {
                Some("Runtime.exceptionThrown") => true,
                Some("Runtime.consoleAPICalled") => said["params"]["type"] == "error",
                Some("Log.entryAdded") => said["params"]["entry"]["level"] == "error",
                _ => false,
            };
            if is_complaint {
                self.complaints.push(said["params"].to_string());
            }
            if said["id"] == self.sent {
                assert!(said.get("error").is_none(), "{method}: {said}");
                return said["result"].clone();
            }
        }
    }

    /// Opens the page of a server.
    pub fn open(&mut self, server: &Server) {
        let url = json!({"url": format!("http://{}/", server.addr)});
        self.call("Page.navigate", url);
    }

    /// Returns the value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let evaluate = json!({"expression": expression, "returnByValue": true});
        self.call("Runtime.evaluate", evaluate)["result"]["value"].clone()
    }

    /// Waits until an expression in the page is true.
    pub fn wait_for(&mut self, expression: &str) {
        for _ in 0..400 {
            if self.value(expression) == true {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("after 20 s still not: {expression}; {:?}", self.complaints);
    }

    fn click(&mut self, x: f64, y: f64) {
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key}));
        }
    }

    /// Writes a picture of the page into the folder of pictures that the gate leaves behind.
    pub fn screenshot(&mut self, name: &str) {
        // Beside the folder for tests, which is in that of the build.
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../gate");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name).with_extension("png");
        let shot = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let bytes = BASE64_STANDARD
            .decode(shot["data"].as_str().unwrap())
            .unwrap();
        fs::write(path, bytes).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}

#[test]
fn person_is_hunted() {
    let Some(mut browser) = Browser::start("a_person_is_hunted") else {
        return;
    };
    let server = Server::of("two-players");
    browser.open(&server);
    browser.wait_for("window.chase && chase.agents.count > 10");
    // NPCs move, frame by frame.
    let place = "JSON.stringify([...chase.agents.x].concat([...chase.agents.y]))";
    let before = browser.value(place);
    let frames = browser.value("chase.state.frames").as_u64().unwrap();
    thread::sleep(Duration::from_secs(1));
    assert_ne!(browser.value(place), before, "nobody moved");
    let frames = browser.value("chase.state.frames").as_u64().unwrap() - frames;
    assert!(frames > 10, "{frames} frames in a second");
    // A click moves the player.
    browser.value("document.getElementById('take').click()");
    browser.wait_for("chase.state.player !== null");
    let at = "chase.agents.x[chase.state.player] * 1000 + chase.agents.y[chase.state.player]";
    let before = browser.value(at);
    let zoom = browser.value("chase.state.zoom / devicePixelRatio");
    let zoom = zoom.as_f64().unwrap();
    let middle = |browser: &mut Browser, edge: &str, of: &str| {
        let place = browser.value(&format!(
            "(chase.scene.{edge} + (chase.agents.{of}[chase.state.player] + 0.5) * chase.scene.zoom) / devicePixelRatio"
        ));
        place.as_f64().unwrap()
    };
    let (left, top) = (
        middle(&mut browser, "left", "x"),
        middle(&mut browser, "top", "y"),
    );
    for (x, y) in [(3.0, 0.0), (-3.0, 0.0), (0.0, 3.0), (0.0, -3.0)] {
        browser.click(left + x * zoom, top + y * zoom);
        thread::sleep(Duration::from_millis(400));
        if browser.value("chase.state.course.length").as_u64() > Some(0) {
            break;
        }
    }
    browser.wait_for(&format!("{at} !== {before}"));
    // The player is caught: a chaser is within reach, next to it.
    browser.wait_for(
        "chase.agents.role.some((role, number) => role === 3 \
         && Math.abs(chase.agents.x[number] - chase.agents.x[chase.state.player]) <= 1 \
         && Math.abs(chase.agents.y[number] - chase.agents.y[chase.state.player]) <= 1)",
    );
    // Time is paused, advances by one tick, and continues.
    browser.value("document.getElementById('pause').click()");
    browser.wait_for("chase.state.isPaused && !document.getElementById('step').disabled");
    let ticks = server.metric("chase_ticks_total");
    browser.value("document.getElementById('step').click()");
    thread::sleep(Duration::from_millis(500));
    assert!((server.metric("chase_ticks_total") - ticks - 1.0).abs() < 0.1);
    browser.value("document.getElementById('pause').click()");
    browser.wait_for("!chase.state.isPaused");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// Another scenario is chosen, and a map dropped.
#[test]
fn another_world() {
    let Some(mut browser) = Browser::start("another_world") else {
        return;
    };
    let server = Server::of("hunt");
    browser.open(&server);
    browser.wait_for("window.chase && chase.agents.count > 10");
    browser.value(
        "const choice = document.getElementById('scenario');
         choice.value = 'stairs';
         choice.dispatchEvent(new Event('change'))",
    );
    browser.wait_for("chase.state.hello?.scenario === 'stairs' && chase.state.hasFloor");
    // Twenty columns and rows of ground.
    browser.value(
        "const held = new DataTransfer();
         held.items.add(new File([('.'.repeat(20) + '\\n').repeat(20)], 'room.txt'));
         const drop = new DragEvent('drop', { dataTransfer: held });
         document.getElementById('map').dispatchEvent(drop)",
    );
    browser.wait_for("chase.state.hello?.scenario === 'room.txt' && chase.state.hasFloor");
    browser.wait_for("chase.state.ground.length === 400");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// A scenario file of a test.
fn scenario(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// Some targets are chased by one chaser, which searches, and some by two, which share a field.
const ONES_AND_TWOS: &str = "(
    map: Generated(kind: \"open\", width: 60, height: 36),
    chasers: 12,
    targets: 8,
    target: (stands: true),
    spawn: Near(min: 10, max: 15),
)";

#[test]
fn chaser_under_the_pointer() {
    let Some(mut browser) = Browser::start("a_chaser_under_the_pointer") else {
        return;
    };
    let server = Server::of(&scenario("ones-and-twos.ron", ONES_AND_TWOS));
    browser.open(&server);
    browser.wait_for("window.chase && chase.agents.role.includes(2)");
    browser.value("document.getElementById('pause').click()");
    browser.wait_for("chase.state.isPaused");
    browser.value("document.getElementById('show-arrows').click()");
    let chasers = "[...chase.agents.role.keys()].filter((n) => chase.agents.role[n] === 2)";
    let chasers = browser.value(chasers);
    let (mut searched, mut shared) = (0, 0);
    for number in chasers.as_array().unwrap() {
        let number = number.as_u64().unwrap();
        let place = |of: &str| {
            format!(
                "(chase.scene.{} + (chase.agents.{of}[{number}] + 0.5) * chase.scene.zoom) / devicePixelRatio",
                if of == "x" { "left" } else { "top" }
            )
        };
        let (x, y) = (browser.value(&place("x")), browser.value(&place("y")));
        let moved = json!({"type": "mouseMoved", "x": x, "y": y});
        browser.call("Input.dispatchMouseEvent", moved);
        browser.wait_for(&format!(
            "chase.state.selected?.id === {number} && chase.state.field?.id === {number}"
        ));
        let tip = browser.value("document.getElementById('tip').textContent");
        let tip = tip.as_str().unwrap();
        let arrows = "(({ backdropPixels, colours }) => { \
            const n = parseInt(colours.arrow.slice(1), 16); \
            const pixel = (0xff000000 | (n & 255) << 16 | n & 0xff00 | n >> 16) >>> 0; \
            return backdropPixels.filter((one) => one === pixel).length; })(chase.scene)";
        if tip.contains("Way: shared field.") {
            assert!(tip.contains("No search of its own"), "{tip}");
            browser.wait_for(&format!("{arrows} > 1000"));
            browser.screenshot("page-with-arrows");
            shared += 1;
        } else if tip.contains("Way: own path.") {
            assert!(tip.contains("s ago: found, cost "), "{tip}");
            assert!(tip.contains(" cells expanded, work "), "{tip}");
            browser.wait_for(&format!("{arrows} === 0"));
            searched += 1;
        }
    }
    assert!(searched > 0 && shared > 1, "{searched} and {shared}");
    // With the keyboard alone: selects the chaser nearest to the middle, and clears the selection.
    browser.value("document.getElementById('map').focus()");
    browser.press("Escape");
    browser.wait_for("document.getElementById('tip').hidden");
    let all = "Math.min(chase.scene.canvas.width / 60, chase.scene.canvas.height / 36)";
    browser.wait_for(&format!("Math.abs(chase.state.zoom - {all}) < 0.1"));
    let x = browser.value("[...chase.agents.x].find((_, n) => chase.agents.role[n] === 2) + 0.5");
    let y = browser.value("[...chase.agents.y].find((_, n) => chase.agents.role[n] === 2) + 0.5");
    browser.value(&format!("chase.state.x = {x}, chase.state.y = {y}"));
    browser.press("i");
    browser.wait_for("!document.getElementById('tip').hidden && chase.state.selected !== null");
    // The panel counts searches by method, over time too.
    browser.value("document.getElementById('pause').click()");
    browser
        .wait_for("/by (sweep|astar|line)/.test(document.getElementById('figures').textContent)");
    for chart in ["searches", "work", "chasers", "ticks"] {
        browser.value(&format!(
            "(() => {{ const of = document.getElementById('chart-of'); of.value = '{chart}'; \
             of.dispatchEvent(new Event('change')); }})()"
        ));
        let drawn = "document.getElementById('chart').getContext('2d')\
             .getImageData(0, 0, 240, 60).data.some((part) => part > 0)";
        assert_eq!(browser.value(drawn), true, "{chart}");
    }
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// The largest number of agents to draw at once, on ground so small that they appear as discs.
const TEN_THOUSAND: &str = "(
    map: Generated(kind: \"open\", width: 126, height: 82),
    chasers: 10000,
    targets: 40,
    spawn: Anywhere,
)";

#[test]
fn ten_thousand_agents_per_frame() {
    let Some(mut browser) = Browser::start("ten_thousand_are_drawn") else {
        return;
    };
    let server = Server::of(&scenario("ten-thousand.ron", TEN_THOUSAND));
    browser.open(&server);
    browser.wait_for("window.chase && chase.agents.count === 10040");
    browser.value("document.getElementById('take').click()");
    browser.wait_for("chase.state.player !== null");
    browser.value("document.getElementById('fit').click()");
    for overlays in [false, true] {
        if overlays {
            let chaser = "chase.agents.role.indexOf(2)";
            browser.value("document.getElementById('show-arrows').click()");
            browser.value("document.getElementById('show-screens').click()");
            browser.value("document.getElementById('show-all').click()");
            browser.value(&format!(
                "chase.state.x = chase.agents.x[{chaser}], chase.state.y = chase.agents.y[{chaser}]"
            ));
            browser.value("document.getElementById('map').focus()");
            browser.press("i");
            browser.wait_for(
                "chase.state.selected !== null && chase.state.field !== null && chase.state.allWays !== null",
            );
            browser.value("document.getElementById('fit').click()");
        }
        let measure = "(async () => { const work = [], begun = performance.now(); \
            const frame = () => new Promise(requestAnimationFrame); \
            while (performance.now() - begun < 3000) { await frame(); work.push(chase.scene.work); } \
            const frames = work.length; work.sort((one, other) => one - other); \
            return [chase.scene.shown, work[frames >> 1], work[Math.floor(frames * 0.95)], frames / 3]; })()";
        let evaluate = json!({"expression": measure, "returnByValue": true, "awaitPromise": true});
        let measured = browser.call("Runtime.evaluate", evaluate)["result"]["value"].clone();
        let figure = |at: usize| measured[at].as_f64().unwrap();
        println!(
            "overlays {overlays}: {} agents, script {:.1} ms a frame, 95 of 100 {:.1}, {:.0} frames a second",
            figure(0),
            figure(1),
            figure(2),
            figure(3)
        );
        assert!(figure(0) >= 10_000.0, "{measured}");
        assert!(figure(1) < 16.0, "{measured}");
    }
    browser.screenshot("page-ten-thousand");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}
