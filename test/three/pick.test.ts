import { BoxGeometry, Mesh, MeshBasicMaterial, OrthographicCamera, PerspectiveCamera, Points, Raycaster, Vector3, type Camera } from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeGroup, pick } from '../../src/three/index.ts';
import { cube } from '../support/three-passes.ts';

/** A canvas of 200 x 100 pixels that does not begin in the corner of the window. */
const element = { getBoundingClientRect: () => ({ left: 50, top: 30, width: 200, height: 100 }) };
const perspective = new PerspectiveCamera(90, 2, 0.1, 100);
const orthographic = new OrthographicCamera(-20, 20, 10, -10, 0.1, 100);
for (const camera of [perspective, orthographic]) {
  camera.position.z = 10;
  camera.updateMatrixWorld();
}

/** Where a point of the world lies in the window. */
function at(x: number, y: number, z: number, camera: Camera): { clientX: number; clientY: number } {
  const place = new Vector3(x, y, z).project(camera);
  return { clientX: 50 + 100 * (place.x + 1), clientY: 30 + 50 * (1 - place.y) };
}

describe('pick', () => {
  it.each([['a perspective', perspective], ['an orthographic', orthographic]])('finds the nearest object under the pointer, with %s camera', (_, camera) => {
    const group = new OctreeGroup().add(cube(0), cube(0, 0, -5), cube(7, 4, -3));
    expect(pick(at(0.2, 0.2, 0.5, camera), camera, element, group)!.object).toBe(group.children[0]);
    expect(pick(at(7, 4, -3, camera), camera, element, group)!.object).toBe(group.children[2]);
    expect(pick(at(-7, 4, 0, camera), camera, element, group)).toBeNull();
  });

  it('is null beside the element and in one without a size', () => {
    const group = new OctreeGroup().add(new Mesh(new BoxGeometry(900, 900, 1), new MeshBasicMaterial()));
    for (const [clientX, clientY, hits] of [[50, 30, true], [250, 130, true], [49, 80, false], [251, 80, false], [150, 29, false], [150, 131, false]] as const) {
      expect(pick({ clientX, clientY }, perspective, element, group) !== null).toBe(hits);
    }
    expect(pick({ clientX: 0, clientY: 0 }, perspective, { getBoundingClientRect: () => ({ left: 0, top: 0, width: 0, height: 0 }) }, group)).toBeNull();
  });

  it('passes through hidden objects and other layers, unless it is told not to', () => {
    const group = new OctreeGroup().add(cube(0), cube(0, 0, -5));
    const [front, back] = group.children;
    const pointer = at(0.1, 0.1, 0, perspective);
    front.visible = false;
    expect(pick(pointer, perspective, element, group)!.object).toBe(back);
    expect(pick(pointer, perspective, element, group, { includesHidden: true })!.object).toBe(front);
    front.visible = true;
    front.layers.set(2);
    expect(pick(pointer, perspective, element, group)!.object).toBe(back);
    group.visible = false;
    expect(pick(pointer, perspective, element, group)).toBeNull();
  });

  it('takes the thresholds of a raycaster', () => {
    const group = new OctreeGroup().add(new Points(new BoxGeometry(4, 4, 4)));
    const raycaster = new Raycaster();
    raycaster.params.Points.threshold = 0.1;
    expect(pick(at(0, 0, 0, perspective), perspective, element, group, { raycaster })).toBeNull();
    raycaster.params.Points.threshold = 4;
    expect(pick(at(0, 0, 0, perspective), perspective, element, group, { raycaster })!.index).toBeGreaterThanOrEqual(0);
  });

  it('refuses a pointer without a place', () => {
    expect(() => pick({} as never, perspective, element, new OctreeGroup())).toThrow(/^pick: pointer must have a finite clientX/);
  });
});
