// The inspected agent: which one it is, and the words beside it.

import { GONE } from "./agents.js";

// Pixels of the page between an agent and the words about it.
const APART = 14;
// Pixels of the page between the words and the edge of the map.
const RIM = 8;

// Returns what an agent does, its target, what it follows, and its last search, a line each.
export function describe(agent, hz) {
  const lines = [`Agent ${agent.id} ${agent.doing}.`, ...agent.notes];
  if (agent.chases !== null) lines.push(`Chases ${agent.chases}.`);
  if (agent.way) lines.push(`Way: ${agent.way}.`);
  const { search } = agent;
  if (search) {
    const ago = (search.ticks_ago / hz).toFixed(1);
    const how = search.method === null ? "" : ` by ${search.method}`;
    const work = search.method === null ? "" : `, cost ${search.cost}, ${search.expanded} cells expanded, work ${search.work}`;
    lines.push(`Last search${how} ${ago} s ago: ${search.outcome}${work}.`);
  } else if (agent.chases !== null) {
    lines.push("No search of its own so far.");
  }
  return lines.join("\n");
}

// Places the words beside the agent, on the side with more room, so that they do not hide it, and inside the
// map.
export function place(tip, { asked, floor }, { agents, scene, canvas }, time) {
  if (tip.hidden || asked < 0 || agents.role[asked] === GONE) return;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  let [x, y] = [width / 2, height / 2];
  if (agents.floor[asked] === floor) {
    agents.locate(asked, time);
    x = (scene.left + (agents.atX + 0.5) * scene.zoom) / devicePixelRatio;
    y = (scene.top + (agents.atY + 0.5) * scene.zoom) / devicePixelRatio;
  }
  const apart = APART + scene.zoom / 2 / devicePixelRatio;
  const beside = (at, side, length) => {
    const wanted = at < side / 2 ? at + apart : at - apart - length;
    return Math.max(RIM, Math.min(side - length - RIM, wanted));
  };
  const left = beside(x, width, tip.offsetWidth), top = beside(y, height, tip.offsetHeight);
  tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}
