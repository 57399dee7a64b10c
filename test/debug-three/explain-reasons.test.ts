// What `explain` says of clipping planes, of bounds that are too old, and of rays that miss.

import {
  BoxGeometry,
  BufferGeometry,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  Vector3,
  type Object3D,
} from 'three';
import { describe, expect, it } from 'vitest';
import { explain } from '../../src/debug-three/index.ts';
import { OctreeInstances } from '../../src/three.ts';
import { cube as box, frame, row, sceneWith, slab } from '../support/explained-row.ts';
import { at } from '../support/instance-passes.ts';

const keepsAbove = (y: number): Plane => new Plane(new Vector3(0, 1, 0), -y);
const keepsLeftOf = (x: number): Plane => new Plane(new Vector3(-1, 0, 0), x);

describe('explain', () => {
  const camera = slab();
  const says = (object: Object3D): string => explain(object, camera);

  it('names the near plane of what is behind the camera', () => {
    const group = row();
    sceneWith(group);
    const view = new PerspectiveCamera(60, 1, 1, 1000);
    view.lookAt(-1, 0, 0);
    view.updateMatrixWorld();
    expect(explain(group.children[9], view)).toContain(
      'its bounds are outside the near plane of the frustum, behind the camera or too near.',
    );
  });

  it('knows clipping planes: of materials, for all and for any, of the renderer', () => {
    const group = row();
    const [plain, cut, partly, both] = group.children as Mesh<BoxGeometry, MeshBasicMaterial>[];
    cut.material.clippingPlanes = [keepsAbove(2.1)];
    partly.material.clippingPlanes = [keepsAbove(0)];
    Object.assign(both.material, { clippingPlanes: [keepsAbove(3), keepsLeftOf(0)], clipIntersection: true });
    const wide = new OrthographicCamera(-100, 100, 50, -50, -50, 50);
    const scene = sceneWith(group);
    const clipped = 'is drawn on its own: it shows nothing, because clipping planes cut away all of it.';
    const shown = (): boolean[] => [plain, cut, partly, both].map((mesh) => !explain(mesh, wide).endsWith(clipped));
    const rendered = (clippingPlanes: Plane[], localClippingEnabled: boolean): void =>
      frame(scene, { clippingPlanes, localClippingEnabled });
    rendered([], true);
    expect(shown()).toEqual([true, false, true, false]);
    both.material.clipIntersection = false;
    cut.material.clippingPlanes = [keepsAbove(1.9)];
    expect(shown()).toEqual([true, true, true, false]);
    rendered([], false);
    expect(shown()).toEqual([true, true, true, true]);
    rendered([keepsLeftOf(15)], false);
    expect(shown()).toEqual([true, true, false, false]);
  });

  it('knows clipping planes of instances', () => {
    const planes = [new Plane(new Vector3(-1, 0, 0), 15)];
    const instances = new OctreeInstances(box, new MeshBasicMaterial({ clippingPlanes: planes }), 40);
    for (let id = 0; id < 40; id++) instances.setMatrixAt(id, at(10 * id));
    const scene = new Scene().add(instances);
    scene.updateMatrixWorld();
    const wide = new OrthographicCamera(-100, 100, 50, -50, -50, 50);
    expect(explain(instances, wide, 1)).toMatch(/is drawn\.$/);
    expect(explain(instances, wide, 2)).toMatch(/is drawn: clipping planes cut away all of it\.$/);
  });

  it('says that pick leaves out what clipping planes cut away', () => {
    const group = row();
    const [first, second] = group.children as Mesh<BoxGeometry, MeshBasicMaterial>[];
    first.material.clippingPlanes = [new Plane(new Vector3(1, 0, 0), 0)];
    const scene = sceneWith(group);
    frame(scene, { clippingPlanes: [], localClippingEnabled: true });
    const ray = new Raycaster(new Vector3(-20, 0, 0), new Vector3(1, 0, 0));
    expect(explain(first, ray)).toBe(
      'The Mesh "0" is hit at 18, the nearest hit; clipping planes cut this point away: pick leaves it out.',
    );
    expect(explain(second, ray)).toBe(
      'The Mesh "1" is hit at 28, behind the Mesh "0" at 18, which is cut away by clipping planes: pick leaves that one out.',
    );
    // The inner side of the far face is left of it.
    first.material.side = DoubleSide;
    expect(explain(first, ray)).toContain('The Mesh "0" is hit at 22, behind the Mesh "0" at 18, which is cut away');
  });

  it('says that a sphere does not hold the vertices, to a camera and to a raycaster', () => {
    const group = row();
    const moved = group.children[1] as Mesh;
    moved.geometry = new BoxGeometry(4, 4, 4);
    moved.geometry.computeBoundingSphere();
    const scene = sceneWith(group);
    const { position } = moved.geometry.attributes;
    for (let k = 0; k < position.count; k++) position.setX(k, position.getX(k) + 30);
    position.needsUpdate = true;
    moved.position.x -= 30;
    group.reportMove(moved);
    frame(scene);
    const note =
      ', and its boundingSphere does not hold its vertices: call geometry.computeBoundingSphere() after a change.';
    expect(says(moved)).toBe(`The Mesh "1" is not drawn: its bounds are outside the left plane of the frustum${note}`);
    const ray = new Raycaster(new Vector3(10, 0, 20), new Vector3(0, 0, -1));
    expect(explain(moved, ray)).toBe(
      `The Mesh "1" is not hit: the ray passes its bounding sphere at a distance of 26.54${note}`,
    );
    moved.geometry.computeBoundingSphere();
    group.reportMove(moved);
    frame(scene);
    expect(says(moved)).toBe('The Mesh "1" is drawn on its own.');
    expect(explain(moved, ray)).toContain('is hit at 18');
    expect(says(group.children[9])).toMatch(/frustum\.$/);
  });

  it.each([undefined, null])('takes a gap in an array of materials for nothing drawn (%s)', (gap) => {
    const geometry = box.clone();
    geometry.clearGroups();
    geometry.addGroup(0, 36, 1);
    const material = new MeshBasicMaterial({ transparent: true });
    const mesh = new Mesh(geometry, [gap, material] as MeshBasicMaterial[]);
    const scene = sceneWith(mesh);
    expect(says(mesh)).toContain('is drawn');
    expect(explain(mesh, new Raycaster(new Vector3(0, 0, 40), new Vector3(1, 0, 0)))).toContain('the ray passes');
    material.clippingPlanes = [keepsAbove(9)];
    frame(scene, { clippingPlanes: [], localClippingEnabled: true });
    expect(says(mesh)).toContain('because clipping planes cut away all of it');
    material.clippingPlanes = [];
    for (const [fields, text] of [
      [{ opacity: 0 }, 'the opacity'],
      [{ opacity: 1, colorWrite: false }, 'writes no colours'],
    ] as const) {
      Object.assign(material, fields);
      expect(says(mesh)).toContain(text);
    }
  });

  it('says that a geometry has no vertices', () => {
    const mesh = new Mesh(new BufferGeometry(), new MeshBasicMaterial());
    mesh.name = 'bare';
    sceneWith(mesh);
    expect(explain(mesh, new PerspectiveCamera())).toBe('The Mesh "bare" is not drawn: its geometry has no vertices.');
  });

  it('tells an own raycast, and takes the sphere of an instance', () => {
    const group = row();
    group.children[1].raycast = (_, hits) => void hits.slice(1);
    const instances = new OctreeInstances(box, new MeshBasicMaterial(), 4);
    for (let id = 0; id < 4; id++) instances.setMatrixAt(id, at(30 * id));
    sceneWith(group, instances);
    const ray = new Raycaster(new Vector3(10, 0, 20), new Vector3(0, 0, -1));
    expect(explain(group.children[1], ray)).toBe(
      'The Mesh "1" is not hit: its own raycast finds no hit, where that of its class finds one.',
    );
    ray.ray.origin.x = 30;
    expect(explain(instances, ray, 2)).toContain(
      'is not hit: the ray passes its bounding sphere at a distance of 26.54.',
    );
    expect(explain(instances, ray, 1)).toContain('is hit at 18');
  });
});
