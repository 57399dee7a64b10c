// Cars drive along one street, and people walk around one crossing: the other streets are empty.

import { Matrix4 } from 'three';
import { hash, mix } from '../shared/noise.ts';
import { BLOCK, COLUMNS, ROWS, STREET, streetAt, type Town } from './town.ts';

/** The street of the cars, counted along z. */
const CAR_STREET = 1;
/** The crossing of the people. */
const CROSSING = { column: 5, row: 3 };
const LENGTH = COLUMNS * BLOCK;

export class Traffic {
  private readonly town: Town;
  private readonly matrix = new Matrix4();
  /** Seconds that each car has driven, and each of the people has walked. */
  private readonly driven: Float64Array;
  private readonly walked: Float64Array;

  constructor(town: Town) {
    this.town = town;
    this.driven = new Float64Array(town.cars.length);
    this.walked = new Float64Array(town.people.instanceCount);
    this.move(0, Infinity, Infinity);
  }

  /** Moves the first cars and people on. The others stand still. */
  move(seconds: number, cars: number, people: number): void {
    const { driven, walked } = this;
    for (let car = 0; car < Math.min(cars, driven.length); car++) this.placeCar(car, (driven[car] += seconds));
    for (let one = 0; one < Math.min(people, walked.length); one++) this.placeOne(one, (walked[one] += seconds));
  }

  private placeCar(car: number, seconds: number): void {
    const { cars } = this.town;
    const direction = car % 2 === 0 ? 1 : -1;
    const start = (car / cars.length) * LENGTH;
    const way = (((start + seconds * mix(7, 10, hash(car, 1, 9))) % LENGTH) - LENGTH / 2) * direction;
    cars[car].position.set(way, 0.8, streetAt(CAR_STREET, ROWS) + direction * STREET * 0.17);
  }

  private placeOne(one: number, seconds: number): void {
    const radius = mix(3, STREET * 0.75, hash(one, 1, 8));
    const speed = mix(0.8, 1.6, hash(one, 2, 8)) * (one % 2 === 0 ? 1 : -1);
    const angle = 2 * Math.PI * hash(one, 3, 8) + (speed * seconds) / radius;
    const x = streetAt(CROSSING.column, COLUMNS) + radius * Math.cos(angle);
    const z = streetAt(CROSSING.row, ROWS) + radius * Math.sin(angle);
    this.town.people.setMatrixAt(one, this.matrix.makeTranslation(x, 0.9, z));
  }
}
