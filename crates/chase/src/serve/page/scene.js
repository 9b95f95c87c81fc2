// Draws the map and its agents.
//
// What changes rarely (ground, screens, arrows) is one picture, drawn again when the view or one of
// them changes. Agents are drawn role by role, from lists of places into a copy of its pixels, so
// that ten thousand of them cost little.

import { GONE, IDLE, WAITING, CHASING, BESIDE, TARGET } from "./agents.js";
import { Discs, pixelOf } from "./discs.js";

const NAMES = ["idle", "waiting", "chasing", "beside", "target"];

// Drawing order of roles, players last.
const ROLES = [IDLE, WAITING, CHASING, BESIDE, TARGET];

// Pixels per cell below which arrows would be dots.
const ARROWS_FROM = 6;

// Columns and rows of the directions 0 to 7, clockwise from up.
const WAYS = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];

export class Scene {
  constructor(canvas, agents) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.agents = agents;
    this.colours = {};
    this.grounds = [];
    this.discs = new Discs();
    this.backdrop = new OffscreenCanvas(1, 1);
    this.backdropPixels = new Uint32Array(1);
    this.drawn = "";
    // Places of agents to draw, two numbers each, and their count, by role.
    this.places = ROLES.map(() => new Float32Array(2048));
    this.counts = new Uint32Array(ROLES.length);
    // Measurements of the frame: agents drawn, and milliseconds of this script.
    this.shown = 0;
    this.work = 0;
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.colours = Object.fromEntries(["paper", "ink", "slow", "arrow", ...NAMES].map((name) => [name, colour(name)]));
    this.pixels = Object.fromEntries(["paper", "ink", "slow", ...NAMES].map((name) => [name, pixelOf(this.colours[name])]));
    this.drawn = "";
  }

  // Sets the ground of all floors, one byte per cell.
  drawGrounds({ width, height, floors }, bytes) {
    // By the cost of a step: walls, then from plain ground to slow ground.
    const { paper, ink, slow } = this.pixels;
    const part = (shift, share) => {
      const [from, to] = [paper, slow].map((pixel) => pixel >>> shift & 255);
      return Math.round(from + (to - from) * share) << shift;
    };
    const colours = Uint32Array.from({ length: 256 }, (_, cost) => {
      const share = Math.sqrt(Math.min(1, Math.max(0, cost - 1) / 6));
      return cost === 0 ? ink : 0xff000000 | part(0, share) | part(8, share) | part(16, share);
    });
    this.grounds = Array.from({ length: floors }, (_, floor) => {
      const picture = new OffscreenCanvas(width, height);
      const pixels = new ImageData(width, height), cells = new Uint32Array(pixels.data.buffer);
      for (let cell = 0; cell < cells.length; cell++) cells[cell] = colours[bytes[floor * cells.length + cell]];
      picture.getContext("2d").putImageData(pixels, 0, 0);
      return picture;
    });
    this.drawn = "";
  }

  // Draws a frame. `shows` tells which overlays are active.
  draw(state, shows, time) {
    const begun = performance.now();
    const { canvas, context } = this;
    this.left = canvas.width / 2 - state.x * state.zoom;
    this.top = canvas.height / 2 - state.y * state.zoom;
    this.zoom = state.zoom;
    this.drawBackdrop(state, shows);
    this.discs.pixels.set(this.backdropPixels);
    this.gather(state, shows, time);
    this.drawAgents();
    context.putImageData(this.discs.image, 0, 0);
    if (shows.all && state.allWays?.floor === state.floor) this.drawAllWays(state);
    if (shows.ways) this.drawWays(state);
    this.drawOwn(state, time);
    this.work = performance.now() - begun;
  }

  // ---- what changes rarely

  drawBackdrop(state, shows) {
    const { canvas, backdrop, zoom } = this, { hello, field } = state;
    const arrows = shows.arrows && field && field.floor === state.floor && zoom >= ARROWS_FROM ? field : null;
    const key = [canvas.width, canvas.height, state.x, state.y, zoom, state.floor, shows.screens, arrows?.number].join();
    if (key === this.drawn) return;
    this.drawn = key;
    if (backdrop.width !== canvas.width || backdrop.height !== canvas.height) {
      [backdrop.width, backdrop.height] = [canvas.width, canvas.height];
      this.discs.resize(canvas.width, canvas.height);
    }
    const pen = backdrop.getContext("2d", { alpha: false, willReadFrequently: true });
    pen.fillStyle = this.colours.ink;
    pen.fillRect(0, 0, backdrop.width, backdrop.height);
    const ground = this.grounds[state.floor];
    if (ground) {
      pen.imageSmoothingEnabled = false;
      pen.drawImage(ground, this.left, this.top, ground.width * zoom, ground.height * zoom);
    }
    if (hello) this.drawLinks(pen, hello.links, state.floor);
    if (hello && shows.screens) this.drawScreens(pen, hello);
    if (arrows) this.drawArrows(pen, arrows);
    this.backdropPixels = new Uint32Array(pen.getImageData(0, 0, backdrop.width, backdrop.height).data.buffer);
  }

  // Draws a dash from the start of each link to its end, and a ring around an end of which the other is
  // on another floor.
  drawLinks(pen, links, floor) {
    const { left, top, zoom } = this;
    const place = ([x, y]) => [left + (x + 0.5) * zoom, top + (y + 0.5) * zoom];
    pen.strokeStyle = this.colours.arrow;
    pen.lineWidth = Math.max(1, zoom / 10);
    pen.setLineDash([zoom / 2, zoom / 2]);
    pen.beginPath();
    for (const [from, to] of links) {
      if (from[2] !== floor || to[2] !== floor) continue;
      pen.moveTo(...place(from));
      pen.lineTo(...place(to));
    }
    pen.stroke();
    pen.setLineDash([]);
    pen.beginPath();
    for (const end of links.filter(([from, to]) => from[2] !== to[2]).flat().filter((end) => end[2] === floor)) {
      const [x, y] = place(end), radius = Math.max(2, zoom * 0.4);
      pen.moveTo(x + radius, y);
      pen.arc(x, y, radius, 0, 7);
    }
    pen.stroke();
  }

  drawScreens(pen, { width, height, screen: [columns, rows] }) {
    const { left, top, zoom } = this;
    pen.strokeStyle = this.colours.waiting;
    pen.lineWidth = 1;
    pen.beginPath();
    for (let x = 0; x <= width; x += columns) {
      pen.moveTo(left + x * zoom, top);
      pen.lineTo(left + x * zoom, top + height * zoom);
    }
    for (let y = 0; y <= height; y += rows) {
      pen.moveTo(left, top + y * zoom);
      pen.lineTo(left + width * zoom, top + y * zoom);
    }
    pen.stroke();
  }

  // Draws an arrow in each cell where a field continues, and a ring where a link does.
  drawArrows(pen, field) {
    const { left, top, zoom } = this;
    pen.strokeStyle = this.colours.arrow;
    pen.lineWidth = Math.max(1, zoom / 14);
    pen.beginPath();
    for (let at = 0; at < field.ways.length; at++) {
      const sign = field.ways[at];
      if (sign === ".") continue;
      const x = left + (field.x + at % field.width + 0.5) * zoom;
      const y = top + (field.y + Math.floor(at / field.width) + 0.5) * zoom;
      if (x < 0 || y < 0 || x > this.canvas.width || y > this.canvas.height) continue;
      if (sign === "L") {
        pen.moveTo(x + zoom * 0.25, y);
        pen.arc(x, y, zoom * 0.25, 0, 7);
        continue;
      }
      const [dx, dy] = WAYS[sign], far = zoom * 0.34 / Math.hypot(dx, dy), [ax, ay] = [dx * far, dy * far];
      pen.moveTo(x - ax, y - ay);
      pen.lineTo(x + ax, y + ay);
      pen.lineTo(x + (ax - ay) * 0.3, y + (ay + ax) * 0.3);
      pen.moveTo(x + ax, y + ay);
      pen.lineTo(x + (ax + ay) * 0.3, y + (ay - ax) * 0.3);
    }
    pen.stroke();
  }

  // ---- paths

  drawWays({ player, course, selected, floor }) {
    const { agents } = this;
    if (player !== null && course.length) {
      this.line([[agents.x[player], agents.y[player], agents.floor[player]], ...course], floor, this.colours.target);
    }
    if (selected) this.line([selected.at, ...selected.ahead], floor, this.colours.chasing);
  }

  // Each path starts where the agent is now, without what it has walked since the request.
  drawAllWays({ allWays, floor }) {
    const { agents, context, zoom } = this;
    context.strokeStyle = this.colours.arrow;
    context.lineWidth = Math.max(1, zoom / 12);
    context.beginPath();
    for (const [number, cells] of allWays.ways) {
      if (agents.role[number] === GONE) continue;
      const isHere = ([x, y, on]) => x === agents.x[number] && y === agents.y[number] && on === agents.floor[number];
      this.trace(cells.slice(Math.max(0, cells.findIndex(isHere))), floor);
    }
    context.stroke();
  }

  line(cells, floor, colour) {
    const { context, zoom } = this;
    context.strokeStyle = colour;
    context.lineWidth = Math.max(1.5, zoom / 6);
    context.beginPath();
    this.trace(cells, floor);
    context.stroke();
  }

  // Adds the cells of a path to the one being drawn, as far as they are on a floor.
  trace(cells, floor) {
    const { context, left, top, zoom } = this;
    let isOn = false;
    for (const [x, y, on] of cells) {
      const place = [left + (x + 0.5) * zoom, top + (y + 0.5) * zoom];
      if (on !== floor) isOn = false;
      else if (isOn) context.lineTo(...place);
      else { context.moveTo(...place); isOn = true; }
    }
  }

  // ---- agents

  // Finds the agents in view, and their places.
  gather({ floor }, shows, time) {
    const { agents, places, counts, left, top, zoom } = this;
    const { width, height } = this.canvas;
    const edge = 4;
    const minX = -left / zoom - edge, maxX = (width - left) / zoom + edge;
    const minY = -top / zoom - edge, maxY = (height - top) / zoom + edge;
    counts.fill(0);
    for (let number = 0; number < agents.role.length; number++) {
      const role = agents.role[number];
      if (role === GONE || agents.floor[number] !== floor) continue;
      if (!shows.waiting && (role === WAITING || role === IDLE)) continue;
      const x = agents.x[number], y = agents.y[number];
      if (x < minX || y < minY || x > maxX || y > maxY) continue;
      agents.locate(number, time);
      const at = counts[role]++ * 2;
      if (at + 2 > places[role].length) {
        const grown = new Float32Array(places[role].length * 2);
        grown.set(places[role]);
        places[role] = grown;
      }
      places[role][at] = left + (agents.atX + 0.5) * zoom;
      places[role][at + 1] = top + (agents.atY + 0.5) * zoom;
    }
  }

  drawAgents() {
    const { discs, places, counts, zoom } = this;
    this.shown = 0;
    for (const role of ROLES) {
      const of = places[role], end = counts[role] * 2;
      this.shown += counts[role];
      if (role === TARGET) {
        const radius = Math.max(1.5, zoom * 0.6);
        discs.draw(of, end, radius + 1.5, this.pixels.paper);
        discs.draw(of, end, radius, this.pixels.target);
      } else {
        discs.draw(of, end, Math.max(1, zoom * 0.42), this.pixels[NAMES[role]]);
      }
    }
  }

  // A ring around the client's own player.
  drawOwn({ player, floor }, time) {
    const { agents, context, zoom } = this;
    if (player === null || agents.floor[player] !== floor) return;
    agents.locate(player, time);
    context.strokeStyle = this.colours.target;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(this.left + (agents.atX + 0.5) * zoom, this.top + (agents.atY + 0.5) * zoom, Math.max(8, zoom), 0, 7);
    context.stroke();
  }
}
