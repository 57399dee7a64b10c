// The Ferris wheel. Its gondolas stay upright and carry who stands in them. One is scaled non-uniformly, one mirrored.

import { type Group, type Object3D, TorusGeometry } from 'three';
import type { Mover } from './mover.ts';
import type { Colour, Parts } from './parts.ts';
import { GONDOLA_FLOOR, MIRRORED, STRETCHED, WHEEL } from './plan.ts';

const GONDOLAS = 12;
/** Radians per second: the gondolas move at 0.7 m/s. */
const SPEED = 0.055;
/** Distance of both rims from the plane of the wheel. */
const RIM = 1.7;
const COLOURS: readonly Colour[] = ['coral', 'teal', 'mustard', 'navy'];
export class Wheel implements Mover {
  readonly objects: readonly Object3D[];
  readonly gondolas: readonly Group[];
  private readonly turning: Group;

  constructor(parts: Parts, parent: Object3D) {
    const wheel = parts.group(parent, 'Ferris wheel', [WHEEL.x, 0, WHEEL.z]);
    this.turning = parts.group(wheel, 'wheel', [0, WHEEL.y, 0]);
    addWheel(parts, this.turning);
    addStand(parts, wheel);
    this.gondolas = Array.from({ length: GONDOLAS }, (_, k) => createGondola(parts, wheel, k));
    this.objects = [this.turning, ...this.gondolas];
    this.move(0);
  }

  move(seconds: number): void {
    const angle = SPEED * seconds;
    this.turning.rotation.z = angle;
    for (const [k, gondola] of this.gondolas.entries()) {
      const at = angle - Math.PI / 2 - (2 * Math.PI * k) / GONDOLAS;
      gondola.position.set(WHEEL.radius * Math.cos(at), WHEEL.y + WHEEL.radius * Math.sin(at), 0);
    }
  }
}

function addWheel(parts: Parts, turning: Group): void {
  for (const [radius, tube] of [
    [WHEEL.radius, 0.17],
    [WHEEL.radius * 0.6, 0.1],
  ]) {
    const geometry = new TorusGeometry(radius, tube, 8, 72);
    for (const z of [-RIM, RIM]) parts.mesh(turning, geometry, parts.materialOf('white'), 'rim').position.z = z;
  }
  const hub = parts.add(turning, 'drum', 'coral', 'hub', [0, 0, -RIM - 0.4], [2, 2 * RIM + 0.8, 2]);
  hub.rotation.x = Math.PI / 2;
  for (let k = 0; k < GONDOLAS; k++) {
    const angle = (2 * Math.PI * k) / GONDOLAS;
    for (const z of [-RIM, RIM]) {
      const spoke = parts.add(turning, 'post', 'white', 'spoke', [0, 0, z], [0.16, WHEEL.radius, 0.16]);
      spoke.rotation.z = angle;
      for (const more of [0, 0.5]) {
        const at = angle + (more * 2 * Math.PI) / GONDOLAS;
        const bulb = parts.add(turning, 'fruit', COLOURS[(k + 4 * more) % 4], 'bulb', [0, 0, z], [0.4, 0.4, 0.4]);
        bulb.position.set(WHEEL.radius * Math.cos(at), WHEEL.radius * Math.sin(at) - 0.2, z * 1.1);
      }
    }
    const axle = parts.add(turning, 'post', 'steel', 'axle', [0, 0, -RIM], [0.14, 2 * RIM, 0.14]);
    axle.position.set(-WHEEL.radius * Math.sin(angle), WHEEL.radius * Math.cos(angle), -RIM);
    axle.rotation.x = Math.PI / 2;
  }
}

function createGondola(parts: Parts, parent: Object3D, number: number): Group {
  const names = ['stretched gondola', 'mirrored gondola'];
  const gondola = parts.group(parent, names[[STRETCHED, MIRRORED].indexOf(number)] ?? `gondola ${number + 1}`);
  const colour = COLOURS[number % COLOURS.length];
  parts.add(gondola, 'box', 'wood', 'floor', [0, -GONDOLA_FLOOR - 0.12, 0], [2.3, 0.12, 2.1]);
  for (const x of [-1.1, 1.1]) {
    parts.add(gondola, 'box', colour, 'side', [x, -GONDOLA_FLOOR, 0], [0.08, 0.95, 2.1]);
    for (const z of [-1, 1]) parts.add(gondola, 'post', 'white', 'post', [x, -GONDOLA_FLOOR, z], [0.08, 2.2, 0.08]);
  }
  parts.add(gondola, 'box', colour, 'back', [0, -GONDOLA_FLOOR, -1.01], [2.2, 0.95, 0.08]);
  parts.add(gondola, 'box', 'cream', 'bench', [0, -GONDOLA_FLOOR + 0.36, -0.74], [2, 0.1, 0.46]);
  // On one side only: the mirrored gondola has it on the other one.
  parts.add(gondola, 'box', 'mustard', 'lantern', [0.85, -0.85, 1.02], [0.24, 0.34, 0.24]);
  parts.add(gondola, 'box', 'white', 'number', [-0.6, -GONDOLA_FLOOR + 0.3, -1.06], [0.5, 0.5, 0.04]);
  parts.roof(gondola, colour, 'cream', 'roof', [0, -GONDOLA_FLOOR + 2.15, 0], [3.1, 0.62, 2.9]);
  if (number === STRETCHED) gondola.scale.set(1.6, 1, 0.8);
  if (number === MIRRORED) gondola.scale.x = -1;
  return gondola;
}

/** The legs, and the platform to get on. */
function addStand(parts: Parts, parent: Object3D): void {
  for (const z of [-RIM - 0.9, RIM + 0.9])
    for (const side of [-1, 1]) {
      const [dx, dy] = [7 * side, WHEEL.y];
      const length = Math.sqrt(dx * dx + dy * dy);
      const leg = parts.add(parent, 'box', 'teal', 'leg', [dx, 0, z], [0.6, length, 0.4]);
      leg.rotation.z = Math.atan2(dx, dy);
      parts.add(parent, 'box', 'stone', 'foot', [dx, 0, z], [1.6, 0.5, 1.4]);
    }
  const axle = parts.add(parent, 'post', 'steel', 'axle', [0, WHEEL.y, -RIM - 1.2], [0.5, 2 * RIM + 2.4, 0.5]);
  axle.rotation.x = Math.PI / 2;
  const platform = parts.group(parent, 'platform of the wheel');
  parts.add(platform, 'box', 'wood', 'boards', [0, 0, 2.5], [9, 0.7, 2.6]);
  for (let k = 0; k < 3; k++)
    parts.add(platform, 'box', 'stone', 'step', [0, 0, 4.05 + 0.42 * k], [6, 0.52 - 0.18 * k, 0.46]);
  for (const x of [-4.4, 4.4]) {
    parts.add(platform, 'box', 'white', 'rail', [x, 1.55, 2.5], [0.08, 0.08, 2.6]);
    for (const z of [1.3, 3.7]) parts.add(platform, 'post', 'white', 'post', [x, 0.7, z], [0.1, 0.95, 0.1]);
  }
}
