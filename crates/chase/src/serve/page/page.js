// The page: draws the map with all agents, and steers a player.

import { Agents, GONE, IDLE, WAITING, TARGET } from "./agents.js";

const $ = (id) => document.getElementById(id);
const canvas = $("map"), context = canvas.getContext("2d", { alpha: false });
const agents = new Agents();
const state = {
  hello: null, grounds: [], socket: null, player: null, course: [], selected: null, asked: -1,
  zoom: 8, x: 0, y: 0, floor: 0, isPaused: false, times: [], frames: 0, colours: {}, sprites: new Map(),
};
// What tests read.
window.chase = { agents, state };

const now = () => performance.now();
const say = (what) => {
  if (state.socket?.readyState === WebSocket.OPEN) state.socket.send(JSON.stringify(what));
};

// ---- the connection

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/ws?view=all`);
  socket.binaryType = "arraybuffer";
  state.socket = socket;
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) agents.read(data, now());
    else hear(JSON.parse(data));
  };
  socket.onclose = ({ reason }) => {
    $("link").textContent = reason ? `closed: ${reason}` : "no connection; trying again";
    setPlayer(null);
    setTimeout(connect, 2000);
  };
}

function hear(said) {
  if (said.hello) greet(said.hello);
  else if (said.stats) showStats(said.stats);
  else if ("player" in said) setPlayer(said.player);
  else if (said.course) state.course = said.course;
  else if (said.agent) showAgent(said.agent);
  else if (said.refused) notice(said.refused);
}

async function greet(hello) {
  const isFirst = !state.hello;
  state.hello = hello;
  agents.chaserStep = hello.chaser_step;
  agents.playerStep = hello.player_step;
  $("title").textContent = hello.scenario;
  $("link").textContent = `${hello.width}×${hello.height} cells, ${hello.hz} ticks a second`;
  $("steering").hidden = !hello.is_local;
  $("floors").hidden = hello.floors < 2;
  $("floor").replaceChildren(...Array.from({ length: hello.floors }, (_, floor) => new Option(floor, floor)));
  const ground = new Uint8Array(await (await fetch("ground")).arrayBuffer());
  state.groundBytes = ground;
  drawGrounds();
  if (isFirst) fit();
}

// ---- colours and what is drawn once

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  state.colours = Object.fromEntries(
    ["paper", "ink", "line", "slow", "target", "chasing", "beside", "waiting", "idle"].map((name) => [name, colour(name)]));
  state.sprites.clear();
}

function rgb(colour) {
  const number = parseInt(colour.slice(1), 16);
  return [number >> 16 & 255, number >> 8 & 255, number & 255];
}

function drawGrounds() {
  const { hello, groundBytes, colours } = state;
  if (!hello || !groundBytes) return;
  const paper = rgb(colours.paper), ink = rgb(colours.ink), slow = rgb(colours.slow);
  state.grounds = Array.from({ length: hello.floors }, (_, floor) => {
    const picture = new OffscreenCanvas(hello.width, hello.height);
    const pixels = new ImageData(hello.width, hello.height);
    const size = hello.width * hello.height;
    for (let cell = 0; cell < size; cell++) {
      const cost = groundBytes[floor * size + cell];
      const share = Math.min(1, Math.max(0, cost - 1) / 6);
      const colour = cost === 0 ? ink : paper.map((channel, at) => channel + (slow[at] - channel) * Math.sqrt(share));
      pixels.data.set([...colour, 255], cell * 4);
    }
    picture.getContext("2d").putImageData(pixels, 0, 0);
    return picture;
  });
}

// A disc of a role at the zoom, drawn once.
function sprite(role, zoom) {
  const key = role * 4096 + Math.round(zoom * 8);
  let picture = state.sprites.get(key);
  if (!picture) {
    const name = ["idle", "waiting", "chasing", "beside", "target"][role];
    const radius = Math.max(1, zoom * (role === TARGET ? 0.6 : 0.42));
    const side = Math.ceil(radius * 2 + 4);
    picture = new OffscreenCanvas(side, side);
    const sprite = picture.getContext("2d");
    const disc = (size, colour) => {
      sprite.fillStyle = colour;
      sprite.beginPath();
      sprite.arc(side / 2, side / 2, size, 0, 7);
      sprite.fill();
    };
    if (role === TARGET) disc(radius + 1.5, state.colours.paper);
    disc(radius, state.colours[name]);
    state.sprites.set(key, picture);
  }
  return picture;
}

// ---- every frame

function draw() {
  const { width, height } = canvas, { zoom, colours, hello } = state, time = now();
  state.frames++;
  context.fillStyle = colours.ink;
  context.fillRect(0, 0, width, height);
  const left = width / 2 - state.x * zoom, top = height / 2 - state.y * zoom;
  const ground = state.grounds[state.floor];
  if (ground) {
    context.imageSmoothingEnabled = false;
    context.drawImage(ground, left, top, ground.width * zoom, ground.height * zoom);
  }
  if (hello && $("show-screens").checked) drawScreens(left, top);
  if ($("show-ways").checked) drawWays(left, top);
  const showsWaiting = $("show-waiting").checked;
  const sprites = [0, 1, 2, 3, 4].map((role) => sprite(role, zoom));
  for (const isTarget of [false, true]) {
    for (let number = 0; number < agents.role.length; number++) {
      const role = agents.role[number];
      if (role === GONE || agents.floor[number] !== state.floor || (role === TARGET) !== isTarget) continue;
      if (!showsWaiting && (role === WAITING || role === IDLE)) continue;
      const roughX = left + agents.x[number] * zoom, roughY = top + agents.y[number] * zoom;
      const edge = 4 * zoom;
      if (roughX < -edge || roughY < -edge || roughX > width + edge || roughY > height + edge) continue;
      const [x, y] = agents.place(number, time);
      const picture = sprites[role], half = picture.width / 2;
      context.drawImage(picture, left + (x + 0.5) * zoom - half, top + (y + 0.5) * zoom - half);
    }
  }
  if (state.player !== null && agents.floor[state.player] === state.floor) {
    const [x, y] = agents.place(state.player, time);
    context.strokeStyle = colours.target;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(left + (x + 0.5) * zoom, top + (y + 0.5) * zoom, Math.max(8, zoom), 0, 7);
    context.stroke();
  }
  requestAnimationFrame(draw);
}

function drawScreens(left, top) {
  const [columns, rows] = state.hello.screen, { zoom, hello } = state;
  context.strokeStyle = state.colours.waiting;
  context.lineWidth = 1;
  context.beginPath();
  for (let x = 0; x <= hello.width; x += columns) {
    context.moveTo(left + x * zoom, top);
    context.lineTo(left + x * zoom, top + hello.height * zoom);
  }
  for (let y = 0; y <= hello.height; y += rows) {
    context.moveTo(left, top + y * zoom);
    context.lineTo(left + hello.width * zoom, top + y * zoom);
  }
  context.stroke();
}

function drawWays(left, top) {
  const line = (cells, colour) => {
    context.strokeStyle = colour;
    context.lineWidth = Math.max(1.5, state.zoom / 6);
    context.beginPath();
    let isOn = false;
    for (const [x, y, floor] of cells) {
      const place = [left + (x + 0.5) * state.zoom, top + (y + 0.5) * state.zoom];
      if (floor !== state.floor) isOn = false;
      else if (isOn) context.lineTo(...place);
      else { context.moveTo(...place); isOn = true; }
    }
    context.stroke();
  };
  const { player } = state;
  if (player !== null && state.course.length) {
    const isHere = ([x, y, floor]) => x === agents.x[player] && y === agents.y[player] && floor === agents.floor[player];
    state.course = state.course.slice(state.course.findIndex(isHere) + 1);
    if (state.course.length) line([[agents.x[player], agents.y[player], agents.floor[player]], ...state.course], state.colours.target);
  }
  if (state.selected) line([state.selected.at, ...state.selected.ahead], state.colours.chasing);
}

// ---- figures

function showStats(stats) {
  const percent = stats.budget ? ` of ${stats.budget}` : "";
  const rows = [
    ["tick", stats.tick], ["tick time", `${stats.tick_p50_ms.toFixed(2)} ms`], ["longest", `${stats.tick_max_ms.toFixed(2)} ms`],
    ["chasers", stats.chasers], ["within reach", stats.beside], ["by a field", stats.by_field],
    ["by a path", stats.by_path], ["waiting", stats.waiting], ["searches/s", stats.searches],
    ["work/s", `${stats.work}${percent}`], ["clients", stats.clients],
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
  state.times.push([stats.tick_p50_ms, stats.tick_max_ms]);
  if (state.times.length > 120) state.times.shift();
  drawChart();
}

function drawChart() {
  const chart = $("chart"), pen = chart.getContext("2d"), { width, height } = chart;
  const most = Math.max(1, ...state.times.map(([, longest]) => longest));
  pen.clearRect(0, 0, width, height);
  [["beside", 1], ["target", 0]].forEach(([colour, which]) => {
    pen.strokeStyle = state.colours[colour];
    pen.beginPath();
    state.times.forEach((times, at) => pen.lineTo(width - (state.times.length - at) * 2, height - 2 - times[which] / most * (height - 14)));
    pen.stroke();
  });
  pen.fillStyle = state.colours.waiting;
  pen.fillText(`${most.toFixed(1)} ms`, 4, 10);
}

function showAgent(agent) {
  state.selected = agent;
  const chases = agent.chases === null ? "" : ` Chases ${agent.chases}.`;
  $("tip").textContent = `Agent ${agent.id} ${agent.doing}.${chases}`;
  $("tip").hidden = false;
}

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
    ? "Take a player, then click where it shall go." : "Click where your player shall go.";
  if (player !== null) find();
}

function find() {
  const { player } = state;
  if (player === null || agents.role[player] === GONE) return;
  [state.x, state.y, state.floor] = [agents.x[player] + 0.5, agents.y[player] + 0.5, agents.floor[player]];
  state.zoom = Math.max(state.zoom, 12 * devicePixelRatio);
  $("floor").value = state.floor;
}

function walkTo([x, y]) {
  const { hello } = state;
  if (!hello || x < 0 || y < 0 || x >= hello.width || y >= hello.height) return;
  if (state.player === null) notice("Take a player first.");
  else say({ walk: { x: Math.floor(x), y: Math.floor(y), floor: state.floor } });
}

// ---- the view

function fit() {
  const { hello } = state;
  if (!hello) return;
  [state.x, state.y] = [hello.width / 2, hello.height / 2];
  state.zoom = Math.min(canvas.width / hello.width, canvas.height / hello.height);
}

function zoomBy(factor, [x, y] = [canvas.width / 2, canvas.height / 2]) {
  const before = cellAt([x, y]);
  state.zoom = Math.min(96, Math.max(0.25, state.zoom * factor));
  const after = cellAt([x, y]);
  state.x += before[0] - after[0];
  state.y += before[1] - after[1];
}

const pixel = ({ clientX, clientY }) => {
  const box = canvas.getBoundingClientRect();
  return [(clientX - box.left) * devicePixelRatio, (clientY - box.top) * devicePixelRatio];
};
const cellAt = ([x, y]) => [state.x + (x - canvas.width / 2) / state.zoom, state.y + (y - canvas.height / 2) / state.zoom];

function resize() {
  canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
  canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
}

// Pointers that are down, by their number: one drags, two pinch.
const pointers = new Map();
let isDragged = false;
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, pixel(event));
  isDragged = pointers.size > 1;
});
canvas.addEventListener("pointermove", (event) => {
  const at = pixel(event), before = pointers.get(event.pointerId);
  if (!before) return hover(event);
  if (pointers.size === 1) {
    const [dx, dy] = [at[0] - before[0], at[1] - before[1]];
    if (!isDragged && Math.hypot(dx, dy) < 5 * devicePixelRatio) return;
    isDragged = true;
    state.x -= dx / state.zoom;
    state.y -= dy / state.zoom;
  } else {
    const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
    const span = (one) => Math.max(1, Math.hypot(one[0] - other[0], one[1] - other[1]));
    zoomBy(span(at) / span(before), other);
  }
  pointers.set(event.pointerId, at);
});
const lift = (event) => {
  const wasDown = pointers.delete(event.pointerId);
  if (wasDown && !isDragged && event.type === "pointerup") walkTo(cellAt(pixel(event)));
};
canvas.addEventListener("pointerup", lift);
canvas.addEventListener("pointercancel", lift);
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoomBy(Math.exp(-event.deltaY / 400), pixel(event));
}, { passive: false });
canvas.addEventListener("keydown", (event) => {
  const far = 60 * devicePixelRatio / state.zoom;
  const act = {
    ArrowLeft: () => { state.x -= far; }, ArrowRight: () => { state.x += far; },
    ArrowUp: () => { state.y -= far; }, ArrowDown: () => { state.y += far; },
    "+": () => zoomBy(1.25), "-": () => zoomBy(0.8), Enter: () => walkTo([state.x, state.y]),
  }[event.key];
  if (act) { event.preventDefault(); act(); }
});

// Asks for the agent under the pointer, a few times a second.
let hoverEnds = 0;
function hover(event) {
  clearTimeout(hoverEnds);
  const [x, y] = pixel(event);
  hoverEnds = setTimeout(() => {
    const [column, row] = cellAt([x, y]);
    const number = agents.at(column - 0.5, row - 0.5, state.floor, now());
    if (number < 0) {
      $("tip").hidden = true;
      state.selected = null;
      return;
    }
    const box = canvas.getBoundingClientRect();
    $("tip").style.left = `${Math.min(event.clientX - box.left + 12, box.width - 240)}px`;
    $("tip").style.top = `${Math.min(event.clientY - box.top + 12, box.height - 80)}px`;
    say({ ask: { id: number } });
  }, 120);
}

$("take").onclick = () => say(state.player === null ? { take: {} } : { release: {} });
$("find").onclick = find;
$("pause").onclick = () => say({ pause: !state.isPaused });
$("step").onclick = () => say({ step: 1 });
$("speed").onchange = ({ target }) => say({ speed: Number(target.value) });
$("in").onclick = () => zoomBy(1.25);
$("out").onclick = () => zoomBy(0.8);
$("fit").onclick = fit;
$("floor").onchange = ({ target }) => { state.floor = Number(target.value); };
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); drawGrounds(); });
new ResizeObserver(resize).observe(canvas);

readColours();
resize();
connect();
requestAnimationFrame(draw);
