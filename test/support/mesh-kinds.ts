/** Changes of a mesh and of its geometry, by kind: a part of change-kinds.ts. */

import {
  BoxGeometry,
  BufferAttribute,
  Group,
  InstancedBufferGeometry,
  InstancedMesh,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Matrix4,
  Mesh,
  MeshDepthMaterial,
  MeshLambertMaterial,
  Object3D,
  Sphere,
  Vector3,
} from 'three';
import { OctreeGroup } from '../../src/three.ts';
import {
  ofMesh,
  ofAll,
  ofRule,
  picture,
  caster,
  NEVER,
  type Change,
  type Kind,
  type KindWorld,
  type Rest,
} from './kind-of-change.ts';

const attribute =
  (name: string, size: number): Change =>
  ({ mesh: { geometry } }) =>
    void geometry.setAttribute(
      name,
      new BufferAttribute(new Float32Array(geometry.attributes.position.count * size), size),
    );

const withInstances: Change = ({ mesh }) => {
  const child = new InstancedMesh(new BoxGeometry(0.2, 0.2, 0.2), new MeshLambertMaterial(), 2);
  child.setMatrixAt(1, new Matrix4().makeTranslation(-0.6, 0, 0));
  child.name = 'child';
  child.castShadow = true;
  child.computeBoundingSphere();
  mesh.add(child);
};

/** Calls user code in the next update, before the mesh is updated. */
const inUpdate = ({ group }: KindWorld, code: () => void): void =>
  void Object.assign(
    group.children.find(({ name }) => name === 'user code')!,
    { code },
  );
/** Adds the first child, whose `updateMatrixWorld` calls user code. */
const userCode: Change = ({ group }) => {
  const child = Object.assign(new Object3D(), { name: 'user code', code: (): void => undefined });
  child.updateMatrixWorld = () => {
    const { code } = child;
    child.code = () => undefined;
    code();
  };
  group.add(child);
  if (group instanceof OctreeGroup) group.setStatic(child, false);
};

/** The mesh is part of an opened tree. */
const partOfTree: Rest = {
  make: ({ group, mesh }) => {
    const tree = new Group().add(mesh);
    if (group instanceof OctreeGroup) group.addTree(tree);
    else group.add(tree);
  },
  reported: ({ group }) => group.children.at(-1)!,
};

/** Changes of the mesh, and of its geometry. */
export const meshKinds: Record<string, Kind> = {
  // The mesh.
  position: ofMesh(({ mesh }) => void (mesh.position.x += 0.1)),
  rotation: ofMesh(({ mesh }) => void (mesh.rotation.y += 0.4)),
  scale: ofMesh(({ mesh }) => void (mesh.scale.x = 1.3)),
  'matrix written by hand': ofMesh(({ mesh }) => {
    mesh.matrixAutoUpdate = false;
    mesh.matrix.makeTranslation(0.2, 0, 0);
    mesh.matrixWorldNeedsUpdate = true;
  }),
  'matrixWorld written by hand': ofMesh(({ mesh }) => {
    mesh.matrixAutoUpdate = mesh.matrixWorldAutoUpdate = false;
    mesh.matrixWorld.makeTranslation(0.2, 0, 0);
  }),
  pivot: ofMesh(({ mesh }) => void mesh.pivot!.set(1, 0, 0), {
    make: ({ mesh }) => void Object.assign(mesh.rotateZ(0.5), { pivot: new Vector3() }),
  }),
  'a pivot, later': ofMesh(({ mesh }) => void (mesh.pivot = new Vector3(1, 0, 0)), {
    make: ({ mesh }) => void mesh.rotateZ(0.5),
  }),
  'updateMatrixWorld of its own': ofRule(
    ({ mesh }) => void (mesh.updateMatrixWorld = (force) => Mesh.prototype.updateMatrixWorld.call(mesh, force)),
  ),
  frustumCulled: ofRule(({ mesh }) => void (mesh.frustumCulled = false)),
  'frustumCulled again': ofRule(({ mesh }) => void (mesh.frustumCulled = true), {
    make: ({ mesh }) => void (mesh.frustumCulled = false),
  }),
  'intersectsFrustum of its own': ofRule(({ mesh }) => void (mesh.intersectsFrustum = () => true)),
  'raycast of its own': ofRule(({ mesh }) => {
    mesh.raycast = (_, hits) => void hits.push({ object: mesh, distance: 3, point: new Vector3() });
  }),
  static: ofRule(({ mesh }) => void (mesh.static = true)),
  occlusionTest: ofRule(({ mesh }) => void Object.assign(mesh, { occlusionTest: true })),
  removed: ofAll(({ mesh }) => void mesh.removeFromParent()),
  'an ancestor hidden': ofMesh(({ mesh }) => void (mesh.parent!.visible = false), { ...partOfTree }),
  'an ancestor hidden, of a mesh with a child': ofMesh(({ mesh }) => void (mesh.parent!.visible = false), {
    ...partOfTree,
    make: (world) => {
      partOfTree.make!(world);
      world.mesh.add(caster());
    },
  }),
  'an ancestor moved': ofMesh(({ mesh }) => void (mesh.parent!.position.x += 0.1), { ...partOfTree }),
  'a part added': ofAll(({ mesh }) => void mesh.parent!.add(caster()), { ...partOfTree }),
  'a part removed': ofAll(({ mesh }) => void mesh.removeFromParent(), { ...partOfTree }),
  visible: ofMesh(({ mesh }) => void (mesh.visible = false)),
  layers: ofMesh(({ mesh }) => mesh.layers.enable(1)),
  castShadow: ofMesh(({ mesh }) => void (mesh.castShadow = false)),
  receiveShadow: { ...ofMesh(({ mesh }) => void (mesh.receiveShadow = true)), shadows: NEVER },
  renderOrder: { ...ofMesh(({ mesh }) => void (mesh.renderOrder = 1)), shadows: NEVER },
  count: ofMesh(({ mesh }) => void (mesh.count = 0)),
  'another geometry': ofMesh(({ mesh }) => void (mesh.geometry = new BoxGeometry(2, 2, 2))),
  'another material': ofMesh(({ mesh }) => void (mesh.material = new MeshLambertMaterial())),
  'moved out of view': ofMesh(({ mesh }) => void (mesh.position.x = 60)),
  'moved into view': ofMesh(({ mesh }) => void (mesh.position.x = 0), {
    make: ({ mesh }) => void (mesh.position.x = 60),
  }),
  // A static mesh whose matrices other code has computed may look as if it had not moved.
  'position, computed by other code': ofMesh(({ mesh }) => {
    mesh.position.x += 0.1;
    mesh.updateMatrixWorld();
  }),
  'visible by another value than true': { ...ofRule(({ mesh }) => void Object.assign(mesh, { visible: 1 })) },
  'renderOrder NaN': { ...ofMesh(({ mesh }) => void (mesh.renderOrder = NaN)), shadows: NEVER },
  'boundingSphere NaN': ofRule(({ mesh }) => void (mesh.geometry.boundingSphere!.radius = NaN), {
    make: ({ mesh }) => mesh.geometry.computeBoundingSphere(),
  }),
  'removed by user code in an update': ofAll((world) => inUpdate(world, () => void world.mesh.removeFromParent()), {
    make: userCode,
  }),
  'a child added by user code in an update': ofRule((world) => inUpdate(world, () => void world.mesh.add(caster())), {
    make: userCode,
  }),
  'the group hidden': ofAll(({ group }) => void (group.visible = false)),
  'the group moved': ofAll(({ group }) => void (group.position.x += 0.2)),
  'a child': ofMesh(({ mesh }) => void mesh.add(caster())),
  'a child removed': ofMesh(({ mesh }) => void mesh.clear(), { make: ({ mesh }) => void mesh.add(caster()) }),
  'a child moved': ofMesh(({ mesh }) => void (mesh.children[0].position.x += 0.5), {
    make: ({ mesh }) => void mesh.add(caster()),
  }),
  'a child hidden': ofMesh(({ mesh }) => void (mesh.children[0].visible = false), {
    make: ({ mesh }) => void mesh.add(caster()),
  }),
  'instances of a child': ofMesh(
    ({ mesh }) => {
      const child = mesh.children[0] as InstancedMesh;
      child.setMatrixAt(0, new Matrix4().makeTranslation(0.7, 0, 0));
      child.instanceMatrix.needsUpdate = true;
      child.computeBoundingSphere();
    },
    { make: withInstances },
  ),
  'number of instances of a child': ofMesh(({ mesh }) => void ((mesh.children[0] as InstancedMesh).count = 1), {
    make: withInstances,
  }),
  onBeforeRender: ofMesh(({ mesh }) => void (mesh.onBeforeRender = () => {}), { isUnknown: true }),
  onAfterRender: ofMesh(({ mesh }) => void (mesh.onAfterRender = () => {}), { isUnknown: true }),
  onBeforeShadow: ofMesh(({ mesh }) => void (mesh.onBeforeShadow = () => {}), { isUnknown: true }),
  onAfterShadow: ofMesh(({ mesh }) => void (mesh.onAfterShadow = () => {}), { isUnknown: true }),
  customDepthMaterial: ofMesh(({ mesh }) => void (mesh.customDepthMaterial = new MeshLambertMaterial()), {
    isUnknown: true,
  }),
  'customDepthMaterial that moves vertices': ofMesh(
    ({ mesh }) => void (mesh.customDepthMaterial = new MeshLambertMaterial({ displacementMap: picture() })),
    { isUnknown: true },
  ),
  // A material that reads no lights: those of a shadow pass are the lights of the last pass.
  'customDepthMaterial replaced by one that moves vertices': ofRule(
    ({ mesh }) => void (mesh.customDepthMaterial = new MeshDepthMaterial({ displacementMap: picture() })),
    { make: ({ mesh }) => void (mesh.customDepthMaterial = new MeshDepthMaterial()) },
  ),
  customDistanceMaterial: ofMesh(({ mesh }) => void (mesh.customDistanceMaterial = new MeshLambertMaterial()), {
    isUnknown: true,
  }),

  // Its geometry.
  'vertices written': ofMesh(({ mesh: { geometry } }) => {
    (geometry.attributes.position as BufferAttribute).setX(0, 0.8).needsUpdate = true;
    geometry.computeBoundingSphere();
  }),
  'boundingSphere of the geometry': ofRule(
    ({ mesh }) => void (mesh.geometry.boundingSphere = new Sphere(undefined, 2)),
  ),
  'boundingSphere, its numbers': ofRule(({ mesh }) => void (mesh.geometry.boundingSphere!.radius = 2), {
    make: ({ mesh }) => void (mesh.geometry.boundingSphere = new Sphere(undefined, 1.5)),
  }),
  'boundingSphere null': ofRule(({ mesh }) => void (mesh.geometry.boundingSphere = null), {
    make: ({ mesh }) => void (mesh.geometry.boundingSphere = new Sphere(undefined, 1.5)),
  }),
  'normals written': {
    ...ofMesh(({ mesh: { geometry } }) => {
      (geometry.attributes.normal as BufferAttribute).setX(0, 0.5).needsUpdate = true;
    }),
    shadows: NEVER,
  },
  'index written': ofMesh(({ mesh }) => void (mesh.geometry.index!.setX(0, 3).needsUpdate = true)),
  'version of interleaved vertices': ofMesh(
    ({ mesh }) => void ((mesh.geometry.attributes.position as InterleavedBufferAttribute).data.needsUpdate = true),
    {
      make: ({ mesh: { geometry } }) => {
        const { array, count } = geometry.attributes.position as BufferAttribute;
        const buffer = new InterleavedBuffer(Float32Array.from(array), 3);
        geometry.setAttribute('position', new InterleavedBufferAttribute(buffer, 3, 0));
        geometry.boundingSphere = null;
        void count;
      },
    },
  ),
  'an attribute replaced, of equal version': ofMesh(attribute('uv', 2)),
  'vertices replaced, of equal version': ofMesh(({ mesh: { geometry } }) => {
    geometry.setAttribute('position', (geometry.attributes.position as BufferAttribute).clone());
  }),
  'an attribute added': ofMesh(attribute('color', 3)),
  'an attribute removed': ofMesh(({ mesh }) => void mesh.geometry.deleteAttribute('uv')),
  'an attribute that only gets another name': ofMesh(({ mesh: { geometry } }) => {
    const { uv } = geometry.attributes;
    geometry.deleteAttribute('uv').setAttribute('uv1', uv);
  }),
  'attributes that swap their names': ofMesh(
    ({ mesh: { geometry } }) => {
      const { uv, uv1 } = geometry.attributes;
      geometry.setAttribute('uv', uv1).setAttribute('uv1', uv);
    },
    { make: attribute('uv1', 2) },
  ),
  'the index replaced, of equal version': ofMesh(({ mesh: { geometry } }) => {
    geometry.setIndex((geometry.index as BufferAttribute).clone());
  }),
  'the index removed': ofMesh(({ mesh }) => void mesh.geometry.setIndex(null)),
  'draw range': ofMesh(({ mesh }) => mesh.geometry.setDrawRange(0, 6)),
  'start of the draw range': ofMesh(({ mesh }) => mesh.geometry.setDrawRange(6, Infinity)),
  'draw range of equal sum': ofMesh(({ mesh }) => mesh.geometry.setDrawRange(6, 30), {
    make: ({ mesh }) => mesh.geometry.setDrawRange(0, 36),
  }),
  'a group of equal sum': ofMesh(({ mesh }) => void Object.assign(mesh.geometry.groups[0], { start: 6, count: 0 })),
  'the material of a group': ofMesh(({ mesh }) => void (mesh.geometry.groups[0].materialIndex = 1)),
  'a group added': ofMesh(({ mesh }) => mesh.geometry.addGroup(0, 6, 1)),
  'morph targets': ofMesh(
    ({ mesh: { geometry } }) => void (geometry.morphAttributes.position = [geometry.attributes.position]),
    { isUnknown: true },
  ),
  'vertices on the GPU': ofMesh(
    ({ mesh: { geometry } }) =>
      void geometry.setAttribute(
        'uv',
        Object.assign(geometry.attributes.uv.clone(), { isStorageBufferAttribute: true, array: new Float32Array(48) }),
      ),
    { isUnknown: true },
  ),
  'vertices of WebGL': ofMesh(
    ({ mesh: { geometry } }) =>
      void geometry.setAttribute('uv', Object.assign(geometry.attributes.uv.clone(), { isGLBufferAttribute: true })),
    { isUnknown: true },
  ),
  'indirect draws': ofMesh(({ mesh }) => void Object.assign(mesh.geometry, { indirect: {} }), { isUnknown: true }),
  'number of instances': ofMesh(({ mesh }) => void ((mesh.geometry as InstancedBufferGeometry).instanceCount = 3), {
    make: ({ mesh }) => {
      const geometry = new InstancedBufferGeometry().copy(new BoxGeometry() as never);
      geometry.instanceCount = 2;
      mesh.geometry = geometry;
    },
  }),
};
