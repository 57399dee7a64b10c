// What one container finds about a geometry and its materials, the other finds too.

import {
  BoxGeometry,
  BufferAttribute,
  Float32BufferAttribute,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  OrthographicCamera,
  SphereGeometry,
  Sphere,
  Texture,
  Vector3,
  type BufferGeometry,
  type Material,
} from 'three';
import { describe, expect, it } from 'vitest';
import { vertexBoxOf } from '../../../src/three/bounds/vertex-bounds.ts';
import { OctreeGroup, OctreeInstances } from '../../../src/three.ts';
import { frustumOf, viewsOf } from '../../support/instance-passes.ts';
import { passOver } from '../../support/three-passes.ts';

/** What is changed: the geometry of a mesh or level, its materials, or what it has in place of them. */
interface Drawn {
  geometry: BufferGeometry;
  readonly material: MeshStandardMaterial;
  /** Where `customDepthMaterial` is set. */
  readonly owner: { customDepthMaterial?: Material | undefined };
  replaceGeometry: ((geometry: BufferGeometry) => void) | null;
}

const move = (geometry: BufferGeometry, x: number): void => {
  const { position } = geometry.attributes;
  for (let k = 0; k < position.count; k++) position.setX(k, position.getX(k) + x);
};
const sphereAround = (x: number, radius: number): Sphere => new Sphere(new Vector3(x, 0, 0), radius);
const materialThatMoves = (): Material => new MeshStandardMaterial({ displacementMap: new Texture() });

/** Each change, from a box of edge 1 at 0; afterwards three draws it at 20, or still at 0 only. */
const changes: [string, reaches: boolean, (drawn: Drawn) => void][] = [
  ['a sphere that grows', true, ({ geometry }) => (geometry.boundingSphere!.radius = 21)],
  ['a sphere that moves', true, ({ geometry }) => geometry.boundingSphere!.center.setX(20)],
  ['a sphere that is replaced', true, ({ geometry }) => (geometry.boundingSphere = sphereAround(20, 1))],
  ['an infinite sphere', true, ({ geometry }) => (geometry.boundingSphere = sphereAround(0, Infinity))],
  [
    'vertices, with a new sphere',
    true,
    ({ geometry }) => {
      move(geometry, 20);
      geometry.attributes.position.needsUpdate = true;
      geometry.computeBoundingSphere();
    },
  ],
  [
    'vertices without needsUpdate, with a new sphere',
    true,
    ({ geometry }) => {
      move(geometry, 20);
      geometry.computeBoundingSphere();
    },
  ],
  [
    'vertices, and no sphere',
    true,
    ({ geometry }) => {
      move(geometry, 20);
      geometry.boundingSphere = null;
      geometry.attributes.position.needsUpdate = true;
    },
  ],
  ['vertices that are translated', true, ({ geometry }) => geometry.translate(20, 0, 0)],
  [
    'another position attribute',
    true,
    ({ geometry }) => {
      const array = Float32Array.from(geometry.attributes.position.array, (value, k) => value + (k % 3 === 0 ? 20 : 0));
      geometry.setAttribute('position', new BufferAttribute(array, 3)).computeBoundingSphere();
    },
  ],
  [
    'a morph target',
    true,
    ({ geometry }) => {
      const { count } = geometry.attributes.position;
      geometry.morphAttributes.position = [
        new Float32BufferAttribute(
          Array.from({ length: 3 * count }, (_, k) => (k % 3 === 0 ? 20 : 0)),
          3,
        ),
      ];
      geometry.morphTargetsRelative = true;
      geometry.computeBoundingSphere();
    },
  ],
  ['no sphere, as before', false, ({ geometry }) => (geometry.boundingSphere = null)],
  ['an equal sphere', false, ({ geometry }) => (geometry.boundingSphere = geometry.boundingSphere!.clone())],
  ['a sphere that shrinks', false, ({ geometry }) => (geometry.boundingSphere!.radius = 0.1)],
  ['a material that moves vertices', false, ({ material }) => (material.displacementMap = new Texture())],
  ['a material with a callback', false, ({ material }) => (material.onBeforeRender = () => {})],
  ['a material with a shader of its own', false, ({ material }) => (material.onBeforeCompile = () => {})],
  ['a material for shadow maps', false, ({ owner }) => (owner.customDepthMaterial = materialThatMoves())],
  ['another geometry', true, ({ replaceGeometry }) => replaceGeometry?.(new BoxGeometry(41, 1, 1))],
  [
    'a geometry with a large sphere',
    true,
    ({ replaceGeometry }) => {
      const geometry = new BoxGeometry();
      geometry.boundingSphere = sphereAround(20, 1);
      replaceGeometry?.(geometry);
    },
  ],
];

/** A frustum around x, 0.6 to either side: the box at 0 reaches 0.5, its sphere 0.87. */
function seesAt(x: number): OrthographicCamera {
  const camera = new OrthographicCamera(x - 0.6, x + 0.6, 1, -1, -9, 9);
  camera.updateMatrixWorld();
  return camera;
}

/** Beside the box, where only its sphere reaches. */
const edge = new OrthographicCamera(0.55, 0.8, 0.1, -0.1, -9, 9);

interface Container {
  readonly drawn: Drawn;
  /** A pass after an update. */
  readonly sees: (camera: OrthographicCamera) => boolean;
}

const containers: [string, () => Container][] = [
  [
    'OctreeGroup',
    () => {
      const mesh = new Mesh(new BoxGeometry(), new MeshStandardMaterial());
      mesh.geometry.computeBoundingSphere();
      const group = new OctreeGroup().add(mesh);
      group.updateMatrixWorld();
      const drawn = {
        geometry: mesh.geometry,
        material: mesh.material,
        owner: mesh,
        replaceGeometry: (geometry: BufferGeometry) => void (mesh.geometry = geometry as BoxGeometry),
      };
      return {
        drawn,
        sees: (camera) => {
          group.updateMatrixWorld();
          return passOver(group, frustumOf(camera)).length > 0;
        },
      };
    },
  ],
  ...[0, 1, 2].map((level): [string, () => Container] => [
    level === 0 ? 'OctreeInstances' : `level ${level} of OctreeInstances`,
    () => {
      const levels = [0, 1, 2].map((each) => {
        const geometry = each === level ? new BoxGeometry() : new SphereGeometry(0.1);
        geometry.computeBoundingSphere();
        return geometry;
      });
      const materials = levels.map(() => new MeshStandardMaterial());
      const instances = new OctreeInstances<BufferGeometry>(levels[0], materials[0], 1);
      instances.setMatrixAt(0, new Matrix4());
      for (const each of [1, 2]) instances.addLevel(levels[each], 10 * each, 0, materials[each]);
      instances.updateMatrixWorld();
      return {
        drawn: {
          geometry: levels[level],
          material: materials[level],
          owner: instances,
          // Levels but the first keep their geometry.
          replaceGeometry: level === 0 ? (geometry) => void (instances.geometry = geometry) : null,
        },
        sees: (camera) => {
          instances.updateMatrixWorld();
          return viewsOf(instances, frustumOf(camera), camera).some(({ count }) => count > 0);
        },
      };
    },
  ]),
];

describe.each(containers)('%s', (_, create) => {
  it.each(changes)('finds %s in the next update', (_name, reaches, change) => {
    const { drawn, sees } = create();
    expect([sees(seesAt(0)), sees(seesAt(20)), sees(edge)]).toEqual([true, false, false]);
    if (drawn.replaceGeometry === null && change.toString().includes('replaceGeometry')) return;
    change(drawn);
    const refused = [drawn.material.displacementMap, drawn.owner.customDepthMaterial].some((value) => value);
    const hasCode = Object.hasOwn(drawn.material, 'onBeforeRender') || Object.hasOwn(drawn.material, 'onBeforeCompile');
    // Where the box is no bound, the sphere is.
    for (let update = 0; update < 3; update++) {
      expect(sees(seesAt(20))).toBe(reaches);
      if (refused || hasCode) expect(sees(edge)).toBe(true);
    }
    expect(sees(seesAt(-40))).toBe(drawn.geometry.boundingSphere?.radius === Infinity);
  });
});

it('finds the same through plain Mesh.intersectsFrustum', () => {
  for (const [name, reaches, change] of changes) {
    const mesh = new Mesh<BufferGeometry, MeshBasicMaterial>(new BoxGeometry(), new MeshBasicMaterial());
    mesh.geometry.computeBoundingSphere();
    const replaceGeometry = (geometry: BufferGeometry): void => void (mesh.geometry = geometry);
    change({ geometry: mesh.geometry, material: mesh.material as never, owner: mesh, replaceGeometry });
    expect(mesh.intersectsFrustum(frustumOf(seesAt(20))), name).toBe(reaches);
  }
});

it('a geometry that changes some times keeps a box, one that changes on and on does not', () => {
  const geometry = new BoxGeometry();
  const boxesAfter = (changes: number): number => {
    let count = 0;
    for (let k = 0; k < changes; k++) {
      geometry.attributes.position.needsUpdate = true;
      if (vertexBoxOf(geometry) !== null) count++;
    }
    return count;
  };
  expect(vertexBoxOf(geometry)).not.toBeNull();
  expect(boxesAfter(6)).toBe(6);
  expect(boxesAfter(60)).toBeLessThan(9);
});
