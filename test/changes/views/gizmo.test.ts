// What the guide to editors says of ViewChanges: a page with a gizmo rests, and each change of the gizmo is drawn.

import { BoxGeometry, Mesh, MeshBasicMaterial, Scene } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { expect, it } from 'vitest';
import { OctreeGroup, ViewChanges } from '../../../src/three.ts';
import { FakeRenderer } from '../../support/change-towns.ts';
import { createCamera } from '../../support/three-pictures.ts';

it('a gizmo beside the group counts as changed in each frame, until it is still and reports its changes', () => {
  const camera = createCamera([0, 0, 20], [0, 0, 0], 60);
  const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
  const gizmo = new TransformControls(camera);
  const group = new OctreeGroup().add(mesh);
  const scene = new Scene().add(group, gizmo.getHelper());
  const changes = new ViewChanges(scene, new FakeRenderer(), [group]);
  const frames = (): boolean[] => Array.from({ length: 3 }, () => changes.changedIn(camera));
  gizmo.attach(mesh);
  frames();
  expect(frames()).toEqual([true, true, true]);
  changes.setStill(gizmo.getHelper());
  gizmo.addEventListener('change', () => changes.redrawAll());
  frames();
  expect(frames()).toEqual([false, false, false]);
  const kinds = {
    hover: () => (gizmo.axis = 'X'),
    mode: () => gizmo.setMode('rotate'),
    detach: () => gizmo.detach(),
    attach: () => gizmo.attach(mesh),
    drag: () => mesh.position.setX(3), // of the mesh, which the group finds
  };
  for (const [kind, change] of Object.entries(kinds)) {
    change();
    expect(frames(), kind).toEqual([true, false, false]);
  }
});
