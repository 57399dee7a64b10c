// Kinds of objects: levels of detail, points, lines, sprites, decals, batches.

import {
  BatchedMesh,
  BufferGeometry,
  Color,
  EdgesGeometry,
  Euler,
  Group,
  Line,
  LineBasicMaterial,
  LineDashedMaterial,
  LineSegments,
  LOD,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Points,
  PointsMaterial,
  SphereGeometry,
  Sprite,
  SpriteMaterial,
  TorusGeometry,
  Vector3,
  type Object3D,
} from 'three';
import { DecalGeometry } from 'three/addons/geometries/DecalGeometry.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { ball, box, mesh } from './meshes.ts';
import type { ExampleScene } from './stage.ts';

const levels: ExampleScene = {
  name: 'LOD with and without hysteresis, nested, while the camera flies through them',
  build({ add, camera, random }) {
    const geometries = [new SphereGeometry(0.8, 12, 8), ball, box];
    for (let k = 0; k < 14; k++) {
      const lod = new LOD();
      geometries.forEach((geometry, level) =>
        lod.addLevel(mesh([0xff4444, 0x44ff44, 0x4444ff][level], 0, 0, 0, geometry), 4 * level, k % 3 === 0 ? 0.2 : 0),
      );
      lod.position.set(random.between(-4, 4), random.between(-3, 3), random.between(-20, 5));
      add(k % 2 === 0 ? lod : new Group().add(lod));
    }
    return {
      move: (time) => {
        camera.position.z = 10 - 2 * time;
        camera.zoom = time === 5 ? 2 : 1;
        camera.updateProjectionMatrix();
      },
    };
  },
};

const dots: ExampleScene = {
  name: 'points, lines and sprites, with and without size attenuation',
  build({ add, random, camera }) {
    const cloud = new BufferGeometry().setFromPoints(
      Array.from(
        { length: 40 },
        () => new Vector3(random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)),
      ),
    );
    const points = [0xffaa00, 0x00aaff].map(
      (color, k) => new Points(cloud, new PointsMaterial({ color, size: k === 0 ? 0.3 : 3, sizeAttenuation: k === 0 })),
    );
    points[1].position.x = 3;
    const dashed = new Line(
      cloud,
      new LineDashedMaterial({ color: 0x88ff88, dashSize: 0.3, gapSize: 0.2 }),
    ).computeLineDistances();
    dashed.scale.setScalar(0.7);
    const edges = new LineSegments(new EdgesGeometry(box), new LineBasicMaterial({ color: 0xff88ff }));
    const sprites = [true, false].map(
      (sizeAttenuation, k) =>
        new Sprite(new SpriteMaterial({ color: [0xffffff, 0xff5555][k], sizeAttenuation, rotation: 0.4 })),
    );
    sprites[0].center.set(0, 1);
    sprites[1].scale.setScalar(0.1);
    add(...points, new Group().add(dashed, sprites[0]), edges, sprites[1]);
    return {
      move: (time) => {
        points[0].rotation.y = 0.2 * time;
        points[1].position.y = 0.3 * time - 1;
        sprites[0].position.set(0.6 * time - 3, 1, 0);
        sprites[1].position.set(-2, 2 - 0.4 * time, 1);
        sprites[0].center.x = 0.2 * time;
        sprites[0].material.rotation = 0.3 * time;
        edges.position.x = time - 4;
        edges.rotation.set(0.2 * time, 0.1 * time, 0);
        camera.position.x = 0.1 * time;
      },
    };
  },
};

const decals: ExampleScene = {
  name: 'decals on a sphere, added in the run',
  build({ add, group }) {
    const globe = mesh(0x999999, 0, 0, 0, new SphereGeometry(2, 16, 12));
    const rig = new Group().add(globe);
    add(rig);
    globe.updateMatrixWorld();
    const material = new MeshBasicMaterial({
      color: 0xff0000,
      transparent: true,
      opacity: 0.8,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -4,
    });
    const decalAt = (angle: number, parent: Group): void => {
      const place = new Vector3(2 * Math.sin(angle), 0.3, 2 * Math.cos(angle));
      const decal = new Mesh(new DecalGeometry(globe, place, new Euler(0, angle, 0), new Vector3(1, 1, 1)), material);
      decal.renderOrder = parent.children.length;
      if (parent === group) add(decal);
      else parent.add(decal);
    };
    return {
      move: (time) => {
        decalAt(0.4 * time - 1.5, time % 2 === 0 ? rig : group);
        rig.rotation.y = -0.1 * time;
      },
    };
  },
};

const batches: ExampleScene = {
  name: 'BatchedMesh: sorted, unsorted, moving, hidden and deleted instances, picks by batchId',
  build({ add, random }) {
    const batchOf = (): BatchedMesh => {
      const batch = new BatchedMesh(20, 400, 1200, new MeshBasicMaterial({ transparent: true, opacity: 0.5 }));
      const geometries = [box, new SphereGeometry(0.5, 6, 4), new TorusGeometry(0.5, 0.2, 4, 8)].map((geometry) =>
        batch.addGeometry(geometry),
      );
      for (let k = 0; k < 20; k++) {
        const id = batch.addInstance(geometries[k % 3]);
        batch.setMatrixAt(
          id,
          new Matrix4().makeTranslation(random.between(-6, 6), random.between(-3, 3), random.between(-3, 3)),
        );
        batch.setColorAt(id, new Color(random.below(2 ** 24)));
      }
      return batch;
    };
    const [unsorted, sorted] = [batchOf(), batchOf()];
    unsorted.sortObjects = false;
    add(unsorted, new Group().add(sorted));
    return {
      move: (time) => {
        for (const batch of [unsorted, sorted]) {
          batch.setMatrixAt(time + 1, new Matrix4().makeTranslation(0.5 * time - 2, 1, 1));
          batch.setVisibleAt(2, time % 2 === 0);
          if (time === 4) batch.deleteInstance(0);
          batch.boundingSphere = batch.boundingBox = null;
        }
        sorted.position.y = 0.2 * time;
      },
    };
  },
};

/** Lines of the addons, which have a class for each renderer. */
export function fatLines(create: (geometry: LineGeometry) => Object3D): ExampleScene {
  return {
    name: 'fat lines',
    build({ add, random, camera }) {
      const all = Array.from({ length: 6 }, () => {
        const points = Array.from({ length: 15 }, () => random.between(-1.5, 1.5));
        return create(new LineGeometry().setPositions(points)).translateX(random.between(-4, 4));
      });
      add(...all.slice(0, 3), new Group().add(...all.slice(3)));
      return {
        move: (time) => {
          all[0].position.x = 0.5 * time - 2;
          all[1].rotation.z = 0.3 * time;
          all[4].scale.x = 1 + 0.1 * time;
          camera.position.x = 0.2 * time;
        },
      };
    },
  };
}

export const objectScenes: readonly ExampleScene[] = [levels, dots, decals, batches];
