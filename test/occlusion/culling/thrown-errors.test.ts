// A call that throws, because memory runs out or by code of the user, leaves the state before it: the next frame draws
// all that can be seen, and occluders hide again when the cause is gone.

import { Box3, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SolidBoxQueue } from '../../../src/core.ts';
import { Occluders } from '../../../src/occlusion/visible/occluders.ts';
import { withFault } from '../../support/allocation-faults.ts';
import { addBehind, occluded } from '../../support/occluded-scene.ts';
import { plant } from '../../support/planted-faults.ts';
import { arraysOf, gabled } from '../../support/solid-meshes.ts';
import { nextTask } from '../../support/next-task.ts';

const BOTH = ['small', 'wall'];
const HIDDEN = ['wall'];
/** The left half of the wall. */
const LEFT = new Box3(new Vector3(-9, -9, -0.4), new Vector3(-3, 9, 0.4));

afterEach(() => void vi.restoreAllMocks());

/** Setting an occluder throws, as where there is no memory for its boxes. */
function failToSet(): void {
  plant(
    Occluders.prototype,
    'set',
    (original) =>
      function (...values) {
        if (values[2] !== undefined) throw new Error('no memory');
        original.apply(this, values);
      },
  );
}

describe('an occluder whose boxes cannot be set', () => {
  it('hides nothing where it was, and hides where it is from the next attempt on', async () => {
    const scene = occluded({}, false);
    const { wall, small, occlusion, drawn } = scene;
    small.position.x = -7;
    occlusion.setOccluder(wall, LEFT).finish();
    expect(drawn()).toEqual(HIDDEN);
    // The bounds stay as they are.
    wall.rotation.z = Math.PI;
    failToSet();
    expect(() => drawn()).toThrow('no memory');
    vi.restoreAllMocks();
    expect(drawn()).toEqual(BOTH);
    small.position.x = 7;
    await nextTask();
    drawn();
    await nextTask();
    expect(drawn()).toEqual(HIDDEN);
  });

  it('stays due', async () => {
    const { wall, occlusion, drawn } = occluded({}, false);
    occlusion.setOccluder(wall, true);
    failToSet();
    expect(() => occlusion.finish()).toThrow('no memory');
    vi.restoreAllMocks();
    expect(occlusion.isPreparing).toBe(true);
    await nextTask();
    drawn();
    expect(drawn()).toEqual(HIDDEN);
  });
});

describe('a material whose getter throws once', () => {
  it('counts as one that must be drawn', async () => {
    const scene = occluded();
    const { drawn, scene: root, group } = scene;
    const added = new Mesh(scene.small.geometry, new MeshBasicMaterial());
    addBehind(scene, added);
    await nextTask();
    drawn();
    expect(drawn()).toEqual(HIDDEN);
    added.material = new MeshBasicMaterial({ depthTest: false });
    let throws = true;
    Object.defineProperty(added.material, 'depthTest', {
      get() {
        if (throws) throw new Error('no depthTest');
        return false;
      },
    });
    group.reportMove(added);
    expect(() => root.updateMatrixWorld()).toThrow('no depthTest');
    expect(scene.occlusion.report().alwaysDrawn).toBe(1);
    throws = false;
    expect(drawn()).toContain('added');
  });
});

it('a pass that throws leaves no marks: later passes leave out what looks too small', () => {
  const { group, drawn, occlusion } = occluded({}, false);
  occlusion.setOccluder(group.children[0], null);
  group.minScreenSize = 0.01;
  const other = new Mesh(occluded().wall.geometry, new MeshBasicMaterial());
  other.position.set(0, 0, -3);
  other.name = 'other';
  group.add(other);
  occlusion.setOccluder(other, true).finish();
  expect(drawn()).toEqual(['other', 'wall']);
  plant(Occluders.prototype, 'read', () => () => {
    throw new Error('no memory');
  });
  expect(() => drawn()).toThrow('no memory');
  vi.restoreAllMocks();
  for (const child of group.children) child.scale.setScalar(0.05);
  group.minScreenSize = 1;
  expect(drawn()).toEqual([]);
});

it('a pass without memory for its walk draws all and says why, and the next one hides again', () => {
  let failures = 0;
  for (let n = 1; ; n++) {
    const { occlusion, drawn } = occluded();
    let names: string[] = [];
    const { allocations, error } = withFault(n, () => (names = drawn()));
    if (allocations < n) break;
    if (error === undefined && names.length === 2) {
      failures++;
      expect(occlusion.reason).toBe('memory ran out');
      expect(occlusion.visible).toEqual([]);
    }
    expect(drawn()).toEqual(HIDDEN);
    expect(occlusion.reason).toBe('');
  }
  expect(failures).toBeGreaterThan(0);
});

it('a SolidBoxQueue finds boxes in a second attempt, and gives up a geometry that throws twice', () => {
  for (const errors of [1, 2]) {
    const queue = new SolidBoxQueue();
    const { positions } = arraysOf(gabled());
    let left = errors;
    const attribute = {
      count: positions.length / 3,
      getX(k: number) {
        if (k === 7 && left-- > 0) throw new RangeError('no memory');
        return positions[3 * k];
      },
      getY: (k: number) => positions[3 * k + 1],
      getZ: (k: number) => positions[3 * k + 2],
    };
    const geometry = { attributes: { position: attribute } };
    expect(queue.boxesOf(geometry)).toBeNull();
    queue.run(Infinity);
    expect(queue.boxesOf(geometry)).toHaveLength(errors === 1 ? 2 : 0);
    expect(queue.waiting).toBe(0);
  }
});
