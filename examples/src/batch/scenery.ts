// What surrounds the houses: ground, river, trees, an afternoon sky, and a sun with shadows around the point that the
// camera looks at.

import {
  BufferGeometry,
  Color,
  ConeGeometry,
  DirectionalLight,
  Float32BufferAttribute,
  Fog,
  Group,
  HemisphereLight,
  IcosahedronGeometry,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
  type PerspectiveCamera,
  Quaternion,
  type Scene,
  Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { OctreeInstances } from '../../../src/three.ts';
import { disposeTree } from '../shared/dispose-tree.ts';
import { hash, mix } from '../shared/noise.ts';
import type { SlicedWork } from '../shared/slices.ts';
import { createSkyDome } from '../shared/sky-dome.ts';
import { type Block, type CityPlan, type Point, type Quad, riverAt } from './city-plan.ts';

/** Distance at which the haze is opaque, in metres: the far plane. */
export const FAR = 1700;
const HORIZON = new Color('#dfd3c0');
const ZENITH = new Color('#4f86c6');
const SUNLIGHT = new Color('#ffdca6');
/** Unit vector to the sun. */
const TO_SUN = new Vector3(-0.68, 0.52, 0.5).normalize();
const SKY = { horizon: HORIZON, zenith: ZENITH, sunlight: SUNLIGHT, toSun: TO_SUN };
const SKY_COLOUR = /* glsl */ `
  float height = 1.0 - exp(-5.5 * max(0.0, way.y));
  float glow = pow(max(0.0, dot(way, toSun)), 8.0);
  colour = mix(horizon, zenith, height) + sunlight * glow * 0.35;`;
/** Radius around the looked-at point within which shadows fall, in metres; edge of the shadow map in texels. */
const SHADOW_RADIUS = 330;
const SHADOW_SIZE = 2048;
const RIVER_HALF_WIDTH = 48;
const SALT = 211;

const STREET = new Color('#8f8578');
const PAVEMENT = new Color('#b3a998');
const YARD = new Color('#7c8a55');
const LAWN = new Color('#6f9450');
const SQUARE = new Color('#c6b79d');
const FIELDS = new Color('#93a066');
const WATER = new Color('#5d8796');
const TREES_PER_STEP = 200;
const LEAVES = ['#5f8145', '#71904a', '#4f7442', '#8a9a4c'].map((name) => new Color(name));

export class Scenery {
  readonly object = new Group();
  private readonly sun = new DirectionalLight(SUNLIGHT, 3.1);
  private readonly dome = createSkyDome(SKY, FAR * 0.9, SKY_COLOUR);
  private readonly trees: OctreeInstances;
  private readonly across = new Vector3().crossVectors(new Vector3(0, 1, 0), TO_SUN).normalize();
  private readonly upwards = new Vector3().crossVectors(TO_SUN, this.across);
  private readonly middle = new Vector3();

  private constructor(plan: CityPlan, trees: OctreeInstances) {
    const { sun } = this;
    this.trees = trees;
    sun.shadow.mapSize.setScalar(SHADOW_SIZE);
    sun.shadow.bias = -0.0004;
    sun.shadow.normalBias = 0.6;
    Object.assign(sun.shadow.camera, {
      left: -SHADOW_RADIUS,
      right: SHADOW_RADIUS,
      top: SHADOW_RADIUS,
      bottom: -SHADOW_RADIUS,
      near: 1,
      far: SHADOW_RADIUS * 4,
    });
    this.object.add(
      this.dome,
      createGround(plan),
      this.trees,
      sun,
      sun.target,
      new HemisphereLight('#bcd3f2', '#8d7a5e', 1.55),
    );
  }

  static *build(plan: CityPlan): SlicedWork<Scenery> {
    return new Scenery(plan, yield* createTrees(plan.blocks));
  }

  static addHaze(scene: Scene): void {
    scene.fog = new Fog(HORIZON, FAR * 0.22, FAR * 0.98);
  }

  static readonly background = HORIZON;

  set castsShadows(isOn: boolean) {
    this.sun.castShadow = isOn;
  }

  /** Objects to compile in advance. */
  get samples(): readonly Object3D[] {
    return this.object.children.filter((child) => !('isLight' in child));
  }

  /** Moves sky and shadows with the camera. The shadow map moves in whole texels, so that its edges do not flicker. */
  follow(camera: PerspectiveCamera, target: Vector3): void {
    const { sun, middle, across, upwards } = this;
    this.dome.position.copy(camera.position);
    // From the looked-at point towards the camera, where shadows are seen from near.
    middle
      .copy(camera.position)
      .sub(target)
      .setY(0)
      .clampLength(0, SHADOW_RADIUS * 0.7)
      .add(target);
    const texel = (SHADOW_RADIUS * 2) / SHADOW_SIZE;
    for (const axis of [across, upwards]) {
      const along = middle.dot(axis);
      middle.addScaledVector(axis, Math.round(along / texel) * texel - along);
    }
    sun.target.position.copy(middle);
    sun.position.copy(middle).addScaledVector(TO_SUN, SHADOW_RADIUS * 2);
  }

  dispose(): void {
    this.trees.dispose();
    this.sun.dispose();
    disposeTree(this.object);
  }
}

/** Streets, the river, and a pavement with a yard on each block, in one geometry. */
function createGround({ blocks, radius }: CityPlan): Mesh {
  const positions: number[] = [];
  const colors: number[] = [];
  const addQuad = (corners: Quad, y: number, { r, g, b }: Color): void => {
    for (const k of [0, 3, 1, 1, 3, 2]) {
      positions.push(corners[k][0], y, corners[k][1]);
      colors.push(r, g, b);
    }
  };
  const edge = radius + 3 * FAR;
  addQuad(square(edge), -0.8, FIELDS);
  const sides = 48;
  for (let k = 0; k < sides; k++) {
    const [from, to] = [(k / sides) * 2 * Math.PI, ((k + 1) / sides) * 2 * Math.PI];
    const at = (angle: number): Point => [Math.cos(angle) * (radius + 60), Math.sin(angle) * (radius + 60)];
    addQuad([[0, 0], at(from), at(to), [0, 0]], -0.4, STREET);
  }
  for (let x = -edge; x < edge; x += 40) {
    const [z0, z1] = [riverAt(x), riverAt(x + 40)];
    const bank = (grow: number): Quad => [
      [x, z0 - RIVER_HALF_WIDTH - grow],
      [x + 40, z1 - RIVER_HALF_WIDTH - grow],
      [x + 40, z1 + RIVER_HALF_WIDTH + grow],
      [x, z0 + RIVER_HALF_WIDTH + grow],
    ];
    addQuad(bank(5), -0.2, PAVEMENT);
    addQuad(bank(0), 0, WATER);
  }
  for (const { corners, use } of blocks) {
    addQuad(corners, 0.1, use === 'square' ? SQUARE : PAVEMENT);
    if (use !== 'square') addQuad(shrunk(corners, use === 'park' ? 0.95 : 0.66), 0.3, use === 'park' ? LAWN : YARD);
  }
  const geometry = new BufferGeometry()
    .setAttribute('position', new Float32BufferAttribute(positions, 3))
    .setAttribute('color', new Float32BufferAttribute(colors, 3));
  const normals = new Float32Array(positions.length);
  for (let k = 1; k < normals.length; k += 3) normals[k] = 1;
  geometry.setAttribute('normal', new Float32BufferAttribute(normals, 3));
  const ground = new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true }));
  ground.receiveShadow = true;
  return ground;
}

const square = (half: number): Quad => [
  [-half, -half],
  [half, -half],
  [half, half],
  [-half, half],
];

/** A quad scaled about its middle. */
function shrunk(corners: Quad, scale: number): Quad {
  const [x, z] = middleOf(corners);
  return corners.map(([cx, cz]) => [mix(x, cx, scale), mix(z, cz, scale)] as const) as unknown as Quad;
}

const middleOf = (corners: Quad): Point => [
  corners.reduce((sum, [x]) => sum + x, 0) / 4,
  corners.reduce((sum, [, z]) => sum + z, 0) / 4,
];

/** Trees in yards and parks, and around squares. */
function* createTrees(blocks: readonly Block[]): SlicedWork<OctreeInstances> {
  const crown = new IcosahedronGeometry(2.4, 1).scale(1, 1.15, 1).translate(0, 4.6, 0);
  const trunk = new ConeGeometry(0.4, 4, 5, 1, true).translate(0, 2, 0).toNonIndexed();
  paint(crown, (y) => 0.55 + 0.09 * y);
  paint(trunk, () => 0.35);
  const geometry = mergeGeometries([crown, trunk]);
  const places = blocks.flatMap((block) => treesOf(block));
  const material = new MeshLambertMaterial({ vertexColors: true, flatShading: true });
  const trees = new OctreeInstances(geometry, material, Math.max(1, places.length));
  const matrix = new Matrix4();
  const turn = new Quaternion();
  for (const [id, [x, z]] of places.entries()) {
    const size = mix(0.7, 1.5, hash(id, 1, SALT));
    turn.setFromAxisAngle(new Vector3(0, 1, 0), id);
    matrix.compose(new Vector3(x, 0.2, z), turn, new Vector3(size, size * mix(0.85, 1.25, hash(id, 2, SALT)), size));
    trees.setMatrixAt(id, matrix);
    trees.setColorAt(id, LEAVES[Math.floor(hash(id, 3, SALT) * LEAVES.length)]);
    if (id % TREES_PER_STEP === 0) yield id / places.length;
  }
  trees.castShadow = trees.receiveShadow = true;
  return trees;
}

function treesOf({ corners, use }: Block): Point[] {
  const seed = Math.round(corners[0][0] * 7 + corners[0][1] * 13);
  const count = use === 'park' ? 34 : use === 'square' ? 12 : 5;
  return Array.from({ length: count }, (_, k) => {
    if (use === 'square') {
      const [side, along] = [k % 4, (Math.floor(k / 4) + 0.5) / 3];
      const ring = shrunk(corners, 0.86);
      const [from, to] = [ring[side], ring[(side + 1) % 4]];
      return [mix(from[0], to[0], along), mix(from[1], to[1], along)] as const;
    }
    const reach = use === 'park' ? 0.9 : 0.5;
    const [u, v] = [hash(seed, k, SALT + 4), hash(seed, k, SALT + 5)];
    const [a, b, c, d] = shrunk(corners, reach);
    return [mix(mix(a[0], b[0], u), mix(d[0], c[0], u), v), mix(mix(a[1], b[1], u), mix(d[1], c[1], u), v)] as const;
  });
}

/** Greys by height, which the colour of an instance tints. */
function paint(geometry: BufferGeometry, shade: (y: number) => number): void {
  const { position } = geometry.attributes;
  const colors = Float32Array.from({ length: position.count * 3 }, (_, k) => shade(position.getY(Math.floor(k / 3))));
  geometry.setAttribute('color', new Float32BufferAttribute(colors, 3));
}
