// What surrounds the houses: ground with streets and pavements, sky, sun, haze.

import {
  BackSide,
  BufferGeometry,
  Color,
  DirectionalLight,
  Float32BufferAttribute,
  Fog,
  Group,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
  type Scene,
  SphereGeometry,
  type Vector3,
} from 'three';
import { disposeTree } from '../shared/dispose-tree.ts';
import { PITCH, type StreetPlan, streetAt } from './plan.ts';
import { FAR } from './walker.ts';

const HORIZON = new Color('#f1d9b8');
const ZENITH = new Color('#5b8fc9');
const STREET = new Color('#7f7a74');
const LINE = new Color('#d9cfba');
const CROSSING = new Color('#cfc6b3');
const PAVEMENT = new Color('#b9ae9b');
const YARD = new Color('#7f8c5c');
const LAWN = new Color('#76965a');
const FIELDS = new Color('#a5a177');
/** Width of a pavement, in metres. */
const KERB = 3.4;

export class Scenery {
  readonly object = new Group();
  static readonly background = HORIZON;
  private readonly dome = createDome();

  constructor(plan: StreetPlan) {
    const sun = new DirectionalLight('#ffe2b4', 2.7);
    sun.position.set(-0.6, 0.75, 0.42);
    this.object.add(this.dome, createGround(plan), sun, new HemisphereLight('#c9dcf5', '#a08a6c', 1.7));
  }

  static addHaze(scene: Scene): void {
    scene.fog = new Fog(HORIZON, FAR * 0.12, FAR * 0.95);
  }

  get samples(): readonly Object3D[] {
    return this.object.children.filter((child) => !('isLight' in child));
  }

  follow(eye: Vector3): void {
    this.dome.position.copy(eye);
  }

  dispose(): void {
    disposeTree(this.object);
  }
}

function createGround({ blocks }: StreetPlan): Mesh {
  const positions: number[] = [];
  const colors: number[] = [];
  const addQuad = (left: number, right: number, back: number, front: number, y: number, { r, g, b }: Color): void => {
    for (const [x, z] of [
      [left, back],
      [left, front],
      [right, back],
      [right, back],
      [left, front],
      [right, front],
    ]) {
      positions.push(x, y, z);
      colors.push(r, g, b);
    }
  };
  const edge = 4 * FAR;
  const reach = blocks.reduce((most, { left, front }) => Math.max(most, Math.abs(left), Math.abs(front)), 0) + 30;
  addQuad(-edge, edge, -edge, edge, -0.3, FIELDS);
  addQuad(-reach, reach, -reach, reach, -0.05, STREET);
  const lines = Math.ceil(reach / PITCH.z);
  for (let line = -lines; line <= lines; line++) {
    for (let at = -reach; at < reach; at += 7) {
      const [x, z] = [streetAt(line, PITCH.x), streetAt(line, PITCH.z)];
      if (isBetweenCrossings(at, PITCH.z)) addQuad(x - 0.09, x + 0.09, at, at + 2.6, 0, LINE);
      if (isBetweenCrossings(at, PITCH.x)) addQuad(at, at + 2.6, z - 0.09, z + 0.09, 0, LINE);
    }
  }
  for (const { left, back } of blocks) {
    // Stripes to cross the streets in front of the block and beside it.
    for (let k = 0; k < 6; k++) {
      const stripe = 0.9 * k;
      addQuad(left - KERB - 3.4, left - KERB - 0.6, back + 1 + stripe, back + 1.5 + stripe, 0.01, CROSSING);
      addQuad(left + 1 + stripe, left + 1.5 + stripe, back - KERB - 3.4, back - KERB - 0.6, 0.01, CROSSING);
    }
  }
  for (const block of blocks) {
    const { left, right, back, front, isSquare } = block;
    addQuad(left - KERB, right + KERB, back - KERB, front + KERB, 0.12, PAVEMENT);
    const inset = isSquare ? 3 : 10.5;
    addQuad(left + inset, right - inset, back + inset, front - inset, 0.2, isSquare ? LAWN : YARD);
  }
  const normals = new Float32Array(positions.length);
  for (let k = 1; k < normals.length; k += 3) normals[k] = 1;
  const geometry = new BufferGeometry()
    .setAttribute('position', new Float32BufferAttribute(positions, 3))
    .setAttribute('color', new Float32BufferAttribute(colors, 3))
    .setAttribute('normal', new Float32BufferAttribute(normals, 3));
  return new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true }));
}

/** Whether a place along a street is well between two crossings, which are a pitch apart. */
function isBetweenCrossings(at: number, pitch: number): boolean {
  const place = Math.abs(at / pitch - Math.round(at / pitch)) * pitch;
  return place > 17;
}

/** A sky that is bright at the horizon. */
function createDome(): Mesh {
  const geometry = new SphereGeometry(FAR * 0.9, 24, 16);
  const { position } = geometry.attributes;
  const colors = new Float32Array(position.count * 3);
  const color = new Color();
  for (let k = 0; k < position.count; k++) {
    const height = Math.max(0, position.getY(k) / (FAR * 0.9));
    color
      .copy(HORIZON)
      .lerp(ZENITH, 1 - Math.exp(-3.2 * height))
      .toArray(colors, 3 * k);
  }
  geometry.setAttribute('color', new Float32BufferAttribute(colors, 3));
  const material = new MeshBasicMaterial({
    vertexColors: true,
    side: BackSide,
    depthWrite: false,
    depthTest: false,
    fog: false,
  });
  const dome = new Mesh(geometry, material);
  dome.renderOrder = -1;
  dome.frustumCulled = false;
  return dome;
}
