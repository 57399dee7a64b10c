// People who walk about the fair. Each takes three queries a step: contacts, the ground, and what is ahead.

import { type Group, Mesh, type Object3D, Sphere, Vector3 } from 'three';
import { hash } from '../shared/noise.ts';
import { Character } from './character.ts';
import type { Parts } from './parts.ts';
import { createPerson, HIPS, LOOKS, type PersonShapes } from './people-shapes.ts';
import { LANES } from './plan.ts';
import { castShape, type TriangleScene, type TriangleStats } from '../../../src/triangles/index.ts';

const SALT = 57;
/** People stay within this distance of the middle. */
const REACH = 66;
/** Where they begin, along the lanes: the first row, its distance to the next, and how many there are. */
const [FIRST, ROW, ROWS] = [11, 1.1, 40];
/** Metres that they look ahead. */
const AHEAD = 1.1;
/** Radians per second. */
const TURN = 2.6;

export class Person {
  readonly root: Group;
  readonly character: Character;
  private readonly legs: Mesh[] = [];
  private readonly speed: number;
  private readonly ball = new Sphere(new Vector3(), 0.24);
  private readonly walk = new Vector3();
  private heading: number;
  /** The side to which it turns away from what is ahead. */
  private side: number;
  private walked = 0;

  constructor(parts: Parts, parent: Object3D, shapes: PersonShapes, number: number, scene: TriangleScene) {
    const random = (k: number): number => hash(number, k, SALT);
    this.root = parts.group(parent, `person ${number + 1}`);
    parts.mesh(this.root, shapes.body, parts.painted, 'body');
    for (const x of [-0.1, 0.1]) {
      const leg = parts.mesh(this.root, shapes.leg, parts.painted, 'leg');
      leg.position.set(x, HIPS, 0);
      this.legs.push(leg);
    }
    const size = 0.88 + 0.2 * random(1);
    this.root.scale.setScalar(size);
    this.character = new Character(scene, this.root);
    // Two in a row of each lane, so that none begins within another.
    const place = Math.floor(number / LANES.length);
    const aside = (place % 2 === 0 ? 1 : -1) * (0.7 + 1.2 * random(2));
    const row = FIRST + ROW * ((17 * (place >> 1)) % ROWS) + 0.3 * random(3);
    this.character.feet.set(LANES[number % LANES.length] + aside, 0.03, row);
    this.heading = (random(4) < 0.5 ? 0 : Math.PI) + 0.5 * (random(5) - 0.5);
    this.side = random(6) < 0.5 ? -1 : 1;
    this.speed = 0.8 + 0.7 * random(7);
    this.show();
  }

  step(seconds: number, scene: TriangleScene, stats: TriangleStats): void {
    const { character, ball, walk, root } = this;
    const { feet } = character;
    walk.set(Math.sin(this.heading), 0, Math.cos(this.heading));
    ball.center.copy(feet).y += 0.95;
    const hit = castShape(scene, ball, walk.clone().multiplyScalar(AHEAD), { except: root, stats });
    let speed = this.speed;
    if (hit !== null) {
      this.heading += this.side * TURN * seconds;
      speed *= hit.time * hit.time;
    } else if (feet.x * feet.x + feet.z * feet.z > REACH * REACH && feet.x * walk.x + feet.z * walk.z > 0) {
      this.heading += this.side * TURN * seconds;
    } else this.side = hash(Math.floor(this.walked), Math.floor(this.heading * 3), SALT) < 0.5 ? -1 : 1;
    character.move(seconds, walk.multiplyScalar(speed));
    this.heading += character.turned;
    this.walked += speed * seconds;
    this.show();
  }

  private show(): void {
    const { root, legs, character } = this;
    root.position.copy(character.feet);
    root.rotation.y = this.heading;
    const swing = 0.55 * Math.sin(4.4 * this.walked);
    legs[0].rotation.x = swing;
    legs[1].rotation.x = -swing;
  }
}

export const createLooks = (): PersonShapes[] => Array.from({ length: LOOKS }, (_, look) => createPerson(look));
