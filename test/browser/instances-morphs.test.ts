// Instances with their own morph target influences must look like those of an InstancedMesh.

import {
  AmbientLight,
  BoxGeometry,
  Color,
  DirectionalLight,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  PlaneGeometry,
  Scene,
  type BufferGeometry,
  type Camera,
} from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeInstances } from '../../src/three.ts';
import {
  colorInstances,
  createInstanceTwins,
  randomMatrix,
  scatterInstances,
  type InstanceTwins,
} from '../support/instance-twins.ts';
import { influencing, morphingBox, morphInstances } from '../support/morphing-boxes.ts';
import { createRandom } from '../support/random.ts';
import { compare, createCamera, expectEqual, useRenderer } from '../support/three-pictures.ts';
import type { Twins } from '../support/three-scenes.ts';
import { BACKENDS, expectEqualPictures, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const COUNT = 200;
const REACH = 30;
const cameras = [createCamera(), createCamera([0, 5, 0], [-10, 5, 0]), createCamera([REACH, 20, 0], [0, 0, 0])];
const all = Array.from({ length: COUNT }, (_, id) => id);

/** Lit and coloured boxes above a floor, with their shadows. */
function boxes(seed: number, isRelative: boolean, hasShadow = true): InstanceTwins {
  const twins = createInstanceTwins(COUNT, () => ({
    geometry: morphingBox(isRelative),
    material: new MeshLambertMaterial(),
  }));
  twins.change(seed, (instances, random) => {
    scatterInstances(instances, random, COUNT, REACH);
    colorInstances(instances, random, COUNT);
    instances.castShadow = instances.receiveShadow = hasShadow;
    morphInstances(instances, random, all);
  });
  twins.each(({ scene }) => {
    const floor = new Mesh(new PlaneGeometry(100, 100), new MeshLambertMaterial());
    floor.rotation.x = -Math.PI / 2;
    floor.position.y = -12;
    floor.receiveShadow = true;
    const light = new DirectionalLight(0xffffff, 2);
    light.position.set(10, 25, 5);
    light.castShadow = hasShadow;
    light.shadow.mapSize.set(128, 128);
    Object.assign(light.shadow.camera, { left: -30, right: 30, top: 30, bottom: -30, far: 90 });
    scene.add(floor, light, new AmbientLight(0xffffff, 0.5));
  });
  return twins;
}

/** Moves, morphs, deletes and adds some instances. The InstancedMesh writes to the same rows. */
function change(twins: InstanceTwins, seed: number): void {
  const { mesh, instances } = twins;
  twins.change(seed, (both, random) => {
    const ids = Array.from({ length: 30 }, () => random.below(COUNT));
    morphInstances(both, random, ids);
    for (const id of ids) both.setMatrixAt(id, randomMatrix(random, REACH));
  });
  const id = seed * 7;
  const matrix = randomMatrix(createRandom(seed), REACH);
  expect(instances.deleteInstance(id).addInstance(matrix)).toBe(id);
  mesh.setMatrixAt(id, matrix);
  for (const both of [mesh, instances]) both.setColorAt(id, new Color(0xff8800)).setMorphAt(id, influencing(0.5, 0.25));
  mesh.morphTexture!.needsUpdate = true;
}

describe('instances with their own morph target influences look like those of an InstancedMesh', () => {
  const renderer = useRenderer();

  it.each([
    ['shapes', false],
    ['offsets', true],
  ])('drawn by WebGLRenderer, with targets that are %s, while they change', (_, isRelative) => {
    const twins = boxes(1, isRelative);
    for (const [k, camera] of cameras.entries()) {
      expectEqual(compare(renderer, twins, ({ scene }) => renderer.render(scene, camera), 1));
      change(twins, k + 1);
    }
    expectEqual(compare(renderer, twins, ({ scene }) => renderer.render(scene, cameras[0]), 1));
  });

  it('drawn by WebGLRenderer, of which each pass sees a few only', () => {
    const twins = boxes(2, false, false);
    for (let k = 0; k < 12; k++) {
      const camera = createCamera([0, 0, 0], [Math.cos(k), 0, Math.sin(k)], 12);
      expectEqual({ ...compare(renderer, twins, ({ scene }) => renderer.render(scene, camera), 1), drawnPixels: 1000 });
    }
  });

  describe.each(BACKENDS)('drawn by WebGPURenderer with the %s backend', (name, forceWebGL) => {
    const { isTested, get } = useWebGPURenderer(name, forceWebGL);

    it.runIf(isTested)('while they change', async () => {
      const twins = boxes(3, true);
      for (const [k, camera] of (cameras as readonly Camera[]).entries()) {
        await expectEqualPictures(get(), twins, camera);
        change(twins, k + 1);
      }
      await expectEqualPictures(get(), twins, cameras[0]);
    });
  });
});

function withInstanced(geometry: BufferGeometry): BufferGeometry {
  return geometry.setAttribute('extra', new InstancedBufferAttribute(new Float32Array(40), 1));
}

function withTargets(counts: { position?: number; normal?: number }): BufferGeometry {
  const geometry = new BoxGeometry(1, 3, 1);
  for (const [name, count] of Object.entries(counts) as ['position' | 'normal', number][])
    geometry.morphAttributes[name] = Array.from({ length: count }, (_, k) => {
      const target = geometry.attributes[name].clone();
      for (let v = 0; v < target.count; v++) target.setY(v, target.getY(v) * (k + 2));
      return target;
    });
  return geometry;
}

/** A row of instances beside the camera: those from 10 on are nearer than 25 and have the near level. */
function rows(far: () => BufferGeometry): Twins {
  const count = 20;
  const instances = new OctreeInstances(morphingBox(false), new MeshLambertMaterial(), count).addLevel(far(), 25);
  const meshes = [morphingBox(false), far()].map(
    (geometry) => new InstancedMesh(geometry, new MeshLambertMaterial(), count),
  );
  for (let id = 0; id < count; id++) {
    const isNear = id >= 10;
    const matrix = new Matrix4().makeTranslation(isNear ? -8 : 12, (id % 5) * 4 - 8, id % 2 === 0 ? 5 : -5);
    const nothing = new Matrix4().makeScale(0, 0, 0);
    instances.setMatrixAt(id, matrix);
    meshes[0].setMatrixAt(id, isNear ? matrix : nothing);
    meshes[1].setMatrixAt(id, isNear ? nothing : matrix);
    const influences = influencing(0.25 * (id % 4), 0.5);
    instances.setMorphAt(id, influences);
    // A shader for a geometry without morph targets does not compile if there are influences.
    for (const mesh of meshes.filter(({ geometry }) => geometry.morphAttributes.position !== undefined)) {
      mesh.setMorphAt(id, influences);
      mesh.morphTexture!.needsUpdate = true;
    }
  }
  const [plain, octree] = [meshes, [instances]].map((objects) => {
    const group = new Group().add(...objects);
    for (const object of objects) object.frustumCulled = object === instances;
    return { scene: new Scene().add(group, new DirectionalLight(0xffffff, 2), new AmbientLight()), group };
  });
  return { plain, octree, each: (change) => [plain, octree].forEach(change) };
}

describe('levels of detail with other morph targets or attributes', () => {
  const near = createCamera([-20, 0, 0], [0, 0, 0], 100);
  /** Geometries of a far level. The near one has two morph targets with positions and normals. */
  const levels: [string, () => BufferGeometry][] = [
    ['no morph targets', () => new BoxGeometry(1, 3, 1)],
    ['one morph target', () => withTargets({ position: 1, normal: 1 })],
    ['three morph targets', () => withTargets({ position: 3, normal: 3 })],
    ['targets of positions only', () => withTargets({ position: 2 })],
    ['no texture coordinates', () => withTargets({ position: 2 }).deleteAttribute('uv')],
    ['no morph targets and no index', () => new BoxGeometry(1, 3, 1).toNonIndexed()],
    ['no morph targets and an instanced attribute', () => withInstanced(new BoxGeometry(1, 3, 1))],
  ];

  const renderer = useRenderer();
  it.each(levels)('look like two InstancedMeshes if the far level has %s, drawn by WebGLRenderer', (_, far) => {
    const { differingPixels, drawnPixels } = compare(renderer, rows(far), ({ scene }) => renderer.render(scene, near));
    expect({ differingPixels, isDrawn: drawnPixels > 400 }).toEqual({ differingPixels: 0, isDrawn: true });
    expect(renderer.getContext().getError()).toBe(0);
  });
});
