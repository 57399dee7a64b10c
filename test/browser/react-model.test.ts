// A model in an <OctreeGroup>: its meshes are added by an effect, as in the guide to React.

import { extend, type ThreeEvent } from '@react-three/fiber';
import { createElement, createRef, useEffect, useRef, type ReactNode } from 'react';
import { BoxGeometry, Group, Mesh, MeshBasicMaterial, type Object3D } from 'three';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OctreeGroup } from '../../src/react/index.ts';
import { StaticBatches, type OctreeGroup as OctreeGroupObject } from '../../src/three.ts';
import { Screen } from '../support/react-screen.ts';

extend({ Mesh, Group, BoxGeometry, MeshBasicMaterial });
const material = new MeshBasicMaterial();
let screen: Screen;

beforeEach(async () => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  screen = await new Screen().open();
});
afterEach(() => screen.close());

/** 20 meshes in groups. */
function building(): Group {
  const root = new Group();
  for (let k = 0; k < 20; k++) {
    const part = new Mesh(new BoxGeometry(), material);
    part.name = `part ${k}`;
    part.position.set((k % 5) * 2 - 4, Math.floor(k / 5) * 2 - 3, 0);
    root.add(new Group().add(part));
  }
  return root;
}

describe('a model that an effect adds to an <OctreeGroup>', () => {
  const reports: { bodies: number; batched: number }[] = [];
  /** As in the guide to React. */
  function Model({ root, onClick }: { root: Object3D; onClick: (event: ThreeEvent<MouseEvent>) => void }): ReactNode {
    const ref = useRef<OctreeGroupObject>(null);
    useEffect(() => {
      const group = ref.current!.addTree(root, { isStatic: true });
      const batches = new StaticBatches(group);
      batches.finish();
      reports.push({ bodies: group.octree.size, batched: batches.report().batched });
      return () => {
        batches.dispose();
        group.remove(root);
      };
    }, [root]);
    return createElement(OctreeGroup, { ref, onClick });
  }

  it('has a body for each mesh and one batch; a handler of the group is told which mesh was hit; another model takes its place', async () => {
    const [root, other] = [building(), building()];
    const clicked: string[] = [];
    const onClick = ({ object }: ThreeEvent<MouseEvent>): void => void clicked.push(object.name);
    await screen.show(createElement(Model, { root, onClick }));
    for (const type of ['pointerdown', 'pointerup', 'click']) await screen.fire(type, 2, 1);
    expect(clicked).toEqual(['part 13']);
    await screen.show(createElement(Model, { root: other, onClick }));
    await screen.show(createElement(Model, { root, onClick }));
    expect(reports).toEqual(Array.from({ length: 3 }, () => ({ bodies: 20, batched: 20 })));
    expect([root.parent === null, other.parent]).toEqual([false, null]);
    await screen.show();
    expect(root.parent).toBe(null);
  });
});

describe('meshes with a material each, as elements', () => {
  it('are drawn by one batch', async () => {
    const ref = createRef<OctreeGroupObject>();
    const elements = Array.from({ length: 100 }, (_, k) =>
      createElement(
        'mesh',
        { key: k, position: [(k % 10) - 5, Math.floor(k / 10) - 5, 0] },
        createElement('boxGeometry'),
        createElement('meshBasicMaterial', { color: k % 3 === 0 ? 'orange' : 'green' }),
      ),
    );
    await screen.show(createElement(OctreeGroup, { ref, hasStaticChildren: true }, ...elements));
    const batches = new StaticBatches(ref.current!).finish();
    const { batched, chunks, drawnMaterials, materialFields } = batches.report();
    expect({ batched, chunks, drawnMaterials, fields: materialFields.size }).toEqual({
      batched: 100,
      chunks: 1,
      drawnMaterials: 1,
      fields: 0,
    });
    batches.dispose();
  });
});
