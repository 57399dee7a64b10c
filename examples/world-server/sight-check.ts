// The recorder's own check of walls: a loop over all walls, which shares no code with sight.ts.

import type { Rules } from './recorder.ts';
import type { Settings } from './settings.ts';
import { REACH, wallsOf } from './walls.ts';
import type { Place } from './messages.ts';

/** Whether a wall, made smaller by `depth` on all sides but the lowest, is between two points. */
function isBetween(walls: Float64Array, depth: number, a: Place, b: Place): boolean {
  const [from, way] = [
    [a.x, a.y, a.z],
    [b.x - a.x, b.y - a.y, b.z - a.z],
  ];
  for (let at = 0; at < walls.length; at += 6) {
    let [enter, leave] = [0, 1];
    for (let axis = 0; axis < 3 && enter <= leave; axis++) {
      const low = walls[at + axis] + (axis === 1 ? -depth : depth);
      const high = walls[at + axis + 3] - depth;
      if (low > high) leave = -1;
      else if (way[axis] === 0) leave = from[axis] < low || from[axis] > high ? -1 : leave;
      else {
        const [one, other] = [(low - from[axis]) / way[axis], (high - from[axis]) / way[axis]];
        enter = Math.max(enter, Math.min(one, other));
        leave = Math.min(leave, Math.max(one, other));
      }
    }
    if (enter < leave) return true;
  }
  return false;
}

/** Two of which the centres see each other must be told; two with a wall between them, less the reach, must not. */
export function hiddenBy(settings: Settings): Pick<Rules, 'isHidden' | 'isSeen'> {
  const walls = wallsOf(settings);
  return {
    isSeen: (a, b) => !isBetween(walls, 0, a, b),
    isHidden: (a, b) => isBetween(walls, REACH, a, b),
  };
}
