// The camera: the part of the map in view. It never leaves the map.

// Most pixels per cell, unless the whole map is larger in the view.
const ZOOM_MAX = 96;

// The part of the view that may stay empty when the page opens on the whole map. A guess: with half of the
// view empty, agents are small for nothing.
const EMPTY_MAX = 0.5;

// Pixels per cell at which the whole map is in view, and at which it fills the view.
const scales = ({ width, height }, canvas) => [canvas.width / width, canvas.height / height];
export const wholeZoom = (hello, canvas) => Math.min(...scales(hello, canvas));
const fullZoom = (hello, canvas) => Math.max(...scales(hello, canvas));

// Keeps the camera inside the map: nothing beside the map is in view unless the whole side is.
export function hold(state, canvas) {
  const { hello } = state;
  if (!hello || !canvas.width || !canvas.height) return;
  const whole = wholeZoom(hello, canvas);
  state.zoom = Math.max(whole, Math.min(Math.max(ZOOM_MAX, whole), state.zoom));
  state.x = within(state.x, canvas.width / state.zoom, hello.width);
  state.y = within(state.y, canvas.height / state.zoom, hello.height);
}

const within = (middle, shown, cells) =>
  shown >= cells ? cells / 2 : Math.min(cells - shown / 2, Math.max(shown / 2, middle));

// Shows the whole map.
export function showWhole(state, canvas) {
  const { hello } = state;
  if (!hello) return;
  [state.x, state.y] = [hello.width / 2, hello.height / 2];
  state.zoom = wholeZoom(hello, canvas);
  state.view = "whole";
}

// Shows the whole map, or the middle of one so long that most of the view would be empty.
export function showFirst(state, canvas) {
  const { hello } = state;
  if (!hello) return;
  showWhole(state, canvas);
  const filled = state.zoom * state.zoom * hello.width * hello.height / (canvas.width * canvas.height);
  if (filled < 1 - EMPTY_MAX) state.zoom = Math.min(ZOOM_MAX, fullZoom(hello, canvas));
  state.view = "first";
}

// Shows again what was shown, in a view of another size.
export function showAgain(state, canvas) {
  if (state.view === "whole") showWhole(state, canvas);
  else if (state.view === "first") showFirst(state, canvas);
}
