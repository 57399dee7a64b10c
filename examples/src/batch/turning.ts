// Houses that move: each rises, turns and sinks, in a rhythm of its own. The group finds their moves without a report.

import type { City } from './city.ts';

/** Seconds from the ground to the ground. */
const PERIOD = 9;
/** Metres. */
const HEIGHT = 12;
/** Turns of the circle from one house to the next, in parts of the period. */
const GOLDEN = 0.381966;

export class TurningHouses {
  private readonly city: City;
  private time = 0;

  constructor(city: City) {
    this.city = city;
  }

  update(seconds: number): void {
    this.time += seconds;
    for (const [k, house] of this.city.movers.entries()) {
      const phase = 2 * Math.PI * (this.time / PERIOD + k * GOLDEN);
      house.liftTo(HEIGHT * (0.5 - 0.5 * Math.cos(phase)));
      house.turnTo(house.plot.turn + phase / 4);
    }
  }
}
