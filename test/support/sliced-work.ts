/** Work that containers and features do in slices, a step in each frame: see failed-slices.test. No renderer. */

import {
  BoxGeometry,
  Line3,
  Mesh,
  MeshLambertMaterial,
  Scene,
  SphereGeometry,
  Vector3,
  type BufferGeometry,
} from 'three';
import { expect } from 'vitest';
import { OcclusionCulling, OctreeGroup, StaticBatches, ViewChanges } from '../../src/three.ts';
import { poseSoon, setBatchLimits } from './batch-limits.ts';
import { everything, expectSame, randomBoxes, RESTING_UPDATES } from './batched-meshes.ts';
import { FakeRenderer } from './change-towns.ts';
import { namesDrawn, perspective } from './occluded-scene.ts';
import { projectPass } from './pass-lists.ts';

/** Work that goes on by a step in each frame. */
export interface SlicedWork {
  readonly group: OctreeGroup;
  /** Changes before a frame, by its number. */
  readonly changes: Readonly<Record<number, () => void>>;
  readonly frames: number;
  /** One frame. It may throw. */
  frame(): void;
  /** Expects of the last frame what a plain group draws. */
  check(): void;
  /** What is known at the end. */
  state(): string;
}

const lamberts = [0xff0000, 0x00ff00, 0x0000ff].map((color) => new MeshLambertMaterial({ color }));
const shared = [new BoxGeometry(), new SphereGeometry(1, 6, 4)];

function batches(geometryOf: (k: number, own: BufferGeometry) => BufferGeometry, mergesMaterials: boolean): SlicedWork {
  const group = new OctreeGroup({ hasStaticChildren: true });
  const meshes = randomBoxes(5, 48);
  const late = randomBoxes(6, 6);
  for (const [k, mesh] of [...meshes, ...late].entries()) {
    mesh.material = lamberts[k % 3];
    mesh.geometry = geometryOf(k, mesh.geometry);
  }
  group.add(...meshes);
  const own = new StaticBatches(group, { mergesMaterials });
  setBatchLimits(own, { minInstances: 8 });
  return {
    group,
    frames: 160 + 2 * RESTING_UPDATES,
    changes: {
      30: () => {
        group.remove(...meshes.splice(0, 5));
        group.add(...late);
      },
      40: () => {
        for (const mesh of meshes.slice(0, 6)) {
          mesh.position.x += 3;
          group.reportMove(mesh);
        }
        for (const mesh of meshes.slice(6, 9)) {
          [mesh.material] = lamberts;
          group.reportMove(mesh);
        }
      },
    },
    frame: () => {
      group.updateMatrixWorld();
      projectPass(group, everything);
    },
    check: () => expectSame(group),
    state: () => {
      const { batched, waiting, out } = own.report();
      // Which of those that have moved fill a batch again depends on the steps. Less than four of a kind wait.
      return `${batched + out + waiting} ${waiting < 4 * (mergesMaterials ? 1 : lamberts.length)}`;
    },
  };
}

/** Meshes that move in each frame, drawn from posed chunks; some change otherwise. */
function movers(): SlicedWork {
  const group = new OctreeGroup();
  const meshes = randomBoxes(5, 24);
  const late = randomBoxes(6, 4);
  for (const [k, mesh] of [...meshes, ...late].entries()) {
    mesh.material = lamberts[k % 3];
    if (k % 2 === 0) [mesh.geometry] = shared;
  }
  group.add(...meshes);
  const own = new StaticBatches(group, { posesMovers: true });
  setBatchLimits(own, { minInstances: 5 });
  poseSoon(own);
  return {
    group,
    frames: 110,
    changes: {
      40: () => {
        group.remove(...meshes.splice(0, 3));
        group.add(...late);
        meshes.push(...late);
      },
      45: () => {
        for (const { scale } of meshes.slice(0, 4)) scale.y *= 2;
        for (const mesh of meshes.slice(4, 6)) [mesh.material] = lamberts;
      },
    },
    frame: () => {
      for (const { position, rotation } of meshes) {
        position.x += 0.1;
        rotation.y += 0.1;
      }
      group.updateMatrixWorld();
      projectPass(group, everything);
    },
    check: () => expectSame(group),
    state: () => `${own.report().posed}`,
  };
}

/** Walls before small boxes, of which each call of a solver takes the time of a frame. */
function occluders(): SlicedWork {
  const scene = new Scene();
  const group = new OctreeGroup();
  scene.add(group);
  const camera = perspective(0, 0, 60);
  const meshes = Array.from({ length: 12 }, (_, k) => {
    const isWall = k % 2 === 0;
    const mesh = new Mesh(isWall ? new SphereGeometry(5, 12, 8) : new BoxGeometry(0.5, 0.5, 0.5), lamberts[0]);
    mesh.position.set(6 * (k >> 1) - 15, 0, isWall ? 0 : -10);
    mesh.name = `${k}`;
    return mesh;
  });
  group.add(...meshes);
  const occlusion = new OcclusionCulling(group, camera, { auto: () => true, minRemoved: 0, minOccluderArea: 0 });
  let names: string[] = [];
  return {
    group,
    frames: 40,
    changes: {
      20: () => {
        meshes[0].geometry = new SphereGeometry(4, 10, 8);
        meshes[2].position.y = 20;
      },
    },
    frame: () => {
      names = [];
      names = namesDrawn(scene, camera);
    },
    // Centres of what is left out are behind the middle of a wall.
    check: () => {
      for (const { name, position } of meshes.filter((mesh) => !names.includes(mesh.name))) {
        const isHidden = meshes.some(
          (wall) => wall.position.z > position.z && distanceToWay(camera.position, position, wall.position) < 4,
        );
        expect([name, isHidden]).toEqual([name, true]);
      }
    },
    state: () => `${[...names].sort().join()} ${occlusion.occluders.map(({ name }) => name).join()}`,
  };
}

/** How near a way passes by a point. */
function distanceToWay(from: Vector3, to: Vector3, point: Vector3): number {
  return new Line3(from, to).closestPointToPoint(point, true, new Vector3()).distanceTo(point);
}

/** 2,400 members, which the detector takes over in two updates; later one that is seen moves in each frame. */
function manyMembers(): SlicedWork {
  const scene = new Scene();
  const group = new OctreeGroup();
  scene.add(group);
  const meshes = Array.from({ length: 2400 }, (_, k) => {
    const mesh = new Mesh(shared[0], lamberts[0]);
    mesh.position.set(3 * (k % 100), 0, 3 * Math.floor(k / 100));
    mesh.name = `${k}`;
    return mesh;
  });
  group.add(...meshes);
  const camera = perspective(150, 0, 120);
  const changes = new ViewChanges(scene, new FakeRenderer(), [group]);
  let names: string[] = [];
  let isMoved = false;
  /** Whether a move was not seen by the next frame that did not fail. */
  let isMissed = false;
  const move = (k: number): void => {
    meshes[500 * k + 50].position.y += 1;
    isMoved = true;
  };
  return {
    group,
    frames: 11,
    changes: Object.fromEntries([5, 6, 7, 8, 9].map((frame, k) => [frame, () => move(k)])),
    frame: () => {
      names = namesDrawn(scene, camera);
      const isChanged = changes.changedIn(camera);
      isMissed ||= isMoved && !isChanged;
      isMoved = false;
    },
    check: () => expect(isMissed).toBe(false),
    state: () => `${names.length}`,
  };
}

export const SLICED_WORK: readonly (readonly [string, () => SlicedWork])[] = [
  ['batches of own geometries', () => batches((_, own) => own, false)],
  ['batches of own geometries and one material', () => batches((_, own) => own, true)],
  ['batches of equal geometries', () => batches((k) => shared[k % 2], true)],
  ['posed chunks', movers],
  ['occluders', occluders],
  ['members of a large group', manyMembers],
];
