import {
  BoxGeometry,
  BufferGeometry,
  LOD,
  MeshBasicMaterial,
  Object3D,
  PerspectiveCamera,
  PlaneGeometry,
  SphereGeometry,
  type InstancedMesh,
} from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeInstances } from '../../src/three.ts';
import {
  at,
  drawnMatrices,
  drawnPlaces,
  frustumOf,
  rowOfInstances,
  viewsOf,
  viewsOfCamera,
} from '../support/instance-passes.ts';
import { createRandom } from '../support/random.ts';
import { slab } from '../support/three-passes.ts';

const everything = slab(1e4);

/** Positions along x at which views draw a geometry. */
function placesOf(views: readonly InstancedMesh[], geometry: BufferGeometry): number[] {
  return drawnPlaces(views.filter((view) => view.geometry === geometry));
}

/** All but the first. */
function levelsOf({ levels }: OctreeInstances): unknown[] {
  return levels.meshes.slice(1).map(({ geometry, distance, hysteresis }) => [geometry.type, distance, hysteresis]);
}

describe('levels of detail of OctreeInstances', () => {
  it('are drawn from their distance on, each with its own geometry and material', () => {
    const [sphere, plane] = [new SphereGeometry(), new PlaneGeometry()];
    const material = new MeshBasicMaterial();
    const instances = rowOfInstances(10);
    const box = instances.geometry;
    // Levels may be added in any order, as in LOD.
    instances.addLevel(plane, 60, 0, material).addLevel(sphere, 30);
    const camera = new PerspectiveCamera();
    const views = viewsOf(instances, everything, camera);
    expect([box, sphere, plane].map((geometry) => placesOf(views, geometry))).toEqual([
      [0, 10, 20],
      [30, 40, 50],
      [60, 70, 80, 90],
    ]);
    expect(views.map((view) => view.material === material)).toEqual([false, false, true]);
    // A zoom of 2 halves all distances.
    camera.zoom = 2;
    expect(placesOf(viewsOf(instances, everything, camera), sphere)).toEqual([60, 70, 80, 90]);
    instances.setMatrixAt(0, at(-60));
    expect(placesOf(viewsOf(instances, everything, camera), sphere)).toEqual([-60, 60, 70, 80, 90]);
    instances.position.x = 20;
    instances.updateMatrixWorld();
    expect(placesOf(viewsOf(instances, everything, camera), sphere)).toEqual([40, 50, 60, 70, 80, 90]);
  });

  it('change where LOD changes them, with its hysteresis, for each camera and instance', () => {
    const geometries = [new BoxGeometry(), new SphereGeometry(), new PlaneGeometry()];
    const instances = new OctreeInstances(geometries[0], new MeshBasicMaterial(), 40);
    instances.addLevel(geometries[1], 30, 0.2).addLevel(geometries[2], 50, 0.4);
    const random = createRandom(1);
    const places = Array.from({ length: 40 }, (_, id) =>
      at(100 * id + random.between(-40, 40), random.between(-60, 60), random.between(-60, 60)),
    );
    places.forEach((matrix, id) => instances.setMatrixAt(id, matrix));
    instances.updateMatrixWorld();
    const x = places.map(({ elements }) => Math.fround(elements[12]));
    const cameras = [0, 1].map(() => new PerspectiveCamera());
    const createLod = (id: number): LOD => {
      const lod = new LOD();
      for (const [k, [distance, hysteresis]] of [
        [0, 0],
        [30, 0.2],
        [50, 0.4],
      ].entries())
        lod.addLevel(Object.assign(new Object3D(), { name: `${k}`, visible: false }), distance, hysteresis);
      lod.matrixWorld.copy(places[id]);
      return lod;
    };
    const lods = cameras.map(() => places.map((_, id) => createLod(id)));
    let changes = 0;
    for (let step = 0; step < 600; step++) {
      // Another instance at the same place, with the same id. In a third of the cases the next pass does not see it.
      const again = random.below(40);
      expect(instances.deleteInstance(again).addInstance(places[again])).toBe(again);
      for (const row of lods) row[again] = createLod(again);
      const isHidden = random.below(3) === 0;
      instances.setVisibleAt(again, !isHidden);
      if (isHidden) for (const camera of cameras) viewsOf(instances, everything, camera);
      instances.setVisibleAt(again, true);
      cameras.forEach((camera, k) => {
        // Each instance moves back and forth at its own speed.
        camera.position.set(2000 + 2000 * Math.sin(0.04 * step * (k + 1)), 10 * Math.cos(step), 20 * k);
        camera.updateMatrixWorld();
        const views = viewsOf(instances, everything, camera);
        const expected = lods[k].map((lod) => {
          const before = lod.getCurrentLevel();
          lod.update(camera);
          if (lod.getCurrentLevel() !== before) changes++;
          return lod.getCurrentLevel();
        });
        geometries.forEach((geometry, level) => {
          const there = expected.flatMap((one, id) => (one === level ? [x[id]] : []));
          expect(placesOf(views, geometry)).toEqual(there.sort((a, b) => a - b));
        });
      });
    }
    expect(changes).toBeGreaterThan(100);
  });

  it('are those of the main camera in shadows, unless shadowLevel is set', () => {
    const sphere = new SphereGeometry();
    const instances = rowOfInstances(4).addLevel(sphere, 15);
    const main = new PerspectiveCamera();
    // Before the first camera pass.
    expect(placesOf(viewsOf(instances, everything), sphere)).toEqual([]);
    viewsOf(instances, frustumOf(main), main);
    expect(placesOf(viewsOf(instances, everything), sphere)).toEqual([20, 30]);
    main.position.x = 100;
    main.updateMatrixWorld();
    viewsOf(instances, frustumOf(main), main);
    expect(placesOf(viewsOf(instances, everything), sphere)).toEqual([0, 10, 20, 30]);
    instances.shadowLevel = 0;
    expect(placesOf(viewsOf(instances, everything), sphere)).toEqual([]);
    instances.shadowLevel = 7;
    expect(placesOf(viewsOf(instances, everything), sphere)).toEqual([0, 10, 20, 30]);
  });

  it('are drawn from the farthest to the nearest if they are transparent', () => {
    const [near, far] = [new BoxGeometry(), new SphereGeometry()];
    const material = new MeshBasicMaterial();
    const instances = new OctreeInstances<BufferGeometry, MeshBasicMaterial>(near, material, 4).addLevel(far, 25);
    for (let id = 0; id < 4; id++) instances.setMatrixAt(id, at(0, 0, -10 * id));
    instances.updateMatrixWorld();
    const camera = new PerspectiveCamera();
    camera.position.z = 10;
    const geometries = (): unknown[] => viewsOfCamera(instances, camera).map(({ geometry }) => geometry);
    expect(geometries()).toEqual([near, far]);
    material.transparent = true;
    expect(geometries()).toEqual([far, near]);
    const depths = drawnMatrices(viewsOfCamera(instances, camera)).map(({ elements }) => elements[14]);
    expect(depths).toEqual([-30, -20, -10, -0]);
    instances.sortObjects = false;
    expect(geometries()).toEqual([near, far]);
  });

  it('all lie within the bounds: an instance is drawn where only its far level reaches', () => {
    const instances = rowOfInstances(3);
    expect(drawnPlaces(viewsOf(instances, slab(1)))).toEqual([0]);
    instances.addLevel(new BoxGeometry(30, 1, 1), 5);
    expect(drawnPlaces(viewsOf(instances, slab(1), new PerspectiveCamera()))).toEqual([0, 10]);
  });

  it('are those of the source after a copy, also after a second one', () => {
    const source = rowOfInstances(2).addLevel(new PlaneGeometry(), 20).addLevel(new SphereGeometry(), 5, 0.5);
    const copy = rowOfInstances(2).addLevel(new BoxGeometry(), 10);
    const expected = [
      ['SphereGeometry', 5, 0.5],
      ['PlaneGeometry', 20, 0],
    ];
    for (let time = 0; time < 2; time++) expect(levelsOf(copy.copy(source))).toEqual(expected);
    expect(drawnPlaces(viewsOf(copy, everything, new PerspectiveCamera()))).toEqual([0, 10]);
  });

  it('may be added while views are in use, 16 at most', () => {
    const instances = rowOfInstances(3);
    viewsOf(instances, everything);
    for (let level = 1; level < 16; level++) instances.addLevel(new BufferGeometry().copy(instances.geometry), level);
    expect(drawnPlaces(viewsOf(instances, everything, new PerspectiveCamera())).length).toBe(3);
    expect(() => instances.addLevel(instances.geometry, 16)).toThrow(
      'OctreeInstances.addLevel: the OctreeInstances "row" must not have more than 16 levels',
    );
  });
});
