// All agents as sent by the server, and the place of each between two cells.

// Roles in drawing order.
export const IDLE = 0, WAITING = 1, CHASING = 2, BESIDE = 3, TARGET = 4, GONE = 255;

// An agent that moves farther than this many cells at once did not walk.
const MOST_CELLS = 3;

export class Agents {
  constructor() {
    this.room(1024);
    this.count = 0;
    // Seconds of a step of a chaser and of a player, and the speed of time.
    this.chaserStep = 0.25;
    this.playerStep = 0.25;
    this.speed = 1;
    // Place of the agent located last, in cells. Thousands are located per frame, so nothing is
    // allocated.
    this.atX = 0;
    this.atY = 0;
  }

  // Makes room for agents with numbers below `numbers`.
  room(numbers) {
    const grown = (Kind, old) => {
      const array = new Kind(numbers);
      if (old) array.set(old);
      return array;
    };
    this.x = grown(Uint16Array, this.x);
    this.y = grown(Uint16Array, this.y);
    this.fromX = grown(Float32Array, this.fromX);
    this.fromY = grown(Float32Array, this.fromY);
    this.since = grown(Float64Array, this.since);
    this.floor = grown(Uint8Array, this.floor);
    const known = this.role ? this.role.length : 0;
    this.role = grown(Uint8Array, this.role);
    this.role.fill(GONE, known);
  }

  // Reads a frame of the server: see serve/overview.rs. Returns its tick.
  read(buffer, now) {
    const view = new DataView(buffer);
    const isAll = view.getUint8(0) === 1, tick = view.getUint32(4, true), entries = view.getUint32(8, true);
    if (isAll) {
      this.role.fill(GONE);
      this.count = 0;
    }
    for (let entry = 0, at = 12; entry < entries; entry++, at += 12) {
      const number = view.getUint32(at, true);
      if (number >= this.role.length) this.room(Math.max(number + 1, this.role.length * 2));
      this.put(number, view.getUint16(at + 4, true), view.getUint16(at + 6, true),
        view.getUint8(at + 8), view.getUint8(at + 9), now);
    }
    return tick;
  }

  put(number, x, y, floor, role, now) {
    const isNew = this.role[number] === GONE || this.floor[number] !== floor;
    const cells = Math.max(Math.abs(this.x[number] - x), Math.abs(this.y[number] - y));
    if (isNew || cells > MOST_CELLS) {
      this.fromX[number] = x;
      this.fromY[number] = y;
      this.since[number] = now;
    } else if (cells > 0) {
      this.locate(number, now);
      this.fromX[number] = this.atX;
      this.fromY[number] = this.atY;
      this.since[number] = now;
    }
    this.count += (role !== GONE) - (this.role[number] !== GONE);
    this.x[number] = x;
    this.y[number] = y;
    this.floor[number] = floor;
    this.role[number] = role;
  }

  // Computes where an agent is drawn: `atX` and `atY`.
  locate(number, now) {
    const step = (this.role[number] === TARGET ? this.playerStep : this.chaserStep) * 1000 / this.speed;
    const done = (now - this.since[number]) / step;
    const toX = this.x[number], toY = this.y[number];
    if (done >= 1) {
      this.atX = toX;
      this.atY = toY;
    } else {
      this.atX = this.fromX[number] + (toX - this.fromX[number]) * done;
      this.atY = this.fromY[number] + (toY - this.fromY[number]) * done;
    }
  }

  // Returns the agent drawn nearest to a place of those whose place and role fit, or -1.
  nearest(x, y, floor, now, fits) {
    let best = -1, least = Infinity;
    for (let number = 0; number < this.role.length; number++) {
      if (this.role[number] === GONE || this.floor[number] !== floor) continue;
      this.locate(number, now);
      const away = Math.hypot(this.atX - x, this.atY - y);
      if (away < least && fits(this.atX, this.atY, this.role[number])) [best, least] = [number, away];
    }
    return best;
  }

  // Returns the agent drawn nearest to a place, within some cells of it, or -1.
  at(x, y, floor, now, within = 1) {
    return this.nearest(x, y, floor, now, (atX, atY) => Math.hypot(atX - x, atY - y) < within);
  }
}
