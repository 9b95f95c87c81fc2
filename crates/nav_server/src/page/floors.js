// The floors: how many agents are on each, and which one is shown.

import { GONE } from "./agents.js";

// Floors named beside the choice; of more, those with most agents.
const NAMED = 5;

// Returns the number of agents on each floor.
function counted(agents, floors) {
  const counts = new Array(floors).fill(0);
  for (let number = 0; number < agents.role.length; number++) {
    if (agents.role[number] !== GONE) counts[agents.floor[number]]++;
  }
  return counts;
}

// Returns the number of agents on some floors, in words.
function named(counts) {
  const most = [...counts.keys()].sort((one, other) => counts[other] - counts[one]).slice(0, NAMED);
  const parts = most.sort((one, other) => one - other).map((floor) => `${floor}: ${counts[floor]}`);
  return `agents ${parts.join(", ")}${counts.length > NAMED ? ", …" : ""}`;
}

// Counts the agents, and shows the floor with most of them: at first, and while the user has chosen none, as
// soon as nobody is left on the floor.
export function watchFloors(state, agents, choice, words) {
  const { hello } = state;
  if (!hello || hello.floors < 2) {
    state.hasFloor = Boolean(hello);
    return;
  }
  const counts = counted(agents, hello.floors);
  const isLeft = counts[state.floor] === 0 && !state.isFloorChosen && agents.count > 0;
  if (!state.hasFloor || isLeft) state.floor = counts.indexOf(Math.max(...counts));
  state.hasFloor = true;
  if (document.activeElement !== choice) choice.value = state.floor;
  words.textContent = named(counts);
  words.title = words.textContent;
}
