// A wave through the city: the static houses that it reaches rise and sink. They leave their batches while they move,
// and are drawn from them again once they have rested.

import type { City, House } from './city.ts';

/** Metres per second. */
const SPEED = 90;
/** From the front to the end of the wave, and how far it goes, in metres. */
const LENGTH = 45;
const REACH = 330;
const HEIGHT = 9;

export class Wave {
  private readonly city: City;
  /** By distance from the middle. */
  private readonly houses: readonly { readonly house: House; readonly distance: number }[];
  private front = 0;
  /** Houses before this one are at rest again, those from `reached` on have not moved yet. */
  private rested = 0;
  private reached = 0;

  constructor(city: City, middle: { readonly x: number; readonly z: number }) {
    this.city = city;
    this.houses = city.houses
      .filter(({ mesh }) => city.group.isStatic(mesh))
      .map((house) => ({ house, distance: Math.hypot(house.plot.x - middle.x, house.plot.z - middle.z) }))
      .filter(({ distance }) => distance < REACH)
      .sort((a, b) => a.distance - b.distance);
  }

  /** Moves the houses. Returns whether the wave goes on. */
  update(seconds: number): boolean {
    const { houses } = this;
    this.front += SPEED * seconds;
    while (this.reached < houses.length && houses[this.reached].distance < this.front) this.reached++;
    for (let k = this.rested; k < this.reached; k++) this.lift(k, (this.front - houses[k].distance) / LENGTH);
    while (this.rested < this.reached && this.front - houses[this.rested].distance >= LENGTH) this.rested++;
    return this.rested < houses.length;
  }

  /** Puts all houses down. */
  end(): void {
    for (let k = this.rested; k < this.reached; k++) this.lift(k, 1);
    this.rested = this.houses.length;
  }

  /** @param share Which part of the wave has passed the house. */
  private lift(k: number, share: number): void {
    const { house } = this.houses[k];
    house.liftTo(HEIGHT * Math.sin(Math.PI * Math.min(share, 1)) ** 2);
    this.city.group.reportMove(house.mesh);
  }
}
