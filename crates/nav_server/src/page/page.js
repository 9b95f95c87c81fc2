// The page: draws the map with all agents, and controls a player.

import { Agents, GONE } from "./agents.js";
import { hold, showAgain, showFirst, showWhole } from "./camera.js";
import { Chart } from "./chart.js";
import { watchFloors } from "./floors.js";
import { describe, place } from "./inspector.js";
import { isShown, Scene } from "./scene.js";

const $ = (id) => document.getElementById(id);
const canvas = $("map");
const agents = new Agents(), scene = new Scene(canvas, agents), chart = new Chart($("chart"));
const state = {
  hello: null, ground: null, classes: null, socket: null, player: null, course: [],
  // The inspected agent, or -1; whether it stays so while the pointer moves; what is known about it, and its
  // field.
  asked: -1, isHeld: false, selected: null, field: null, fields: 0, allWays: null,
  zoom: 8, x: 0, y: 0, floor: 0, isPaused: false, frames: 0,
  // What is in view: "first" or "whole", or null once the user has moved the map.
  view: "first",
  // Whether the first frame with agents has chosen the floor, and whether the user has.
  hasFloor: false, isFloorChosen: false,
};
// Active overlays, by the last part of the ids of their boxes.
const shows = { ways: true, all: false, arrows: false, screens: false, waiting: true };
// State read by tests.
window.chase = { agents, state, scene, chart };

const now = () => performance.now();
const say = (what) => {
  if (state.socket?.readyState === WebSocket.OPEN) state.socket.send(JSON.stringify(what));
};

// ---- the connection

// The token by which this page may control the server: in the fragment of its address, which is sent nowhere.
const token = () => new URLSearchParams(location.hash.slice(1)).get("control");

// The code with which the server ends connections when it serves another scenario.
const ANOTHER_SCENARIO = 1012;

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const protocols = token() ? ["chase", `control.${token()}`] : ["chase"];
  const socket = new WebSocket(`${scheme}://${location.host}/ws?view=all`, protocols);
  socket.binaryType = "arraybuffer";
  state.socket = socket;
  let isOpen = false;
  socket.onopen = () => { isOpen = true; };
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) {
      agents.read(data, now());
      if (!state.hasFloor) countFloors();
    } else hear(JSON.parse(data));
  };
  socket.onclose = async ({ code, reason }) => {
    if (code === ANOTHER_SCENARIO) {
      state.hello = null;
      state.hasFloor = state.isFloorChosen = false;
      select(-1);
      setPlayer(null);
      return connect();
    }
    $("link").textContent = reason ? `closed: ${reason}` : "no connection; trying again";
    setPlayer(null);
    setTimeout(connect, 2000);
    if (!isOpen) $("link").textContent = await whyNoConnection();
  };
}

// A browser does not say why a server refused a WebSocket: its metrics do.
async function whyNoConnection() {
  try {
    const text = await (await fetch("metrics")).text();
    const value = (name) => Number(text.match(new RegExp(`^chase_${name} (.*)$`, "m"))?.[1]);
    if (value("clients") >= value("clients_max")) return `the server is full: ${value("clients")} clients; trying again`;
    return "the server refuses the connection; trying again";
  } catch {
    return "no connection; trying again";
  }
}

const countFloors = () => watchFloors(state, agents, $("floor"), $("floor-counts"));

function hear(said) {
  if (said.hello) greet(said.hello);
  else if (said.stats) showStats(said.stats);
  else if ("player" in said) setPlayer(said.player);
  else if (said.course) state.course = said.course;
  else if (said.agent) showAgent(said.agent);
  else if (said.field) showField(said.field);
  else if (said.ways) state.allWays = said.ways;
  else if (said.refused) notice(said.refused);
}

async function greet(hello) {
  const isFirst = !state.hello;
  state.hello = hello;
  agents.chaserStep = hello.chaser_step;
  agents.playerStep = hello.player_step;
  // Of a file, its name without the folders.
  $("title").textContent = hello.scenario.split(/[\\/]/).at(-1);
  $("title").title = hello.scenario;
  $("link").textContent = `${hello.width}×${hello.height} cells, ${hello.hz} ticks a second`;
  $("steering").hidden = !hello.may_control;
  $("scenes").hidden = !hello.scenarios.length;
  $("scenario").replaceChildren(...[...new Set([hello.scenario, ...hello.scenarios])].map((name) => new Option(name)));
  $("floors").hidden = hello.floors < 2;
  $("floor").replaceChildren(...Array.from({ length: hello.floors }, (_, floor) => new Option(floor, floor)));
  document.querySelector("main").style.setProperty("--aspect", hello.width / hello.height);
  const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
  [state.ground, state.classes] = await Promise.all([bytes("ground"), bytes("classes")]);
  scene.drawGrounds(hello, state.ground, state.classes);
  if (isFirst) showFirst(state, canvas);
}

// ---- every frame

function draw() {
  state.frames++;
  trimCourse();
  hold(state, canvas);
  scene.draw(state, shows, now());
  place($("tip"), state, { agents, scene, canvas }, now());
  requestAnimationFrame(draw);
}

// Removes the cells that the player has walked.
function trimCourse() {
  const { player, course } = state;
  if (player === null || !course.length) return;
  const isHere = ([x, y, floor]) => x === agents.x[player] && y === agents.y[player] && floor === agents.floor[player];
  const passed = course.findIndex(isHere) + 1;
  if (passed) state.course = course.slice(passed);
}

// ---- values

function showStats(stats) {
  const { hello } = state;
  const share = (work) => `${Math.round(work * 100 / stats.budget)} %`;
  const budget = stats.budget ? [
    ["budget", stats.budget], ["used", share(stats.work / hello.hz)], ["at most", share(stats.work_max)],
  ] : [];
  const methods = Object.entries(stats.by_method).map(([name, count]) => [`by ${name}`, count]);
  const rows = [
    ["tick", stats.tick], ["tick time", `${stats.tick_p50_ms.toFixed(2)} ms`], ["longest", `${stats.tick_max_ms.toFixed(2)} ms`],
    ["chasers", stats.chasers], ["within reach", stats.beside], ["by a field", stats.by_field],
    ["by a path", stats.by_path], ["waiting", stats.waiting], ["searches/s", stats.searches], ...methods,
    ["work/s", stats.work], ...budget, ["clients", stats.clients],
  ];
  $("figures").replaceChildren(...rows.flatMap(([name, value]) => {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = name;
    dd.textContent = value;
    return [dt, dd];
  }));
  state.isPaused = stats.is_paused;
  agents.speed = stats.speed;
  $("pause").textContent = stats.is_paused ? "Go on" : "Pause";
  $("step").disabled = !stats.is_paused;
  // Another client may have changed it.
  if (document.activeElement !== $("speed")) $("speed").value = stats.speed;
  chart.add({ ...stats, hz: hello.hz });
  chart.draw(scene.colours);
}

// ---- one agent

function showAgent(agent) {
  // The agent is not inspected any more.
  if (agent.id !== state.asked) return;
  state.selected = agent;
  $("tip").textContent = describe(agent, state.hello.hz);
  $("tip").hidden = false;
}

function showField(field) {
  if (field.id === state.asked) state.field = { ...field, number: ++state.fields };
}

// Inspects an agent, or none; `isHeld` keeps it while the pointer moves.
function select(number, isHeld = false) {
  if (number !== state.asked) {
    state.selected = null;
    state.field = null;
    // The words about the one before are not about this one.
    $("tip").hidden = true;
  }
  state.asked = number;
  state.isHeld = isHeld && number >= 0;
  ask();
}

function ask() {
  const { asked, hello } = state;
  if (asked < 0 || !hello) return;
  say({ ask: { id: asked } });
  if (!shows.arrows) return;
  const within = (at, end) => Math.floor(Math.min(Math.max(at, 0), end - 1));
  say({ field: { id: asked, x: within(state.x, hello.width), y: within(state.y, hello.height), floor: state.floor } });
}

// Requests the paths of all agents in view.
function askWays() {
  const { hello, x, y, zoom, floor } = state;
  if (!hello || !shows.all) return void (state.allWays = null);
  const within = (at, end) => Math.floor(Math.min(Math.max(at, 0), end - 1));
  const [columns, rows] = [canvas.width / zoom, canvas.height / zoom];
  const first = [within(x - columns / 2, hello.width), within(y - rows / 2, hello.height)];
  const last = [within(x + columns / 2, hello.width), within(y + rows / 2, hello.height)];
  say({ ways: { x: first[0], y: first[1], width: last[0] - first[0], height: last[1] - first[1], floor } });
}

// Their overlays follow the agents.
setInterval(() => { ask(); askWays(); countFloors(); }, 500);

let noticeEnds = 0;
function notice(text) {
  $("notice").textContent = text;
  $("notice").hidden = false;
  clearTimeout(noticeEnds);
  noticeEnds = setTimeout(() => { $("notice").hidden = true; }, 4000);
}

// ---- the player

function setPlayer(player) {
  state.player = player;
  state.course = [];
  $("take").textContent = player === null ? "Be hunted" : "Give up";
  $("find").disabled = player === null;
  $("player").textContent = player === null
    ? "Take a player, then click a goal for it." : "Click where your player shall go.";
  if (player !== null) find();
}

function find() {
  const { player } = state;
  if (player === null || agents.role[player] === GONE) return;
  [state.x, state.y, state.floor] = [agents.x[player] + 0.5, agents.y[player] + 0.5, agents.floor[player]];
  state.zoom = Math.max(state.zoom, 12 * devicePixelRatio);
  state.view = null;
  $("floor").value = state.floor;
}

function walkTo([x, y]) {
  const { hello } = state;
  if (!hello || x < 0 || y < 0 || x >= hello.width || y >= hello.height) return;
  if (state.player === null) notice("Take a player first.");
  else say({ walk: { x: Math.floor(x), y: Math.floor(y), floor: state.floor } });
}

// ---- the view

function zoomBy(factor, [x, y] = [canvas.width / 2, canvas.height / 2]) {
  const before = cellAt([x, y]);
  state.zoom *= factor;
  hold(state, canvas);
  const after = cellAt([x, y]);
  move(before[0] - after[0], before[1] - after[1]);
}

// Moves the camera by some columns and rows.
function move(columns, rows) {
  state.x += columns;
  state.y += rows;
  state.view = null;
}

const pixel = ({ clientX, clientY }) => {
  const box = canvas.getBoundingClientRect();
  return [(clientX - box.left) * devicePixelRatio, (clientY - box.top) * devicePixelRatio];
};
const cellAt = ([x, y]) => [state.x + (x - canvas.width / 2) / state.zoom, state.y + (y - canvas.height / 2) / state.zoom];

function resize() {
  canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
  canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
  showAgain(state, canvas);
}

// Pointers that are down, by id: one drags, two pinch.
const pointers = new Map();
let isDragged = false;
// Where a mouse is over the map.
let pointer = null;
// A long touch asks what a mouse asks by resting.
const LONG_TOUCH_MS = 500;
let touchEnds = 0;
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, pixel(event));
  isDragged = pointers.size > 1;
  clearTimeout(touchEnds);
  if (event.pointerType === "mouse") return;
  touchEnds = setTimeout(() => {
    if (isDragged || !pointers.has(event.pointerId)) return;
    isDragged = true;
    inspect(event, true);
  }, LONG_TOUCH_MS);
});
canvas.addEventListener("pointermove", (event) => {
  const at = pixel(event), before = pointers.get(event.pointerId);
  if (event.pointerType === "mouse") pointer = at;
  if (!before) return hover(event);
  if (pointers.size === 1) {
    const [dx, dy] = [at[0] - before[0], at[1] - before[1]];
    if (!isDragged && Math.hypot(dx, dy) < 5 * devicePixelRatio) return;
    isDragged = true;
    move(-dx / state.zoom, -dy / state.zoom);
  } else {
    const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
    const span = (one) => Math.max(1, Math.hypot(one[0] - other[0], one[1] - other[1]));
    zoomBy(span(at) / span(before), other);
  }
  pointers.set(event.pointerId, at);
});
const lift = (event) => {
  clearTimeout(touchEnds);
  const wasDown = pointers.delete(event.pointerId);
  if (wasDown && !isDragged && event.type === "pointerup") walkTo(cellAt(pixel(event)));
};
canvas.addEventListener("pointerup", lift);
canvas.addEventListener("pointercancel", lift);
canvas.addEventListener("pointerleave", () => { pointer = null; });
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoomBy(Math.exp(-event.deltaY / 400), pixel(event));
}, { passive: false });
canvas.addEventListener("keydown", (event) => {
  const far = 60 * devicePixelRatio / state.zoom;
  const act = {
    ArrowLeft: () => move(-far, 0), ArrowRight: () => move(far, 0), ArrowUp: () => move(0, -far), ArrowDown: () => move(0, far),
    "+": () => zoomBy(1.25), "-": () => zoomBy(0.8), Enter: () => walkTo([state.x, state.y]),
  }[event.key];
  if (act) { event.preventDefault(); act(); }
});
// Wherever the focus is, except where letters choose from a list.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  if (event.key === "Escape") select(-1);
  else if (event.key.toLowerCase() === "i") inspectNearest();
});

// Inspects the agent under the pointer, a few times per second.
let hoverEnds = 0;
function hover(event) {
  clearTimeout(hoverEnds);
  hoverEnds = setTimeout(() => { if (!state.isHeld) inspect(event); }, 120);
}

// Inspects the agent at the place of an event.
function inspect(event, isHeld = false) {
  const [column, row] = cellAt(pixel(event));
  const reach = event.pointerType === "mouse" ? undefined : Math.max(1, 20 * devicePixelRatio / state.zoom);
  select(agents.at(column - 0.5, row - 0.5, state.floor, now(), reach), isHeld);
}

// Inspects the agent in view that is nearest to the pointer, or to the middle where there is no pointer.
function inspectNearest() {
  const [column, row] = pointer ? cellAt(pointer) : [state.x, state.y];
  const [left, top] = cellAt([0, 0]), [right, bottom] = cellAt([canvas.width, canvas.height]);
  const number = agents.nearest(column - 0.5, row - 0.5, state.floor, now(), (x, y, role) =>
    x + 0.5 >= left && y + 0.5 >= top && x + 0.5 <= right && y + 0.5 <= bottom && isShown(role, shows));
  if (number < 0) notice("No agent is in view.");
  select(number, true);
}

// ---- another scenario or map

async function change(path, body) {
  const answer = await fetch(path, { method: "POST", body, headers: token() ? { Authorization: `Bearer ${token()}` } : {} });
  if (answer.ok) return;
  notice(await answer.text() || "the server is too busy");
  if (state.hello) $("scenario").value = state.hello.scenario;
}

$("scenario").onchange = ({ target }) => change(`scenario/${target.value}`);
canvas.addEventListener("dragover", (event) => event.preventDefault());
canvas.addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) change(`map?name=${encodeURIComponent(file.name)}`, file);
});

$("take").onclick = () => say(state.player === null ? { take: {} } : { release: {} });
$("find").onclick = find;
$("pause").onclick = () => say({ pause: !state.isPaused });
$("step").onclick = () => say({ step: 1 });
$("speed").onchange = ({ target }) => say({ speed: Number(target.value) });
$("in").onclick = () => zoomBy(1.25);
$("out").onclick = () => zoomBy(0.8);
$("fit").onclick = () => showWhole(state, canvas);
$("floor").onchange = ({ target }) => { state.floor = Number(target.value); state.isFloorChosen = true; };
for (const name of Object.keys(shows)) {
  const box = $(`show-${name}`);
  shows[name] = box.checked;
  box.onchange = () => { shows[name] = box.checked; ask(); askWays(); };
}
$("chart-of").onchange = ({ target }) => { chart.of = target.value; chart.draw(scene.colours); };
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  scene.readColours();
  if (state.ground) scene.drawGrounds(state.hello, state.ground, state.classes);
  chart.draw(scene.colours);
});
new ResizeObserver(resize).observe(canvas);
new ResizeObserver(() => chart.draw(scene.colours)).observe($("chart"));

scene.readColours();
resize();
connect();
requestAnimationFrame(draw);
