// Events of react-three-fiber with handlers on a container: one raycast per event, and the event has the object and the
// instance that are hit.

import {
  act,
  createRoot,
  events,
  extend,
  type ReconcilerRoot,
  type RootState,
  type ThreeEvent,
} from '@react-three/fiber';
import { createElement, Fragment, type ReactNode } from 'react';
import { BoxGeometry, Matrix4, Mesh, MeshBasicMaterial, type Object3D } from 'three';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OctreeGroup, OctreeInstances } from '../../src/three.ts';
import { cube } from '../support/three-passes.ts';

const EDGE = 200;
extend({ Mesh, BoxGeometry });
let canvas: HTMLCanvasElement;
let root: ReconcilerRoot<HTMLCanvasElement>;
let state: RootState;

beforeEach(async () => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  canvas = document.createElement('canvas');
  Object.assign(canvas.style, { position: 'fixed', left: '0', top: '0', width: `${EDGE}px`, height: `${EDGE}px` });
  document.body.append(canvas);
  root = createRoot(canvas);
  await root.configure({
    events,
    frameloop: 'never',
    size: { width: EDGE, height: EDGE, top: 0, left: 0 },
    camera: { position: [0, 0, 10], fov: 90 },
    dpr: 1,
  });
});

afterEach(async () => {
  await act(async () => root.unmount());
  canvas.remove();
});

/** Renders elements into the scene and draws a frame. */
async function show(...elements: ReactNode[]): Promise<void> {
  state = await act(async () => root.render(createElement(Fragment, null, ...elements)).getState());
  state.advance(0);
}

/** Fires an event at a point of the plane z = 0. The canvas shows 20 units of it. */
async function fire(type: string, x: number, y: number): Promise<void> {
  const clientX = EDGE / 2 + (x / 20) * EDGE;
  const clientY = EDGE / 2 - (y / 20) * EDGE;
  await act(async () =>
    canvas.dispatchEvent(
      new PointerEvent(type, {
        clientX,
        clientY,
        offsetX: clientX,
        offsetY: clientY,
        bubbles: true,
        pointerId: 1,
      } as PointerEventInit),
    ),
  );
}

const primitive = (
  object: Object3D,
  handlers: Record<string, (event: ThreeEvent<PointerEvent>) => void>,
  key: string,
): ReactNode => createElement('primitive', { object, key, ...handlers });

describe('react-three-fiber', () => {
  it('raycasts an OctreeGroup once per event, and reports the child that is hit', async () => {
    const group = new OctreeGroup();
    for (let k = 0; k < 400; k++) group.add(cube((k % 20) - 9.5, Math.floor(k / 20) - 9.5));
    const seen: string[] = [];
    await show(
      primitive(
        group,
        { onPointerMove: ({ object, eventObject }) => void seen.push(`${object.name} in ${eventObject.type}`) },
        'group',
      ),
    );
    const rays = vi.spyOn(group, 'raycast');
    const children = group.children.map((child) => vi.spyOn(child, 'raycast'));
    // The bounds of the children were computed before the spies were set, so only children near the ray are raycast.
    await fire('pointermove', 0.5, 3.5);
    expect(seen).toEqual(['cube 0.5 in Group']);
    expect(rays).toHaveBeenCalledTimes(1);
    expect(children.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBeLessThan(10);
  });

  it('fires over, out and click events of the children of a group', async () => {
    const [left, right] = [cube(-5), cube(5)];
    const calls: string[] = [];
    const log =
      (kind: string) =>
      ({ object }: ThreeEvent<PointerEvent>) =>
        void calls.push(`${kind} ${object.name}`);
    await show(
      primitive(
        new OctreeGroup().add(left, right),
        { onPointerOver: log('over'), onPointerOut: log('out'), onClick: log('click') },
        'group',
      ),
    );
    await fire('pointermove', -5, 0);
    await fire('pointermove', 5, 0);
    await fire('pointerdown', 5, 0);
    await fire('pointerup', 5, 0);
    await fire('click', 5, 0);
    await fire('pointermove', 0, 9);
    expect(calls).toEqual(['over cube -5', 'out cube -5', 'over cube 5', 'click cube 5', 'out cube 5']);
  });

  it('reports the instance of OctreeInstances that is hit', async () => {
    const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 3);
    for (let k = 0; k < 3; k++) instances.setMatrixAt(k, new Matrix4().makeTranslation(5 * k - 5, 0, 0));
    const seen: unknown[] = [];
    await show(
      primitive(
        instances,
        { onPointerMove: ({ object, instanceId }) => void seen.push(object === instances, instanceId) },
        'instances',
      ),
    );
    const rays = vi.spyOn(instances, 'raycast');
    await fire('pointermove', 5, 0);
    expect(seen).toEqual([true, 2]);
    expect(rays).toHaveBeenCalledTimes(1);
  });

  it('adds, inserts between others and removes the children of a group', async () => {
    const group = new OctreeGroup();
    const element = (...xs: number[]): ReactNode =>
      createElement(
        'primitive',
        { object: group, key: 'group' },
        ...xs.map((x) =>
          createElement('mesh', { key: x, position: [x, 0, 0], name: `mesh ${x}` }, createElement('boxGeometry')),
        ),
      );
    await show(element(-5, 5));
    await show(element(-5, 0, 5));
    expect(group.children.map(({ name }) => name)).toEqual(['mesh -5', 'mesh 0', 'mesh 5']);
    expect(group.octree.size).toBe(3);
    await show(element(5));
    state.advance(1);
    expect(group.octree.size).toBe(1);
    expect(group.octree.intersectPoint({ x: 5, y: 0, z: 0 })[0].body.data).toBe(group.children[0]);
    expect(group.children[0]).toBeInstanceOf(Mesh);
  });
});
