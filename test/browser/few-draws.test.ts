// Scenes as people write them: a material for each mesh, nothing marked static, nothing shared, some meshes that move.
// With `new OctreeGroup()` and one line more the picture is that of a plain Group, in few draw calls, whatever the
// program does: histories of what official examples of three do.

import {
  AnimationClip,
  AnimationMixer,
  BoxGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Plane,
  Scene,
  SphereGeometry,
  Vector3,
  VectorKeyframeTrack,
  type Camera,
} from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { ClippingGroup } from 'three/webgpu';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '../../src/math/clock.ts';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { countFar } from '../support/near-pictures.ts';
import { createRandom } from '../support/random.ts';
import { IS_LONG } from '../support/sampled.ts';
import { addShadowLights, directional } from '../support/shadow-lights.ts';
import { aim, createCamera, readPicture, useRenderer } from '../support/three-pictures.ts';
import { BACKENDS, nextFrame, pixelsOf, useWebGPURenderer } from '../support/webgpu-pictures.ts';
import { createWorm } from './scenes/meshes.ts';

const PIXELS = 128 * 128;
const MESHES = 240;
/** Those from here on move in each frame. */
const MOVING = 160;
const STEPS = 24;
/** Updates until what rests is in batches, and what moves in posed chunks. */
const SETTLED = 120;
const camera = createCamera([0, 12, -34], [0, 0, 0], 90);
const GEOMETRIES = [
  new BoxGeometry(1.5, 2, 1),
  new SphereGeometry(1, 8, 6),
  new ConeGeometry(1, 2, 7),
  new CylinderGeometry(0.6, 0.8, 2, 6),
];

/** What a program keeps of its scene. */
class Program {
  readonly scene = new Scene();
  readonly root = new ClippingGroup();
  readonly meshes: Mesh<BoxGeometry, MeshStandardMaterial>[] = [];
  private readonly crates = new InstancedMesh(new BoxGeometry(), new MeshStandardMaterial({ color: 0x997755 }), 12);
  private readonly worm = createWorm(0x66aaff);
  private readonly mixer: AnimationMixer;
  private hovered: MeshStandardMaterial | null = null;

  readonly group: Group;

  constructor(group: Group) {
    this.group = group;
    const random = createRandom(5);
    this.scene.background = new Color(0x334455);
    for (let k = 0; k < MESHES; k++) {
      const color = new Color(random.next(), random.next(), random.next());
      const material = new MeshStandardMaterial({ color, roughness: random.next(), metalness: 0.5 * random.next() });
      const mesh = new Mesh(GEOMETRIES[k % 4] as BoxGeometry, material);
      mesh.position.set(random.between(-16, 16), random.between(-6, 6), random.between(-12, 12));
      mesh.rotation.set(random.between(0, 6), random.between(0, 6), 0);
      mesh.castShadow = mesh.receiveShadow = true;
      this.meshes.push(mesh);
    }
    this.worm.scale.setScalar(2);
    const walker = this.meshes[MOVING - 1];
    const { x, y, z } = walker.position;
    this.mixer = new AnimationMixer(walker);
    const track = new VectorKeyframeTrack('.position', [0, 1, 2], [x, y, z, x + 4, y, z, x, y, z]);
    this.mixer.clipAction(new AnimationClip('walk', 2, [track])).play();
    group.add(...this.meshes, this.crates, this.worm);
    this.scene.add(this.root.add(group));
    addShadowLights(this.scene, [directional()]);
    this.frame(0);
  }

  /** Moves what moves by itself: a third of the meshes, instances by hand, a skin, a clip. */
  frame(time: number): void {
    for (let k = MOVING; k < MESHES; k++) {
      this.meshes[k].position.y += 0.1 * Math.sin(time + k);
      this.meshes[k].rotation.y += 0.05;
    }
    const matrix = new Matrix4();
    for (let k = 0; k < 12; k++) {
      matrix.makeRotationY(0.1 * time + k).setPosition(2.5 * k - 14, 8, Math.sin(time + k));
      this.crates.setMatrixAt(k, matrix);
    }
    this.crates.instanceMatrix.needsUpdate = true;
    this.worm.skeleton.bones[1].rotation.z = Math.sin(0.3 * time);
    this.mixer.setTime(0.1 * time);
  }

  hover(at: number): void {
    this.hovered?.emissive.setHex(0);
    this.hovered = this.meshes[at].material;
    this.hovered.emissive.setHex(0xff4400);
  }

  drag(at: number, step: number): void {
    this.meshes[at].position.add(new Vector3(0.5 * Math.cos(step), 0.5 * Math.sin(step), 0));
  }

  section(height: number | null): void {
    this.root.clippingPlanes = height === null ? [] : [new Plane(new Vector3(0, -1, 0), height)];
  }
}

/** How a backend draws a program, once. */
interface Screen {
  readonly draw: (program: Program, by: Camera) => Promise<Uint32Array>;
  readonly calls: () => number;
  readonly canvas: HTMLCanvasElement;
  readonly next: () => Promise<unknown>;
}

type Act = (program: Program, at: number, step: number, screen: Screen) => void | Promise<Uint32Array[]>;

const controls = new WeakMap<Program, TransformControls>();
const thumbnail = createCamera([0, 0, -6], [0, 0, 0]);

/** What the history of a program is made of. Those that draw by themselves return pictures. */
const ACTS: Record<string, Act> = {
  'a hover highlight': (program, at) => program.hover(at),
  'a drag': (program, at, step) => program.drag(at, step),
  'transform controls': (program, at, _, { canvas }) => {
    const found = controls.get(program) ?? new TransformControls(camera, canvas);
    if (!controls.has(program)) program.scene.add(found.getHelper());
    controls.set(program, found.attach(program.meshes[at]));
    program.meshes[at].scale.setScalar(1.4);
  },
  'a material of another kind': ({ meshes }, at) => {
    meshes[at].material.transparent = !meshes[at].material.transparent;
    meshes[at].material.opacity = 0.5;
  },
  'a section plane': (program, _, step) => program.section(step % 2 === 0 ? 3 : null),
  'objects that are hidden': ({ meshes }, at) => {
    for (let k = at; k < at + 20; k++) meshes[k % MESHES].visible = !meshes[k % MESHES].visible;
  },
  'objects that come and go': ({ group, meshes }, at) => {
    if (meshes[at].parent === null) group.add(meshes[at]);
    else group.remove(meshes[at]);
  },
  'picking by colour': async (program, _at, _step, { draw }) => {
    const before = program.meshes.map(({ material }) => material);
    program.meshes.forEach((mesh, k) => Object.assign(mesh, { material: new MeshBasicMaterial({ color: 997 * k }) }));
    const picture = draw(program, camera);
    program.meshes.forEach((mesh, k) => (mesh.material = before[k]));
    return [await picture];
  },
  'thumbnails in one task': (program, at, _, { draw }) => {
    const { meshes } = program;
    const shown = meshes.map(({ visible }) => visible);
    const pictures = [at, (at + 77) % MESHES].map((one) => {
      meshes.forEach((mesh, k) => (mesh.visible = k === one));
      const { x, y, z } = meshes[one].position;
      aim(thumbnail, [x, y + 2, z - 5], [x, y, z]);
      return draw(program, thumbnail);
    });
    meshes.forEach((mesh, k) => (mesh.visible = shown[k]));
    return Promise.all(pictures);
  },
};

async function expectFewDraws(screen: Screen, steps = STEPS): Promise<void> {
  const plain = new Program(new Group());
  const group = new OctreeGroup();
  const own = new Program(group);
  const batches = new StaticBatches(group, { posesMovers: true });
  let time = 0;
  const settle = async (updates: number): Promise<void> => {
    for (let k = 0; k < updates; k++) {
      time++;
      for (const program of [plain, own]) program.frame(time);
      own.scene.updateMatrixWorld();
      await Promise.resolve();
    }
  };
  await settle(SETTLED);
  expect(batches.report().batched).toBeGreaterThan(0.9 * MESHES);
  expect(batches.report().posed).toBeGreaterThan(0.9 * (MESHES - MOVING));
  const calls: number[] = [];
  for (const program of [plain, own]) {
    await screen.draw(program, camera);
    calls.push(screen.calls());
  }
  console.log(`draw calls: ${calls[0]}, ${calls[1]} with batches`);
  expect(calls[1]).toBeLessThan(0.1 * calls[0]);
  const random = createRandom(17);
  const names = Object.keys(ACTS);
  let far = 0;
  let pictures = 0;
  const compare = (a: Uint32Array, b: Uint32Array, what: string): void => {
    const count = countFar(a, b);
    expect(count, what).toBeLessThan(0.004 * PIXELS);
    far += count;
    pictures++;
  };
  for (let step = 0; step < steps; step++) {
    const name = names[step % names.length];
    const at = random.below(MESHES);
    await settle(random.below(3));
    await screen.next();
    const drawn: Uint32Array[][] = [];
    for (const program of [plain, own]) drawn.push((await ACTS[name](program, at, step, screen)) ?? []);
    drawn[0].forEach((picture, k) => compare(picture, drawn[1][k], `${name}, step ${step}`));
    await screen.next();
    const [expected, found] = [await screen.draw(plain, camera), await screen.draw(own, camera)];
    expect(new Set(expected).size).toBeGreaterThan(200);
    compare(expected, found, `after ${name}, step ${step}`);
  }
  expect(far / (pictures * PIXELS)).toBeLessThan(2e-4);
  await settle(SETTLED);
  const drawnAlike = own.meshes.filter(({ material, parent, visible }) => parent && visible && !material.transparent);
  expect(batches.report().batched).toBeGreaterThan(0.8 * drawnAlike.length);
  for (const program of [plain, own]) controls.get(program)?.dispose();
  batches.dispose();
}

// It stands still: builds are not cut into slices.
beforeEach(() => void vi.spyOn(clock, 'now').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

describe('WebGLRenderer', () => {
  const renderer = useRenderer();
  renderer.localClippingEnabled = true;
  it('draws what people write in a tenth of the calls, as a plain group', () =>
    expectFewDraws({
      canvas: renderer.domElement,
      next: () => Promise.resolve(),
      calls: () => renderer.info.render.calls,
      draw(program, by) {
        renderer.info.reset();
        renderer.clippingPlanes = program.root.clippingPlanes;
        return Promise.resolve(readPicture(renderer, () => renderer.render(program.scene, by)));
      },
    }));
});

describe.each(BACKENDS)('WebGPURenderer with its %s backend', (name, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);
  let calls = 0;
  it.skipIf(!isTested)('draws what people write in few calls, as a plain group', () =>
    expectFewDraws(
      {
        canvas: document.createElement('canvas'),
        next: nextFrame,
        calls: () => calls,
        draw(program, by) {
          const picture = pixelsOf(get(), program, by, 1);
          calls = get().info.render.drawCalls;
          return picture;
        },
      },
      IS_LONG ? STEPS : Object.keys(ACTS).length,
    ),
  );
});
