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

// Least pixels of the page of stairs, on maps with few links: they are looked for on a large map. Guesses.
const STAIRS_MIN = 12;
const LARGE_STAIRS = 64;

// Whether agents of a role are shown.
export const isShown = (role, shows) => shows.waiting || (role !== WAITING && role !== IDLE);

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
    this.colours = Object.fromEntries(["paper", "ink", "off", "slow", "arrow", "stairs", "water", "text", ...NAMES].map((name) => [name, colour(name)]));
    this.pixels = Object.fromEntries(["paper", "ink", "slow", "water", ...NAMES].map((name) => [name, pixelOf(this.colours[name])]));
    this.drawn = "";
  }

  // Sets the ground of all floors: costs and terrain classes, one byte each per cell. Where no cell has a
  // class, there are no classes.
  drawGrounds({ width, height, floors }, costs, classes) {
    // By the cost of a step: walls, then from plain ground to slow ground.
    const { paper, ink, slow, water } = this.pixels;
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
      for (let cell = 0; cell < cells.length; cell++) {
        const cost = costs[floor * cells.length + cell], isWater = cost > 0 && classes[floor * cells.length + cell] > 0;
        cells[cell] = isWater ? water : colours[cost];
      }
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
    this.drawRings(state, time);
    this.work = performance.now() - begun;
  }

  // ---- what changes rarely

  drawBackdrop(state, shows) {
    const { canvas, backdrop, zoom } = this, { hello, field } = state;
    const arrows = shows.arrows && field && field.floor === state.floor && zoom >= ARROWS_FROM ? field : null;
    const key = [canvas.width, canvas.height, state.x, state.y, zoom, state.floor, shows.screens, arrows?.number, devicePixelRatio].join();
    if (key === this.drawn) return;
    this.drawn = key;
    if (backdrop.width !== canvas.width || backdrop.height !== canvas.height) {
      [backdrop.width, backdrop.height] = [canvas.width, canvas.height];
      this.discs.resize(canvas.width, canvas.height);
    }
    const pen = backdrop.getContext("2d", { alpha: false, willReadFrequently: true });
    pen.fillStyle = this.colours.off;
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

  // Draws rising steps at an end that leads to another floor, and dashes between ends on the same one.
  drawLinks(pen, links, floor) {
    const { left, top, zoom } = this;
    const middle = ([x, y]) => [left + (x + 0.5) * zoom, top + (y + 0.5) * zoom];
    const here = links.filter(([from, to]) => from[2] === floor && to[2] === floor);
    pen.strokeStyle = this.colours.stairs;
    pen.lineWidth = Math.max(2 * devicePixelRatio, zoom / 4);
    pen.setLineDash([pen.lineWidth, pen.lineWidth * 0.7]);
    pen.beginPath();
    for (const [from, to] of here) {
      pen.moveTo(...middle(from));
      pen.lineTo(...middle(to));
    }
    pen.stroke();
    pen.setLineDash([]);
    pen.fillStyle = this.colours.stairs;
    const side = Math.max(4 * devicePixelRatio, zoom * 0.6);
    for (const end of here.flat()) {
      const [x, y] = middle(end);
      pen.fillRect(x - side / 2, y - side / 2, side, side);
    }
    const stairs = links.filter(([from, to]) => from[2] !== to[2]).flat().filter((end) => end[2] === floor);
    for (const end of stairs) this.drawStairs(pen, middle(end), links.length);
  }

  drawStairs(pen, [x, y], links) {
    const { zoom } = this;
    const side = links <= LARGE_STAIRS ? Math.max(STAIRS_MIN * devicePixelRatio, zoom) : zoom;
    const left = x - side / 2, bottom = y + side / 2, step = side / 3;
    pen.fillStyle = this.colours.paper;
    pen.fillRect(left - 1, bottom - side - 1, side + 2, side + 2);
    pen.fillStyle = this.colours.stairs;
    for (let at = 0; at < 3; at++) pen.fillRect(left + at * step, bottom - (at + 1) * step, step, (at + 1) * step);
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
      if (!isShown(role, shows)) continue;
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

  // Rings around the client's own player and the inspected agent.
  drawRings({ player, asked, floor }, time) {
    if (player !== null) this.ring(player, floor, this.colours.target, time);
    if (asked >= 0 && asked !== player) this.ring(asked, floor, this.colours.text, time);
  }

  ring(number, floor, colour, time) {
    const { agents, context, zoom } = this;
    if (agents.role[number] === GONE || agents.floor[number] !== floor) return;
    agents.locate(number, time);
    context.strokeStyle = colour;
    context.lineWidth = 2 * devicePixelRatio;
    context.beginPath();
    const radius = Math.max(8 * devicePixelRatio, zoom);
    context.arc(this.left + (agents.atX + 0.5) * zoom, this.top + (agents.atY + 0.5) * zoom, radius, 0, 7);
    context.stroke();
  }
}
