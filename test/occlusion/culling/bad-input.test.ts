// What OcclusionCulling refuses, before anything changes.

import { Box3, Group, PerspectiveCamera, Vector3 } from 'three';
import { OBB } from 'three/addons/math/OBB.js';
import { describe, expect, it } from 'vitest';
import { OcclusionCulling, OctreeGroup } from '../../../src/three.ts';
import { occluded, type Occluded } from '../../support/occluded-scene.ts';

const HIDDEN = ['wall'];

describe('errors', () => {
  const group = new OctreeGroup();
  const camera = new PerspectiveCamera();

  it.each<[string, unknown[], string]>([
    [
      'another container',
      [new Group(), camera],
      'OcclusionCulling: container must be an OctreeGroup or OctreeInstances',
    ],
    ['no camera', [group, group], 'OcclusionCulling: camera must be a Camera'],
    ['an unknown option', [group, camera, { size: 1 }], 'OcclusionCulling: '],
    ['auto', [group, camera, { auto: true }], 'OcclusionCulling: options.auto must be a function'],
    [
      'a buffer of 8 cells',
      [group, camera, { bufferWidth: 8 }],
      'OcclusionCulling: options.bufferWidth must be an integer from 16 to 2048',
    ],
    ['a share of 2', [group, camera, { minRemoved: 2 }], 'OcclusionCulling: options.minRemoved must lie from 0 to 1'],
  ])('refuses %s', (_, values, message) => {
    expect(() => Reflect.construct(OcclusionCulling, values)).toThrow(message);
    expect(group.groupChildren.bodies.culling).toBe(undefined);
  });

  it('refuses a second one', () => {
    const { group: taken } = occluded();
    expect(() => new OcclusionCulling(taken, camera)).toThrow(
      'OcclusionCulling: container has an OcclusionCulling already; dispose it first.',
    );
  });

  it.each<[string, (scene: Occluded) => unknown[], string]>([
    [
      'a group',
      () => [new Group(), true],
      'target must be a mesh or a geometry, but is a Group; pass what holds the vertices.',
    ],
    ['a number of boxes', ({ wall }) => [wall, 3], 'boxes must be true, a box, an array of boxes or null'],
    ['no box', ({ wall }) => [wall, []], 'boxes must have at least one box'],
    ['an empty box', ({ wall }) => [wall, new Box3()], 'the box is empty'],
    ['a NaN', ({ wall }) => [wall, [new Box3(new Vector3(NaN), new Vector3(1))]], 'boxes[0]'],
    [
      'an OBB with a negative size',
      ({ wall }) => [wall, [new OBB(new Vector3(), new Vector3(1, -1, 1))]],
      'boxes[0]: orientedBox.halfSize.y must be 0 or more, but is -1',
    ],
    [
      'a box that leaves the mesh',
      ({ wall }) => [wall, new Box3(new Vector3(-11, -9, 0), new Vector3(9, 9, 0.1))],
      'box must lie inside the box around the vertices of the mesh, but leaves it; give it in the local space of the mesh.',
    ],
  ])('setOccluder refuses %s, and changes nothing', (_, values, message) => {
    const scene = occluded();
    const call = (): unknown =>
      Reflect.apply(Reflect.get(scene.occlusion, 'setOccluder'), scene.occlusion, values(scene));
    expect(call).toThrow(`OcclusionCulling.setOccluder: ${message}`);
    expect(scene.drawn()).toEqual(HIDDEN);
  });
});
