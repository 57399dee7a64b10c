// three computes the bounding sphere of a geometry in the first pass that could draw it, and keeps it. An OctreeGroup
// must neither be early nor late.

import { BoxGeometry, Group, Mesh, MeshBasicMaterial, type BufferGeometry, type Object3D } from 'three';
import { describe, expect, it } from 'vitest';
import { boundsOf, OctreeGroup } from '../../../src/three.ts';
import { expectSameDrawn, frustumOf, projectPass, stripeCamera } from '../../support/pass-lists.ts';
import { createTwins } from '../../support/three-scenes.ts';

const material = new MeshBasicMaterial();

/** Moves all vertices along x, as code does that does not compute the bounding sphere again. */
function shift({ attributes: { position } }: BufferGeometry, x: number): void {
  for (let k = 0; k < position.count; k++) position.setX(k, position.getX(k) + x);
  position.needsUpdate = true;
}

/** What happens to a mesh at x = 0 before a frame. */
type Change = (mesh: Mesh, container: Object3D) => void;

const show: Change = (_, container) => (container.visible = true);
const histories: Record<string, Change[]> = {
  'vertices that change while the mesh is hidden': [
    (_, container) => (container.visible = false),
    ({ geometry }) => shift(geometry, 50),
    show,
    () => undefined,
  ],
  'vertices that change while the mesh is on another layer': [
    ({ layers }) => layers.set(2),
    ({ geometry }) => shift(geometry, 50),
    ({ layers }) => layers.set(0),
    () => undefined,
  ],
  'vertices that change after the first pass': [
    () => undefined,
    ({ geometry }) => shift(geometry, 50),
    ({ geometry }) => shift(geometry, -50),
  ],
  'vertices that change after the first pass, out of view': [
    ({ position }) => (position.x = 200),
    ({ geometry }) => shift(geometry, -200),
    ({ geometry }) => geometry.computeBoundingSphere(),
  ],
  'a sphere that is set to null': [
    () => undefined,
    ({ geometry }) => (shift(geometry, 50), (geometry.boundingSphere = null)),
    () => undefined,
  ],
  'a sphere that is set to null while the mesh is hidden': [
    () => undefined,
    (mesh, container) => ((container.visible = false), (mesh.geometry.boundingSphere = null)),
    ({ geometry }) => shift(geometry, 50),
    show,
  ],
};

const placements: Record<string, (group: Group, mesh: Mesh) => Object3D> = {
  'of a child': (group, mesh) => (group.add(mesh), mesh),
  'of a part of a child': (group, mesh) => {
    const car = new Group().add(new Mesh(new BoxGeometry(), material).translateX(100), mesh);
    group.add(car);
    return car;
  },
  'of a part of an opened tree': (group, mesh) => {
    const root = new Group().add(new Group().add(mesh));
    if (group instanceof OctreeGroup) group.addTree(root);
    else group.add(root);
    return root;
  },
};

describe.each(Object.entries(placements))('the bounding sphere %s is that of a plain Group', (_, place) => {
  it.each(Object.entries(histories))('with %s', (__, history) => {
    const meshes = new Map<Group, { mesh: Mesh; container: Object3D }>();
    const twins = createTwins(1, (group) => {
      const mesh = new Mesh(new BoxGeometry(), material);
      meshes.set(group, { mesh, container: place(group, mesh) });
    });
    for (const [frame, change] of history.entries()) {
      twins.each(({ scene, group }) => {
        const { mesh, container } = meshes.get(group)!;
        // As code does that reads matrices between frames.
        scene.updateMatrixWorld();
        change(mesh, container);
        scene.updateMatrixWorld();
      });
      for (const x of [-1, 49, 199]) {
        const camera = stripeCamera(x, 2);
        expectSameDrawn(
          `frame ${frame}`,
          projectPass(twins.plain.scene, camera),
          projectPass(twins.octree.scene, camera),
          frustumOf(camera),
        );
      }
      const [plain, octree] = [twins.plain, twins.octree].map(
        ({ group }) => meshes.get(group)!.mesh.geometry.boundingSphere,
      );
      expect(octree, `frame ${frame}`).toEqual(plain);
    }
  });
});

it('boundsOf sets no bounding sphere', () => {
  const mesh = new Mesh(new BoxGeometry(), material);
  expect(boundsOf(mesh)).not.toBeNull();
  expect(mesh.geometry.boundingSphere).toBeNull();
});
