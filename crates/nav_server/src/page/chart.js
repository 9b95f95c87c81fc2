// A chart of values over the last two minutes.

// Seconds kept.
const SECONDS = 120;

// The possible lines, each in a colour of the page.
const CHARTS = {
  ticks: {
    unit: "ms",
    lines: [["beside", (stats) => stats.tick_max_ms], ["target", (stats) => stats.tick_p50_ms]],
  },
  searches: { unit: "searches/s", lines: [["target", (stats) => stats.searches]] },
  work: {
    unit: "work in a tick",
    lines: [["beside", (stats) => stats.work_max], ["target", (stats) => stats.work / stats.hz]],
  },
  chasers: {
    unit: "chasers",
    lines: [["beside", (stats) => stats.beside], ["chasing", (stats) => stats.by_field + stats.by_path],
      ["waiting", (stats) => stats.waiting]],
  },
};

export class Chart {
  constructor(canvas) {
    this.canvas = canvas;
    this.seconds = [];
    this.of = "ticks";
  }

  // Adds the values of a second, unless it has them already.
  add(stats) {
    if (this.seconds.at(-1)?.tick === stats.tick) return;
    this.seconds.push(stats);
    if (this.seconds.length > SECONDS) this.seconds.shift();
  }

  // Draws in pixels of the screen, which are smaller than those of the page on a phone.
  draw(colours) {
    const { canvas } = this, scale = devicePixelRatio;
    const width = Math.round(canvas.clientWidth * scale), height = Math.round(canvas.clientHeight * scale);
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const pen = canvas.getContext("2d"), { unit, lines } = CHARTS[this.of];
    const values = lines.map(([, value]) => this.seconds.map(value));
    const most = Math.max(1, ...values.flat());
    const text = 11 * scale, left = 4 * scale;
    pen.clearRect(0, 0, width, height);
    pen.lineWidth = 1.5 * scale;
    lines.forEach(([colour], which) => {
      pen.strokeStyle = colours[colour];
      pen.beginPath();
      values[which].forEach((value, at) => {
        const x = width - (this.seconds.length - at) * width / SECONDS;
        pen.lineTo(x, height - 2 * scale - value / most * (height - text - 6 * scale));
      });
      pen.stroke();
    });
    pen.fillStyle = colours.waiting;
    pen.font = `${text}px system-ui, sans-serif`;
    pen.textBaseline = "top";
    pen.fillText(`${most < 100 ? most.toFixed(1) : Math.round(most)} ${unit}`, left, 2 * scale);
  }
}
