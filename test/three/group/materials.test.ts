// Materials that move vertices: then an object is culled by the sphere by which three culls it, and not by the box
// around its vertices. No report is needed.

import {
  BoxGeometry,
  Frustum,
  Group,
  Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshDepthMaterial,
  MeshNormalMaterial,
  MeshStandardMaterial,
  Object3D,
  OrthographicCamera,
  Raycaster,
  Scene,
  ShaderMaterial,
  Texture,
  Vector3,
  type BufferGeometry,
} from 'three';
import { MeshBasicNodeMaterial, NodeMaterial } from 'three/webgpu';
import { vec3, vec4 } from 'three/tsl';
import { describe, expect, it } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { passOver } from '../../support/three-passes.ts';

/** A long, flat beam: its sphere reaches up to y = 10, its box up to y = 0.5. */
const geometry = new BoxGeometry(20, 1, 1);
/** Sees y from 5 to 8. */
const above = new Frustum().setFromProjectionMatrix(new OrthographicCamera(-99, 99, 8, 5, -99, 99).projectionMatrix);

const placements: Record<string, (group: OctreeGroup, mesh: Mesh) => unknown> = {
  child: (group, mesh) => group.add(mesh),
  part: (group, mesh) => group.add(new Group().add(mesh, new Mesh(geometry, new MeshBasicMaterial()))),
  'part of an opened tree': (group, mesh) => group.addTree(new Group().add(mesh)),
};

function groupOf(
  mesh: Mesh,
  place: (group: OctreeGroup, mesh: Mesh) => unknown,
): { group: OctreeGroup; scene: Scene; isShown: () => boolean } {
  const group = new OctreeGroup();
  const scene = new Scene().add(group);
  place(group, mesh);
  const isShown = (): boolean => {
    scene.updateMatrixWorld();
    return passOver(group, above).length > 0;
  };
  return { group, scene, isShown };
}

const patch = (material: Material): void => void (material.onBeforeCompile = (): void => undefined);

/** Makes the material of a mesh move vertices, and stops it. */
const changes: Record<
  string,
  [create: () => Material, begin: (material: never) => unknown, stop: (material: never) => unknown]
> = {
  displacementMap: [
    () => new MeshStandardMaterial(),
    (material: MeshStandardMaterial) => ((material.displacementMap = new Texture()), (material.needsUpdate = true)),
    (material: MeshStandardMaterial) => ((material.displacementMap = null), (material.needsUpdate = true)),
  ],
  'displacementMap, before three has compiled the material': [
    () => new MeshStandardMaterial(),
    (material: MeshStandardMaterial) => (material.displacementMap = new Texture()),
    (material: MeshStandardMaterial) => (material.displacementMap = null),
  ],
  onBeforeCompile: [
    () => new MeshBasicMaterial(),
    patch,
    (material: Material) => Reflect.deleteProperty(material, 'onBeforeCompile'),
  ],
  ...Object.fromEntries(
    (['positionNode', 'vertexNode', 'geometryNode', 'castShadowPositionNode', 'contextNode'] as const).map((name) => [
      name,
      [
        () => new MeshBasicNodeMaterial(),
        (material: NodeMaterial) => (
          (material[name] = (name === 'vertexNode' ? vec4(0) : vec3(0)) as never),
          (material.needsUpdate = true)
        ),
        (material: NodeMaterial) => ((material[name] = null), (material.needsUpdate = true)),
      ],
    ]),
  ),
};

describe.each(Object.entries(placements))('a %s of an OctreeGroup', (_, place) => {
  it.each(Object.entries(changes))(
    'is culled by its sphere once its material moves vertices by %s, and by its box once it does not',
    (__, [create, begin, stop]) => {
      for (const toMaterial of [
        (material: Material): Material | Material[] => material,
        (material: Material) => [new MeshBasicMaterial(), material],
      ]) {
        const material = create();
        const { isShown } = groupOf(new Mesh(geometry, toMaterial(material)), place);
        for (let k = 0; k < 2; k++) {
          expect([isShown(), isShown()]).toEqual([false, false]);
          begin(material as never);
          expect([isShown(), isShown()]).toEqual([true, true]);
          stop(material as never);
        }
        expect(isShown()).toBe(false);
      }
    },
  );

  it('is culled by its sphere once it gets another material, another element in an array of materials, or a material for shadow maps', () => {
    const plain = new MeshBasicMaterial();
    const moving = new ShaderMaterial();
    const exchanges: ((mesh: Mesh, material: Material | undefined) => unknown)[] = [
      (mesh, material) => (mesh.material = material ?? plain),
      (mesh, material) => ((mesh.material as Material[])[1] = material ?? plain),
      (mesh, material) =>
        material === undefined ? (mesh.material as Material[]).pop() : (mesh.material as Material[]).push(material),
      (mesh, material) => (mesh.customDepthMaterial = material),
      (mesh, material) => (mesh.customDistanceMaterial = material),
    ];
    for (const [k, exchange] of exchanges.entries()) {
      const mesh: Mesh = new Mesh(geometry, k === 1 || k === 2 ? [plain, plain] : plain);
      const { isShown } = groupOf(mesh, place);
      for (let round = 0; round < 2; round++) {
        expect([isShown(), isShown()], `exchange ${k}`).toEqual([false, false]);
        exchange(mesh, moving);
        expect([isShown(), isShown()], `exchange ${k}`).toEqual([true, true]);
        exchange(mesh, undefined);
      }
      expect(isShown()).toBe(false);
    }
  });
});

describe('a material of a subclass of NodeMaterial', () => {
  it('moves vertices if the class has its own vertex stage', () => {
    class Waving extends NodeMaterial {
      override setupPosition(): never {
        throw new Error('not called here');
      }
    }
    class Painted extends MeshBasicNodeMaterial {
      override setupDiffuseColor(): void {}
    }
    for (const [material, isMoving] of [
      [new Waving(), true],
      [new Painted(), false],
      [new MeshBasicNodeMaterial(), false],
    ] as const) {
      expect(groupOf(new Mesh(geometry, material), placements.child).isShown()).toBe(isMoving);
    }
  });
});

describe('with more materials or members than one update compares', () => {
  it('a change is found some updates later', () => {
    const meshes = Array.from({ length: 3000 }, () => new Mesh(geometry, new MeshStandardMaterial()));
    const group = new OctreeGroup().add(...meshes);
    const count = (): number => (group.updateMatrixWorld(), passOver(group, above).length);
    expect(count()).toBe(0);
    for (const { material } of meshes) material.displacementMap = new Texture();
    expect(Array.from({ length: 6 }, count).at(-1)).toBe(3000);
    for (const { material } of meshes) material.displacementMap = null;
    for (let k = 0; k < 6; k++) count();
    expect(count()).toBe(0);
    for (const mesh of meshes) mesh.onBeforeRender = (): void => undefined;
    expect([count(), count()].at(-1)).toBe(3000);
  });
});

describe('callbacks of an object', () => {
  it('may move it, so it is culled by its sphere, also if they are set later', () => {
    for (const place of Object.values(placements)) {
      for (const name of ['onBeforeRender', 'onAfterRender', 'onBeforeShadow', 'onAfterShadow'] as const) {
        const mesh = new Mesh(geometry, new MeshBasicMaterial());
        const { isShown } = groupOf(mesh, place);
        for (let k = 0; k < 2; k++) {
          expect([isShown(), isShown()]).toEqual([false, false]);
          Object.assign(mesh, { [name]: () => undefined });
          expect([isShown(), isShown()]).toEqual([true, true]);
          Object.assign(mesh, { [name]: Object3D.prototype[name] });
        }
        expect(isShown()).toBe(false);
      }
    }
  });

  it('may move it in a pass: until the next update it is hit there', () => {
    for (const place of Object.values(placements)) {
      for (const renderOrder of [0, 1]) {
        const mesh = new Mesh(geometry, new MeshBasicMaterial()).translateY(6);
        mesh.onBeforeRender = (): void => {
          mesh.position.y = 50;
          mesh.updateMatrixWorld();
        };
        mesh.onAfterRender = (): void => void (mesh.position.y = 6);
        const { group, scene } = groupOf(mesh, place);
        group.renderOrder = renderOrder;
        const heights = (): number[] =>
          [6, 50].filter(
            (y) => new Raycaster(new Vector3(5, y, 10), new Vector3(0, 0, -1)).intersectObject(group).length > 0,
          );
        for (let k = 0; k < 3; k++) {
          scene.updateMatrixWorld();
          expect(heights()).toEqual([6]);
          expect(passOver(group, above)).toHaveLength(1);
          mesh.onBeforeRender({} as never, scene, {} as never, geometry, mesh.material, {} as never);
          mesh.onAfterRender({} as never, scene, {} as never, geometry, mesh.material, {} as never);
          expect([heights(), heights()]).toEqual([[50], [50]]);
        }
      }
    }
  });

  it('may also be those of its material', () => {
    const mesh = new Mesh(geometry, new MeshBasicMaterial());
    const { isShown } = groupOf(mesh, placements.child);
    expect(isShown()).toBe(false);
    mesh.material.onBeforeRender = (): void => undefined;
    expect(isShown()).toBe(true);
  });
});

describe('morph targets', () => {
  it('that a geometry gets later are found', () => {
    const own = geometry.clone();
    const { isShown } = groupOf(new Mesh(own, new MeshBasicMaterial()), placements.child);
    expect(isShown()).toBe(false);
    own.morphAttributes.position = [own.attributes.position.clone()];
    expect(isShown()).toBe(true);
  });
});

describe('scene.overrideMaterial', () => {
  it('that moves vertices lets nothing be culled; others do not matter', () => {
    const { group, scene, isShown } = groupOf(new Mesh(geometry, new MeshBasicMaterial()), placements.child);
    for (const [material, isMoving] of [
      [new MeshNormalMaterial(), false],
      [new MeshDepthMaterial(), false],
      [new NodeMaterial(), false],
      [new ShaderMaterial(), true],
      [Object.assign(new NodeMaterial(), { positionNode: vec3(0) }), true],
    ] as const) {
      scene.overrideMaterial = material;
      expect(isShown(), material.type).toBe(isMoving);
    }
    scene.overrideMaterial = null;
    expect(isShown()).toBe(false);
    // Any scene above the group may be the one that is rendered.
    const outer = new Scene().add(scene);
    outer.overrideMaterial = new ShaderMaterial();
    expect(isShown()).toBe(true);
    scene.remove(group);
    new Object3D().add(group);
    expect(isShown()).toBe(false);
  });
});

describe('scene.onBeforeRender', () => {
  it('may move objects and update their matrices: they are drawn in the pass that follows, and in their new place from the next update on', () => {
    const still = new Mesh(geometry, new MeshBasicMaterial());
    const far = (): Mesh => new Mesh(geometry, new MeshBasicMaterial()).translateY(100);
    const [child, part, partOfTree, byMatrix, byWorldMatrix, unmoved] = Array.from({ length: 6 }, far);
    byMatrix.matrixAutoUpdate = false;
    byMatrix.updateMatrix();
    const car = new Group().add(part);
    const root = new Group().add(new Group().add(partOfTree));
    const group = new OctreeGroup().add(still, child, car, byMatrix, byWorldMatrix, unmoved).addTree(root);
    const scene = new Scene().add(group);
    scene.updateMatrixWorld();
    byWorldMatrix.matrixWorldAutoUpdate = false;
    const seen = (): Object3D[] => passOver(group, above);
    scene.updateMatrixWorld();
    expect(seen()).toEqual([]);
    for (const { position } of [child, part, partOfTree, unmoved]) position.y = 6;
    for (const object of [child, part, partOfTree]) object.updateMatrixWorld();
    byMatrix.matrix.makeTranslation(0, 6, 0);
    byMatrix.updateMatrixWorld(true);
    byWorldMatrix.matrixWorld.makeTranslation(0, 6, 0);
    expect(seen()).toEqual([]);
    scene.onBeforeRender = (): void => undefined;
    expect(seen()).toEqual([child, car, byMatrix, byWorldMatrix, partOfTree]);
    scene.updateMatrixWorld();
    expect(seen()).toEqual([child, car, byMatrix, byWorldMatrix, unmoved, partOfTree]);
    // A trial move, taken back after the matrices were computed.
    still.position.y = 6;
    still.updateMatrixWorld();
    still.position.y = 0;
    expect(seen()).toContain(still);
    scene.updateMatrixWorld();
    expect(seen()).not.toContain(still);
    group.position.y = 6;
    group.updateWorldMatrix(true, false);
    expect(seen()).toEqual(group.children);
    scene.updateMatrixWorld();
    expect(seen()).toEqual([still, byWorldMatrix]);
  });

  it('may exchange geometries and materials, and write world matrices, which the next update computes again', () => {
    const [still, byMatrix, other, shaded, uncut] = Array.from(
      { length: 5 },
      () => new Mesh<BufferGeometry, Material>(geometry, new MeshBasicMaterial()),
    );
    byMatrix.matrixAutoUpdate = false;
    const group = new OctreeGroup().add(still, byMatrix, other, new Group().add(shaded), uncut);
    const scene = new Scene().add(group);
    const seen = (): Object3D[] => passOver(group, above);
    for (let k = 0; k < 3; k++) scene.updateMatrixWorld();
    scene.onBeforeRender = (): void => undefined;
    expect(seen()).toEqual([]);
    byMatrix.matrixWorld.makeTranslation(0, 6, 0);
    other.geometry = new BoxGeometry(20, 12, 1);
    shaded.material = new ShaderMaterial();
    uncut.frustumCulled = false;
    for (let k = 0; k < 2; k++) expect(seen()).toEqual([byMatrix, other, shaded.parent, uncut]);
    for (let k = 0; k < 2; k++) {
      scene.updateMatrixWorld();
      expect(byMatrix.matrixWorld.equals(new Matrix4())).toBe(true);
      expect(seen()).toEqual([other, shaded.parent, uncut]);
    }
  });
});
