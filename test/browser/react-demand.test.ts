// useFramesOnDemand in Chromium: a canvas with frameloop="demand" renders the frames in which the picture changes.

import { act, createRoot, extend, type ReconcilerRoot, type RootState } from '@react-three/fiber';
import { createElement, createRef, useRef, type ReactElement } from 'react';
import { BoxGeometry, Group, Matrix4, Mesh, MeshBasicMaterial } from 'three';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OctreeGroup, OctreeInstances, useFramesOnDemand } from '../../src/react/index.ts';
import type { OctreeGroup as OctreeGroupObject, OctreeInstances as OctreeInstancesObject } from '../../src/three.ts';

extend({ Mesh, Group, BoxGeometry, MeshBasicMaterial });
let canvas: HTMLCanvasElement;
let root: ReconcilerRoot<HTMLCanvasElement>;
const group = createRef<OctreeGroupObject>();
const instances = createRef<OctreeInstancesObject>();
const box = createRef<Mesh>();

beforeEach(async () => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  canvas = document.createElement('canvas');
  document.body.append(canvas);
  root = createRoot(canvas);
  await root.configure({
    frameloop: 'demand',
    size: { width: 100, height: 100, top: 0, left: 0 },
    camera: { position: [0, 0, 10] },
    dpr: 1,
  });
});

afterEach(async () => {
  await act(async () => root.unmount());
  canvas.remove();
});

/** New arguments would make new instances. */
const INSTANCES: [BoxGeometry, MeshBasicMaterial, number] = [new BoxGeometry(), new MeshBasicMaterial(), 3];

function Demand({ ground }: { readonly ground: boolean }): ReactElement {
  const floor = useRef<Mesh>(null);
  useFramesOnDemand([group, instances], [floor]);
  const mesh = createElement('boxGeometry');
  return createElement(
    'group',
    null,
    createElement(OctreeGroup, { ref: group }, createElement('mesh', { ref: box }, mesh)),
    createElement(OctreeInstances, { ref: instances, args: INSTANCES }),
    ground ? createElement('mesh', { ref: floor }, mesh) : null,
  );
}

const frames = async (count = 4): Promise<void> => {
  for (let k = 0; k < count; k++) await act(async () => new Promise((resolve) => requestAnimationFrame(resolve)));
};

it('renders changes of containers, and nothing while the page rests', async () => {
  const state: RootState = await act(async () => root.render(createElement(Demand, { ground: true })).getState());
  const render = vi.spyOn(state.gl, 'render');
  /** How often it renders in some frames after a change. */
  const rendersAfter = async (change: () => void): Promise<number> => {
    render.mockClear();
    change();
    await frames();
    return render.mock.calls.length;
  };
  await frames(10);
  expect(await rendersAfter(() => {})).toBe(0);
  expect(await rendersAfter(() => void (box.current!.position.x += 1))).toBe(1);
  expect(await rendersAfter(() => void instances.current!.setMatrixAt(1, new Matrix4().makeTranslation(1, 1, 1)))).toBe(
    1,
  );
  expect(await rendersAfter(() => void (state.camera.position.x += 1))).toBe(1);
  // Far behind the camera.
  box.current!.position.z = 99;
  await frames();
  expect(await rendersAfter(() => void (box.current!.position.x += 1))).toBe(0);
  await act(async () => root.render(createElement(Demand, { ground: false })));
  await frames(6);
  expect(await rendersAfter(() => void instances.current!.setVisibleAt(1, false))).toBe(1);
  expect(await rendersAfter(() => {})).toBe(0);
});
