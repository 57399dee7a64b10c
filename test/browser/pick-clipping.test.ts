// What `pick` returns where clipping planes cut: the object that a renderer has drawn in that pixel.

import {
  BoxGeometry,
  Color,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Plane,
  Scene,
  Vector3,
  type Object3D,
} from 'three';
import { ClippingGroup } from 'three/webgpu';
import { describe, expect, it } from 'vitest';
import { OctreeGroup, pick, type ClippingRenderer } from '../../src/three.ts';
import { createRandom, type Random } from '../support/random.ts';
import { readPicture, useRenderer } from '../support/three-pictures.ts';
import { BACKENDS, pixelsOf, useWebGPURenderer } from '../support/webgpu-pictures.ts';

/** Width and height of the pictures. */
const EDGE = 128;
const element = { getBoundingClientRect: () => ({ left: 0, top: 0, width: EDGE, height: EDGE }) };
const camera = new PerspectiveCamera(60, 1, 0.1, 100);
camera.position.set(3, 4, 30);
camera.lookAt(0, 0, 0);
camera.updateMatrixWorld();

function randomPlane(random: Random): Plane {
  const normal = new Vector3(random.next() - 0.5, random.next() - 0.5, random.next() - 0.5).normalize();
  return new Plane(normal, 14 * (random.next() - 0.3));
}
const planes = (random: Random, count: number): Plane[] => Array.from({ length: count }, () => randomPlane(random));

/** A turned box. Its red is its number, from 1. */
function box(random: Random, red: number): Mesh<BoxGeometry, MeshBasicMaterial> {
  const color = new Color().setRGB(red / 255, 0, 0);
  const mesh = new Mesh(new BoxGeometry(4, 4, 4), new MeshBasicMaterial({ color, side: DoubleSide }));
  mesh.position.set(24 * (random.next() - 0.5), 24 * (random.next() - 0.5), 24 * (random.next() - 0.5));
  mesh.rotation.set(6 * random.next(), 6 * random.next(), 0);
  mesh.name = String(red);
  return mesh;
}

/** The share of all pixels where `pick` and the picture differ, and of those that are cut: another object is seen. */
function differences(
  pixels: Uint32Array,
  uncut: Uint32Array,
  group: OctreeGroup,
  renderer: ClippingRenderer,
): { wrong: number; cut: number } {
  let wrong = 0;
  for (let k = 0; k < pixels.length; k++) {
    const pointer = { clientX: (k % EDGE) + 0.5, clientY: rowOf(k) + 0.5 };
    const hit = pick(pointer, camera, element, group, { renderer });
    if (Number(hit?.object.name ?? 0) !== (pixels[k] & 255)) wrong++;
  }
  const cut = pixels.filter((pixel, k) => pixel !== uncut[k]).length;
  return { wrong: wrong / pixels.length, cut: cut / pixels.length };

  /** The row of a pixel from the top. WebGL stores pictures from the bottom, WebGPU from the top. */
  function rowOf(k: number): number {
    const row = Math.floor(k / EDGE);
    return 'isWebGPURenderer' in renderer && isFromTop(renderer) ? row : EDGE - 1 - row;
  }
}

function isFromTop(renderer: object): boolean {
  return 'isWebGPUBackend' in (renderer as { backend: object }).backend;
}

/** Rays and rasters round differently at edges. */
const MAX_WRONG = 0.004;
const MIN_CUT = 0.03;

describe('pick returns what WebGLRenderer has drawn', () => {
  const renderer = useRenderer();

  it.each([
    { name: 'planes of the renderer', ofRenderer: 2, ofMaterials: 0, isEnabled: false, isIntersection: false },
    { name: 'planes of materials', ofRenderer: 0, ofMaterials: 2, isEnabled: true, isIntersection: false },
    { name: 'clipIntersection', ofRenderer: 0, ofMaterials: 2, isEnabled: true, isIntersection: true },
    { name: 'all of them', ofRenderer: 1, ofMaterials: 3, isEnabled: true, isIntersection: true },
    { name: 'planes of materials that are off', ofRenderer: 1, ofMaterials: 3, isEnabled: false, isIntersection: true },
  ])('with $name', ({ ofRenderer, ofMaterials, isEnabled, isIntersection }) => {
    const random = createRandom(77);
    const group = new OctreeGroup();
    for (let red = 1; red <= 60; red++) group.add(box(random, red));
    const scene = new Scene().add(group);
    scene.background = new Color(0);
    const draw = (): Uint32Array => readPicture(renderer, () => renderer.render(scene, camera));
    const uncut = draw();
    for (const mesh of group.children as ReturnType<typeof box>[])
      Object.assign(mesh.material, { clippingPlanes: planes(random, ofMaterials), clipIntersection: isIntersection });
    renderer.clippingPlanes = planes(random, ofRenderer);
    renderer.localClippingEnabled = isEnabled;
    const { wrong, cut } = differences(draw(), uncut, group, renderer);
    renderer.clippingPlanes = [];
    renderer.localClippingEnabled = false;
    expect(wrong).toBeLessThan(MAX_WRONG);
    expect(cut).toBeGreaterThan(MIN_CUT);
  });
});

describe.each(BACKENDS)('pick returns what WebGPURenderer has drawn, with the %s backend', (name, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);

  it.runIf(isTested)('in nested ClippingGroups, around the octree and in it', async () => {
    const random = createRandom(78);
    const clipping = (count: number, isIntersection: boolean, ...children: Object3D[]): ClippingGroup => {
      const group = new ClippingGroup().add(...children);
      group.clippingPlanes = planes(random, count);
      group.clipIntersection = isIntersection;
      return group;
    };
    const boxes = Array.from({ length: 60 }, (_, k) => box(random, k + 1));
    const group = new OctreeGroup().add(...boxes.slice(0, 20));
    for (let k = 20; k < 40; k += 4) group.add(clipping(1, k > 28, ...boxes.slice(k, k + 4)));
    group.addTree(new Group().add(clipping(2, true, clipping(2, true, ...boxes.slice(40)))));
    const around = clipping(1, false, clipping(1, true, group));
    const scene = new Scene().add(around);
    const groups: ClippingGroup[] = [];
    scene.traverse((object) => object instanceof ClippingGroup && groups.push(object));
    const draw = async (isOn: boolean): Promise<Uint32Array> => {
      for (const each of groups) each.enabled = isOn;
      scene.background = new Color(0);
      return pixelsOf(get(), { scene, group }, camera);
    };
    const uncut = await draw(false);
    const { wrong, cut } = differences(await draw(true), uncut, group, get());
    expect(wrong).toBeLessThan(MAX_WRONG);
    expect(cut).toBeGreaterThan(MIN_CUT);
  });
});
