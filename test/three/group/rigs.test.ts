// Objects that three places by reading other objects: after each frame, all matrices of an OctreeGroup are those of a
// plain Group, and so is what each pass draws.

import { Group, type Object3D } from 'three';
import { describe, it } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { expectSameDrawn, expectSameTexts, frustumOf, projectPass, stripeCamera } from '../../support/pass-lists.ts';
import { box, RIGS, STATIONS, type Rig } from '../../support/rigs.ts';
import { createTwins, type Twin } from '../../support/three-scenes.ts';

/** Adds objects to a group. Returns what to call before each frame. */
type Placement = (group: Group, objects: readonly Object3D[]) => () => void;

const nothing = (): void => undefined;

function addTree(group: Group, root: Object3D): void {
  if (group instanceof OctreeGroup) group.addTree(root);
  else group.add(root);
}

const PLACEMENTS: Record<string, Placement> = {
  'as children': (group, objects) => {
    group.add(...objects);
    return nothing;
  },
  'as children, after others were removed and added': (group, objects) => {
    const others = Array.from({ length: 100 }, (_, k) => box(`other ${k}`));
    group.add(...others.slice(0, 70), ...objects, ...others.slice(70));
    group.updateMatrixWorld();
    group.remove(...others.filter((_, k) => k % 3 > 0));
    return nothing;
  },
  'as children that were written into the array of children': (group, objects) => {
    group.add(...objects.slice(1));
    group.updateMatrixWorld();
    objects[0].parent = group;
    group.children.unshift(objects[0]);
    return nothing;
  },
  'in an opened tree': (group, objects) => {
    addTree(group, new Group().add(...objects));
    return nothing;
  },
  'in opened trees': (group, objects) => {
    for (const object of objects) addTree(group, new Group().add(object));
    return nothing;
  },
  'in a closed tree': (group, objects) => {
    group.add(new Group().add(...objects));
    return nothing;
  },
  'in closed trees': (group, objects) => {
    for (const object of objects) group.add(new Group().add(object));
    return nothing;
  },
  'as static children, all reported': (group, objects) => {
    group.add(...objects);
    if (!(group instanceof OctreeGroup)) return nothing;
    for (const object of objects) group.setStatic(object);
    return () => objects.forEach((object) => group.reportMove(object));
  },
};

/** Cameras side by side, each of which sees a part of the objects. */
const STRIPES = Array.from({ length: 10 }, (_, left) => {
  const camera = stripeCamera(left, 1);
  return { camera, frustum: frustumOf(camera) };
});

function matricesIn({ scene }: Twin): string[] {
  const matrices: string[] = [];
  scene.traverse(({ matrixWorld, type, name }) => matrices.push(`${type} ${name} ${matrixWorld.elements.join(' ')}`));
  return matrices;
}

describe.each(Object.entries(PLACEMENTS))('%s', (_, place) => {
  it.each(Object.entries(RIGS))('%s', (__, createRig) => {
    for (const isReaderFirst of [false, true]) {
      const rigs = new Map<Group, { rig: Rig; prepare: () => void }>();
      const twins = createTwins(1, (group) => {
        const rig = createRig();
        const [first, ...rest] = rig.targets;
        rigs.set(group, {
          rig,
          prepare: place(group, isReaderFirst ? [rig.reader, ...rig.targets] : [first, rig.reader, ...rest]),
        });
      });
      for (const [frame, x] of STATIONS.entries()) {
        twins.each(({ group, scene }) => {
          const { rig, prepare } = rigs.get(group)!;
          rig.step(x);
          prepare();
          scene.updateMatrixWorld();
        });
        expectSameTexts(matricesIn(twins.octree), matricesIn(twins.plain), `frame ${frame}`);
        for (const { camera, frustum } of STRIPES) {
          expectSameDrawn(
            `frame ${frame}`,
            projectPass(twins.plain.scene, camera, frustum),
            projectPass(twins.octree.scene, camera, frustum),
            frustum,
          );
        }
      }
    }
  });
});
