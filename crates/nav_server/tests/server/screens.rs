//! The page on screens of two sizes: nothing is cut off, wrapped or empty.

use crate::{browser::Browser, server::Server};
use serde_json::json;

/// A screen: its name, columns and rows of pixels, pixels of the screen to one of them, and whether
/// it is a phone's.
type Screen = (&'static str, u32, u32, u32, bool);

const LAPTOP: Screen = ("laptop", 1280, 800, 1, false);
const PHONE: Screen = ("phone", 390, 844, 2, true);

/// The panel scrolls there, and its scroll bar takes some of its width.
const LOW: Screen = ("low", 1024, 500, 1, false);

/// Lists what is wrong with the layout, as sentences.
const LAYOUT: &str = "(() => {
    const wrong = [];
    const name = (one) => `${one.tagName} ${one.id} ${one.textContent.trim().slice(0, 20)}`;
    const lines = (one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
    };
    for (const one of document.querySelectorAll('body *')) {
        if (!one.getClientRects().length) continue;
        const box = one.getBoundingClientRect();
        if (box.left < -0.5 || box.right > innerWidth + 0.5) wrong.push(`${name(one)} leaves the screen`);
        if (one.clientWidth && one.scrollWidth > one.clientWidth + 1) wrong.push(`${name(one)} is cut off`);
        if (one.matches('button, dt, dd, aside p') && lines(one) > 1) wrong.push(`${name(one)} wraps`);
        if (one.matches('.row, .grid > *')) {
            const middles = [...one.children].filter((child) => child.getClientRects().length).map((child) => {
                const { top, height } = child.getBoundingClientRect();
                return top + height / 2;
            });
            if (Math.max(...middles) - Math.min(...middles) > 3 || box.height > 40) wrong.push(`${name(one)} wraps`);
        }
    }
    const bottom = (id) => document.getElementById(id).getBoundingClientRect().bottom;
    if (bottom('chart') > innerHeight) wrong.push('the chart is below the first screen');
    if (scrollY) wrong.push('the page has scrolled');
    const chart = document.getElementById('chart');
    if (Math.abs(chart.width - chart.clientWidth * devicePixelRatio) > 1) wrong.push('the chart is blurred');
    return wrong;
})()";

/// Lists on which sides something beside the map is in view, although the map is larger than the
/// view.
const BESIDE_THE_MAP: &str = "(() => {
    const { scene: { left, top, zoom, canvas }, state: { hello } } = chase;
    const wrong = (first, cells, view) => cells * zoom > view + 1 ? first > 0.5 || first + cells * zoom < view - 0.5
        : Math.abs(first + cells * zoom / 2 - view / 2) > 1;
    return [['columns', left, hello.width, canvas.width], ['rows', top, hello.height, canvas.height]]
        .filter(([, ...side]) => wrong(...side)).map(([name]) => name);
})()";

/// Waits until a frame was drawn after what happened before.
fn wait_for_frame(browser: &mut Browser) {
    let frames = browser.value("chase.state.frames");
    browser.wait_for(&format!("chase.state.frames > {frames} + 1"));
}

fn set_screen(browser: &mut Browser, (_, width, height, scale, is_phone): Screen, scheme: &str) {
    let metrics =
        json!({"width": width, "height": height, "deviceScaleFactor": scale, "mobile": is_phone});
    browser.call("Emulation.setDeviceMetricsOverride", metrics);
    let scheme = json!({"name": "prefers-color-scheme", "value": scheme});
    browser.call("Emulation.setEmulatedMedia", json!({"features": [scheme]}));
}

/// Opens a scenario, and waits until the page shows all of it, with some seconds of the chart.
fn open(browser: &mut Browser, server: &Server) {
    browser.open(server);
    browser.wait_for("window.chase && chase.state.hasFloor && chase.chart.seconds.length > 3");
    wait_for_frame(browser);
}

fn assert_laid_out(browser: &mut Browser, screen: Screen) {
    assert_eq!(browser.value(LAYOUT), json!([]), "{}", screen.0);
    assert_eq!(browser.value(BESIDE_THE_MAP), json!([]), "{}", screen.0);
    if screen == PHONE {
        let fills = "chase.state.hello.width * chase.scene.zoom >= chase.scene.canvas.width - 1";
        assert_eq!(
            browser.value(fills),
            true,
            "the map does not fill the width"
        );
    }
    if screen == LAPTOP {
        let aside = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('aside'))";
        assert_eq!(browser.value(aside), 0, "figures are below the fold");
    }
}

#[test]
fn hunted_at_the_rim() {
    let Some(mut browser) = Browser::start("hunted_at_the_rim") else {
        return;
    };
    let server = Server::of("hunt");
    for screen in [LAPTOP, PHONE] {
        set_screen(&mut browser, screen, "light");
        open(&mut browser, &server);
        assert_laid_out(&mut browser, screen);
        browser.value("document.getElementById('take').click()");
        browser.wait_for("chase.state.player !== null");
        wait_for_frame(&mut browser);
        assert_laid_out(&mut browser, screen);
        // The camera is sent over each corner, and stays inside.
        for (x, y) in [(0, 0), (60, 0), (0, 36), (60, 36)] {
            browser.value(&format!("chase.state.x = {x}, chase.state.y = {y}"));
            wait_for_frame(&mut browser);
            assert_eq!(browser.value(BESIDE_THE_MAP), json!([]), "{x},{y}");
        }
        browser.value("document.getElementById('find').click()");
        wait_for_frame(&mut browser);
        browser.screenshot(&format!("page-hunted-{}", screen.0));
        browser.value("document.getElementById('take').click()");
        browser.wait_for("chase.state.player === null");
    }
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn explained_on_stairs() {
    let Some(mut browser) = Browser::start("explained_on_stairs") else {
        return;
    };
    let server = Server::of("stairs");
    for screen in [LAPTOP, PHONE] {
        set_screen(&mut browser, screen, "dark");
        open(&mut browser, &server);
        // By the key as the book writes it, whatever has the focus.
        browser.value("document.getElementById('pause').focus()");
        browser.press("I");
        browser.wait_for("!document.getElementById('tip').hidden && chase.state.selected !== null");
        wait_for_frame(&mut browser);
        assert_laid_out(&mut browser, screen);
        browser.screenshot(&format!("page-explained-{}", screen.0));
        browser.press("Escape");
        browser.wait_for("document.getElementById('tip').hidden && chase.state.asked === -1");
    }
    set_screen(&mut browser, LOW, "light");
    open(&mut browser, &server);
    // A scenario of a file has a long name.
    browser.value(
        "document.getElementById('scenario').replaceChildren(new Option('folder/'.repeat(20)))",
    );
    assert_laid_out(&mut browser, LOW);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// Chasers leave the ground floor for good: the page goes with them, unless a user has chosen the
/// floor.
#[test]
fn floor_with_agents() {
    let Some(mut browser) = Browser::start("floor_with_agents") else {
        return;
    };
    let server = Server::of("stairs");
    browser.open(&server);
    browser.wait_for("window.chase && chase.state.hasFloor");
    browser.value("const speed = document.getElementById('speed'); speed.value = 10; speed.dispatchEvent(new Event('change'))");
    browser
        .wait_for("document.getElementById('floor-counts').textContent === 'agents 0: 0, 1: 18'");
    browser.wait_for("chase.state.floor === 1 && document.getElementById('floor').value === '1'");
    browser.value("const floor = document.getElementById('floor'); floor.value = 0; floor.dispatchEvent(new Event('change'))");
    // Counted once more.
    browser.value("document.getElementById('floor-counts').textContent = ''");
    browser.wait_for("document.getElementById('floor-counts').textContent !== ''");
    assert_eq!(browser.value("chase.state.floor"), 0);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}
