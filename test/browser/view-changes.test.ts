// ViewChanges in Chromium: a picture that counts as unchanged must be the picture of before, pixel by pixel, and a page
// at rest must rest.

import {
  BoxGeometry,
  CameraHelper,
  LOD,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  PMREMGenerator,
  Scene,
  WebGLRenderTarget,
  type Camera,
} from 'three';
import { Reflector } from 'three/addons/objects/Reflector.js';
import { afterEach, describe, expect, it } from 'vitest';
import { OctreeGroup, ShadowUpdates, ViewChanges } from '../../src/three.ts';
import { createRandom } from '../support/random.ts';
import { sampleFrom } from '../support/sampled.ts';
import { createTown, differences, leafOf, type Town } from '../support/shadow-towns.ts';
import { createCamera, readPicture, useRenderer } from '../support/three-pictures.ts';

const renderer = useRenderer();
renderer.setSize(64, 64, false);

afterEach(() => {
  renderer.setViewport(0, 0, 64, 64);
  renderer.setScissorTest(false);
});

const floorOf = ({ scene }: Town): Mesh => scene.children.find((child) => child instanceof Mesh) as Mesh;
const pictureOf = (town: Town, camera: Camera): Uint32Array =>
  readPicture(renderer, () => renderer.render(town.scene, camera));

function watch(town: Town): ViewChanges {
  const views = new ViewChanges(town.scene, renderer, [town.group]);
  floorOf(town).geometry.computeBoundingSphere();
  return views.setStill(floorOf(town));
}

/** Frames until the picture counts as unchanged, at most 9. Renders what has changed. */
function framesUntilRest(views: ViewChanges, town: Town, camera: Camera): number {
  for (let frame = 0; frame < 9; frame++) {
    if (!views.changedIn(camera)) return frame;
    renderer.render(town.scene, camera);
  }
  return 9;
}

describe('ViewChanges', () => {
  it.each(sampleFrom([1, 2], 2))(
    'tells of each frame that differs while a box moves below four lights, and of few others (%i)',
    (seed) => {
      const town = createTown(seed);
      const camera = createCamera([-12, 16, -2], [-12, 0, -12], 60);
      const views = watch(town);
      const random = createRandom(seed);
      const box = leafOf(town, 0);
      let before = pictureOf(town, camera);
      let told = 0;
      let differing = 0;
      for (let frame = 0; frame < 45; frame++) {
        // A walk over the whole town.
        box.position.set(22 * Math.sin(frame / 7), random.between(0, 6), 22 * Math.cos(frame / 9));
        const isTold = views.changedIn(camera);
        const now = pictureOf(town, camera);
        const pixels = differences(before, now);
        before = now;
        if (frame < 3) continue;
        if (!isTold) expect([frame, pixels]).toEqual([frame, 0]);
        told += Number(isTold);
        differing += Number(pixels > 0);
      }
      expect(differing).toBeGreaterThan(5);
      expect(told).toBeLessThan(2 * differing + 8);
    },
  );

  it('leaves shadows alone that the application has frozen, and the helpers of shadow cameras', () => {
    const towns = [createTown(1), createTown(1)] as const;
    const camera = createCamera([0, 45, 45], [0, 0, 0], 200);
    const views = watch(towns[0]);
    for (const town of towns) for (const light of town.lights) town.scene.add(new CameraHelper(light.shadow.camera));
    const step = (change: (town: Town) => void): number => {
      towns.forEach(change);
      views.changedIn(camera);
      return differences(pictureOf(towns[0], camera), pictureOf(towns[1], camera));
    };
    expect(step(() => {})).toBe(0);
    for (let k = 0; k < 3; k++)
      expect(step(({ lights }) => lights.forEach((light) => (light.position.x += 1)))).toBe(0);
    step(({ lights }) => lights.forEach(({ shadow }) => (shadow.autoUpdate = false)));
    for (let k = 0; k < 3; k++)
      expect(step(({ lights }) => lights.forEach((light) => (light.position.x += 1)))).toBe(0);
  });

  it('sees what clears or crops the canvas, and what the content of a render target is lost by', () => {
    const town = createTown(1, 5);
    const camera = createCamera([0, 45, 45], [0, 0, 0], 200);
    const views = watch(town);
    const target = new WebGLRenderTarget(32, 32);
    const changes: Record<string, () => void> = {
      viewport: () => renderer.setViewport(0, 0, 32, 64),
      scissor: () => renderer.setScissor(0, 0, 32, 64),
      'scissor test': () => renderer.setScissorTest(true),
      'the same size': () => renderer.setSize(64, 64, false),
      'resized there and back': () => {
        renderer.setSize(99, 64, false);
        renderer.setSize(64, 64, false);
      },
      'the canvas resized by other code': () => void (renderer.domElement.width = 64),
    };
    framesUntilRest(views, town, camera);
    for (const [name, change] of Object.entries(changes)) {
      change();
      expect([name, views.changedIn(camera), views.changedIn(camera)]).toEqual([name, true, false]);
    }
    const ofTarget: Record<string, () => void> = {
      'disposed of': () => target.dispose(),
      'resized there and back': () => {
        target.setSize(40, 40);
        target.setSize(32, 32);
      },
      viewport: () => void target.viewport.set(0, 0, 16, 32),
      scissor: () => void target.scissor.set(0, 0, 16, 32),
      'scissor test': () => void (target.scissorTest = true),
    };
    views.changedIn(camera, target);
    for (const [name, change] of Object.entries(ofTarget)) {
      expect([name, views.changedIn(camera, target)]).toEqual([name, false]);
      change();
      expect([name, views.changedIn(camera, target)]).toEqual([name, true]);
    }
    views.dispose();
    target.dispose();
  });

  it('rests with the environment of a PMREMGenerator', () => {
    const town = createTown(1, 5);
    const camera = createCamera([0, 45, 45], [0, 0, 0], 200);
    const generator = new PMREMGenerator(renderer);
    const room = new Scene().add(new Mesh(new BoxGeometry(), new MeshStandardMaterial()));
    town.scene.environment = generator.fromScene(room).texture;
    const views = watch(town);
    expect(framesUntilRest(views, town, camera)).toBeLessThan(4);
    town.scene.environment = generator.fromScene(room).texture;
    expect(views.changedIn(camera)).toBe(true);
    generator.dispose();
  });

  it('rests with a Reflector and LODs beside ShadowUpdates, whose maps rest as well', () => {
    const town = createTown(1, 0);
    const lod = new LOD();
    for (const distance of [0, 40]) {
      const level = new Mesh(new BoxGeometry(2, distance / 10 + 2, 2), new MeshLambertMaterial());
      level.castShadow = true;
      lod.addLevel(level, distance);
    }
    const group: OctreeGroup = town.group;
    group.add(lod.translateX(12).translateZ(-12));
    const camera = createCamera([0, 35, 25], [0, 0, 0], 200);
    const mirror = new Reflector(new PlaneGeometry(40, 40), { textureWidth: 64, textureHeight: 64 });
    mirror.position.z = -24;
    town.scene.add(mirror);
    const shadows = new ShadowUpdates(town.scene, renderer, [group]).setStill(floorOf(town)).setStill(mirror);
    const views = watch(town).setStill(mirror);
    expect(framesUntilRest(views, town, camera)).toBeLessThan(5);
    for (let k = 0; k < 3; k++) {
      renderer.render(town.scene, camera);
      expect(shadows.due).toEqual([]);
      expect(views.changedIn(camera)).toBe(false);
    }
    shadows.dispose();
  });
});
