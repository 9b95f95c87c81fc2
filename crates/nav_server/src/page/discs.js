// Draws thousands of discs into pixels. Without a graphics card a canvas takes several times as
// long.

// Fractions of a pixel at which discs are placed, along columns and rows.
const PARTS = 4;

// Masks kept. Zooming creates many.
const MASKS = 256;

export class Discs {
  constructor() {
    this.masks = new Map();
    this.resize(1, 1);
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
    // They depend on the width.
    this.masks.clear();
    this.image = new ImageData(width, height);
    // One number per pixel, with red in the lowest byte: browsers run on little-endian machines
    // only.
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  // Draws discs of one size and colour at places, two numbers each, up to `end`.
  draw(places, end, radius, colour) {
    const { pixels, width, height } = this;
    const { side, of } = this.masksOf(radius);
    const redBlue = colour & 0xff00ff, green = colour & 0x00ff00;
    for (let at = 0; at < end; at += 2) {
      const left = places[at] - side / 2, top = places[at + 1] - side / 2;
      const x = Math.floor(left), y = Math.floor(top);
      if (x <= -side || y <= -side || x >= width || y >= height) continue;
      const part = Math.floor((top - y) * PARTS) * PARTS + Math.floor((left - x) * PARTS);
      let mask = of[part];
      if (x < 0 || y < 0 || x + side > width || y + side > height) mask = this.clipped(mask, x, y);
      const { inner, edge, shares } = mask, first = y * width + x;
      for (let pixel = 0; pixel < inner.length; pixel++) pixels[first + inner[pixel]] = colour;
      for (let pixel = 0; pixel < edge.length; pixel++) {
        // Red and blue at once, because they do not overlap.
        const on = first + edge[pixel], share = shares[pixel];
        const below = pixels[on], belowRedBlue = below & 0xff00ff, belowGreen = below & 0x00ff00;
        const both = belowRedBlue + (Math.imul(redBlue - belowRedBlue, share) >> 8) & 0xff00ff;
        const one = belowGreen + (Math.imul(green - belowGreen, share) >> 8) & 0x00ff00;
        pixels[on] = 0xff000000 | both | one;
      }
    }
  }

  // Returns the masks of discs of a size, one per fraction of a pixel.
  masksOf(radius) {
    let masks = this.masks.get(radius);
    if (!masks) {
      const side = Math.ceil(radius * 2 + 2);
      const of = Array.from({ length: PARTS * PARTS }, (_, part) => this.mask(radius, side, part));
      masks = { side, of };
      if (this.masks.size >= MASKS) this.masks.clear();
      this.masks.set(radius, masks);
    }
    return masks;
  }

  // Returns the pixels that a disc covers, counted from the upper-left one of its square: those
  // covered fully, and those at its edge with the covered share in 256ths.
  mask(radius, side, part) {
    const x = (side - 1) / 2 + (part % PARTS + 0.5) / PARTS, y = (side - 1) / 2 + (Math.floor(part / PARTS) + 0.5) / PARTS;
    const inner = [], edge = [], shares = [];
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column++) {
        const away = Math.hypot(column - x, row - y);
        const share = Math.round(256 * Math.min(1, Math.max(0, radius + 0.5 - away)));
        if (share === 256) inner.push(row * this.width + column);
        else if (share > 0) { edge.push(row * this.width + column); shares.push(share); }
      }
    }
    return { inner: Int32Array.from(inner), edge: Int32Array.from(edge), shares: Int32Array.from(shares) };
  }

  // Returns the part of a mask inside the picture, for a square whose upper-left pixel is at a
  // place.
  clipped({ inner, edge, shares }, x, y) {
    const isInside = (pixel) => {
      const row = Math.floor(pixel / this.width);
      const column = x + pixel - row * this.width;
      return column >= 0 && column < this.width && y + row >= 0 && y + row < this.height;
    };
    return {
      inner: inner.filter(isInside),
      edge: edge.filter(isInside),
      shares: shares.filter((_, at) => isInside(edge[at])),
    };
  }
}

// Returns a colour as a pixel.
export function pixelOf(colour) {
  const number = parseInt(colour.slice(1), 16);
  const red = number >> 16 & 255, green = number >> 8 & 255, blue = number & 255;
  return (0xff000000 | blue << 16 | green << 8 | red) >>> 0;
}
