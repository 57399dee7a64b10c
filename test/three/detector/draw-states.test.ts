// The walk that finds moves also finds how objects are drawn: of each kind of node, whatever else happens in the
// update.

import { Group, Mesh, MeshBasicMaterial, Object3D, SphereGeometry } from 'three';
import { expect, it } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { CALLS, CASTS, KIND, LAYERS, ORDER, RECEIVES, SHOWN } from '../../../src/three/detector/change-bits.ts';
import { Detector } from '../../../src/three/detector/detector.ts';
import type { Member } from '../../../src/three/group/member.ts';

const WANTED = SHOWN | CASTS | RECEIVES | LAYERS | ORDER | CALLS | KIND;
const geometry = new SphereGeometry(1, 4, 3);
const material = new MeshBasicMaterial();
const createMesh = (): Mesh => new Mesh(geometry, material);

/** Collects what a detector tells of objects. */
function follow(group: OctreeGroup): { take: (object: Object3D) => number } {
  const told = new Map<Object3D, number>();
  const changing = ({ object }: Member, bits: number): void =>
    void told.set(object, (told.get(object) ?? 0) | (bits & WANTED));
  Detector.subscribe<Member>(group.groupChildren.bodies, { wants: WANTED, changing });
  return {
    take(object) {
      const bits = told.get(object) ?? 0;
      told.clear();
      return bits;
    },
  };
}

const CHANGES: readonly [string, number, (mesh: Mesh, isOn: boolean) => void][] = [
  ['visible', SHOWN, (mesh, isOn) => (mesh.visible = !isOn)],
  ['castShadow', CASTS, (mesh, isOn) => (mesh.castShadow = isOn)],
  ['receiveShadow', RECEIVES, (mesh, isOn) => (mesh.receiveShadow = isOn)],
  ['layers', LAYERS, (mesh, isOn) => mesh.layers.set(Number(isOn))],
  ['renderOrder', ORDER, (mesh, isOn) => (mesh.renderOrder = Number(isOn))],
  [
    'onBeforeRender',
    CALLS,
    (mesh, isOn) => {
      if (isOn) mesh.onBeforeRender = () => {};
      else Reflect.deleteProperty(mesh, 'onBeforeRender');
    },
  ],
  ['static', KIND, (mesh, isOn) => (mesh.static = isOn)],
];

type Rig = (group: OctreeGroup, mesh: Mesh) => ((frame: number) => void) | void;
const RIGS: Record<string, Rig> = {
  'a child': (group, mesh) => void group.add(mesh),
  'a part': (group, mesh) => void group.addTree(new Group().add(new Group().add(mesh))),
  'a part below what moves': (group, mesh) => {
    const root = new Group().add(mesh);
    group.addTree(root);
    return (frame) => void (root.position.x = frame);
  },
  'a child of a group that moves': (group, mesh) => {
    group.add(mesh);
    return (frame) => void (group.position.x = frame);
  },
  'a matrix written by hand': (group, mesh) => {
    mesh.matrixAutoUpdate = false;
    group.add(mesh);
  },
  'a world matrix of other code': (group, mesh) => {
    mesh.matrixWorldAutoUpdate = false;
    group.addTree(new Group().add(mesh));
  },
  'a part below a world matrix of other code': (group, mesh) => {
    const root = new Group().add(mesh);
    root.matrixAutoUpdate = root.matrixWorldAutoUpdate = group.matrixAutoUpdate = false;
    group.addTree(root);
    return () => void (root.matrixWorld.elements[12] += 1);
  },
  'a watched part in a static tree': (group, mesh) => {
    group.addTree(new Group().add(new Group().add(mesh)), { isStatic: true });
    group.setStatic(mesh, false);
  },
};

it.each(Object.entries(RIGS))('finds in the next update how %s is drawn', (_, rig) => {
  for (const [field, bit, change] of CHANGES) {
    const group = new OctreeGroup();
    const mesh = createMesh();
    group.add(...Array.from({ length: 60 }, createMesh));
    const move = rig(group, mesh);
    group.updateMatrixWorld();
    const told = follow(group);
    for (let frame = 0; frame < 6; frame++) {
      if (frame > 1) change(mesh, frame % 2 === 0);
      move?.(frame);
      group.updateMatrixWorld();
      // A mesh whose world matrix other code writes is of that kind anyway.
      if (bit === KIND && !mesh.matrixWorldAutoUpdate) continue;
      expect([field, frame, told.take(mesh) & bit]).toEqual([field, frame, frame > 1 ? bit : 0]);
    }
  }
});

it.each([false, true])('finds in the next update that an object above parts is hidden, static: %s', (isStatic) => {
  const [mesh, other] = [createMesh(), createMesh()];
  const floor = new Group().add(mesh);
  const group = new OctreeGroup().add(...Array.from({ length: 60 }, createMesh));
  group.addTree(new Group().add(floor, other), { isStatic });
  group.setStatic(mesh, false);
  group.updateMatrixWorld();
  const told = follow(group);
  for (let frame = 0; frame < 6; frame++) {
    floor.visible = frame % 2 === 0;
    group.updateMatrixWorld();
    const bits = told.take(mesh);
    expect([frame, bits]).toEqual([frame, frame === 0 ? 0 : SHOWN]);
  }
});

it('finds what code hides while matrices are computed, before and after its own turn', () => {
  class Switch extends Object3D {
    readonly meshes = [createMesh(), createMesh()] as const;
    hides = false;
    override updateMatrixWorld(isForced?: boolean): void {
      for (const mesh of this.meshes) mesh.visible = !this.hides;
      super.updateMatrixWorld(isForced);
    }
  }
  const code = new Switch();
  const group = new OctreeGroup().add(...Array.from({ length: 60 }, createMesh));
  group.addTree(new Group().add(code.meshes[0])).add(code, code.meshes[1]);
  group.updateMatrixWorld();
  const told = follow(group);
  group.updateMatrixWorld();
  for (const mesh of code.meshes) {
    code.hides = !code.hides;
    group.updateMatrixWorld();
    expect(told.take(mesh)).toBe(SHOWN);
  }
});

it('finds a change back to what the last update has seen', () => {
  const mesh = createMesh();
  const group = new OctreeGroup().add(mesh, ...Array.from({ length: 60 }, createMesh));
  group.updateMatrixWorld();
  follow(group);
  group.updateMatrixWorld();
  mesh.visible = false;
  // Starts with the state that it meets, between two updates.
  group.groupChildren.bodies.useDetector(null);
  const again = follow(group);
  mesh.visible = true;
  group.updateMatrixWorld();
  expect(again.take(mesh)).toBe(SHOWN);
});
