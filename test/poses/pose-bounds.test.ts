import {
  Bone,
  DataUtils,
  DetachedBindMode,
  Float16BufferAttribute,
  GLBufferAttribute,
  Group,
  Matrix4,
  MeshBasicMaterial,
  PointLight,
  Scene,
  ShaderMaterial,
  Skeleton,
  SkinnedMesh,
  Sphere,
  Vector3,
  type Material,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup, PoseBounds } from '../../src/three.ts';
import { createRandom, type Random } from '../support/random.ts';
import { placeAtRandom, skinnedGeometry, type SkinOptions } from '../support/skinned-meshes.ts';
import { cube, namesSeen, passOver, slab } from '../support/three-passes.ts';

/** A mesh with a tree of bones in a random rest pose. */
function rig(random: Random, options: SkinOptions = {}) {
  const { bones: count = 6 } = options;
  const bones = Array.from({ length: count }, () => new Bone());
  bones.slice(1).forEach((bone, k) => bones[random.below(k + 1)].add(bone));
  const mesh = new SkinnedMesh(skinnedGeometry(random, options), new MeshBasicMaterial());
  mesh.name = 'figure';
  for (const bone of bones) placeAtRandom(random, bone, 1);
  placeAtRandom(random, mesh, 3);
  bones[0].updateMatrixWorld(true);
  mesh.bind(new Skeleton(bones));
  return { mesh, bones };
}

/** How far the farthest vertex of the pose lies outside the sphere of a mesh, as a part of its radius. */
function excess(mesh: SkinnedMesh): number {
  const { center, radius } = mesh.boundingSphere;
  const { geometry, skeleton, bindMatrix, bindMatrixInverse } = mesh;
  const { position, skinIndex, skinWeight } = geometry.attributes;
  let farthest = 0;
  const vertex = new Vector3();
  for (let k = 0; k < position.count; k++) {
    // As three computes hits.
    mesh.getVertexPosition(k, vertex);
    farthest = Math.max(farthest, vertex.distanceTo(center));
    if (mesh.morphTargetInfluences?.length) continue;
    // As shaders do: in homogeneous coordinates.
    const sum = [0, 0, 0];
    const mixed = new Matrix4().set(...(Array.from({ length: 16 }, () => 0) as Parameters<Matrix4['set']>));
    for (let component = 0; component < 4; component++) {
      const bone = skinIndex.getComponent(k, component);
      const weight = skinWeight.getComponent(k, component);
      const moved = new Matrix4().multiplyMatrices(skeleton.bones[bone].matrixWorld, skeleton.boneInverses[bone]);
      moved.elements.forEach((element, at) => (mixed.elements[at] += weight * element));
    }
    const { elements } = mixed.premultiply(bindMatrixInverse).multiply(bindMatrix);
    vertex.fromBufferAttribute(position, k);
    for (let row = 0; row < 3; row++)
      sum[row] =
        elements[row] * vertex.x + elements[4 + row] * vertex.y + elements[8 + row] * vertex.z + elements[12 + row];
    farthest = Math.max(farthest, vertex.fromArray(sum).distanceTo(center));
  }
  return farthest / radius - 1;
}

const follow = (group: OctreeGroup): PoseBounds => new PoseBounds(group);

/** A frame: all matrices, and a pass. */
function frame(scene: Scene, group: OctreeGroup): void {
  scene.updateMatrixWorld();
  passOver(group, slab(1));
}

describe('PoseBounds', () => {
  it.each([
    ['bones', {}],
    ['one bone', { bones: 1 }],
    ['many bones', { bones: 60, vertices: 300 }],
    ['morph targets', { morphs: 3 }],
    ['weights whose sum is not 1', { spread: 0.3 }],
    ['weights of 8 bits', { spread: 0.008 }],
  ])('with %s: no vertex of a random pose is outside, in both bind modes', (_, options: SkinOptions) => {
    const random = createRandom(3);
    for (let trial = 0; trial < 40; trial++) {
      const { mesh, bones } = rig(random, options);
      const scene = new Scene();
      const group = new OctreeGroup();
      const poses = new PoseBounds(group);
      scene.add(group);
      group.add(mesh);
      if (random.next() < 0.5) mesh.add(bones[0]);
      else (random.next() < 0.5 ? group : scene).add(bones[0]);
      if (random.next() < 0.5) mesh.bindMode = DetachedBindMode;
      for (let step = 0; step < 5; step++) {
        for (const bone of bones) placeAtRandom(random, bone, 4);
        placeAtRandom(random, mesh, 50);
        placeAtRandom(random, group, 20);
        mesh.morphTargetInfluences?.forEach((_, k) => (mesh.morphTargetInfluences![k] = random.between(-1, 2)));
        frame(scene, group);
        expect(excess(mesh)).toBeLessThan(0);
        // The body contains it, in world space, from the frame on in which three could cull it.
        if (step === 0) continue;
        const { center, radius } = new Sphere().copy(mesh.boundingSphere).applyMatrix4(mesh.matrixWorld);
        expect(group.unculled).not.toContain(mesh);
        const [index] = Array.from(group.octree, ({ index }) => index).filter((k) => group.octree.dataAt(k) === mesh);
        const box = group.octree.getBoxAt(index);
        expect(box.distanceToPoint(center)).toBe(0);
        expect(box.max.x - box.min.x).toBeGreaterThan(radius);
      }
      poses.dispose();
    }
  });

  it.each([0, 1, 2])('has room for what rounding moves a vertex that is alone, far away along axis %i', (axis) => {
    const random = createRandom(9);
    for (const away of [1, 1e4, 1e8])
      for (let trial = 0; trial < 20; trial++) {
        const { mesh, bones } = rig(random, { vertices: 1, bones: 1 });
        mesh.geometry.attributes.skinWeight.setXYZW(0, 1, 0, 0, 0);
        const [scene, group] = [new Scene(), new OctreeGroup()];
        follow(group);
        scene.add(group.add(mesh, bones[0]));
        for (const object of [mesh, ...bones]) {
          placeAtRandom(random, object, 4);
          if (trial % 2 === 0 || object === mesh) object.position.setComponent(axis, away);
          if (trial % 3 === 0) object.quaternion.identity();
        }
        // Then the place of the mesh is not in its bind matrix.
        if (trial % 4 < 2) mesh.bindMode = DetachedBindMode;
        frame(scene, group);
        expect(excess(mesh)).toBeLessThan(0);
        expect(mesh.boundingSphere.radius).toBeGreaterThan(0);
        // It is small all the same.
        expect(mesh.boundingSphere.radius).toBeLessThan(1e-8 * away);
      }
  });

  it.each([0.5, 1.5])('contains vertices whose weights are all %f in sum', (weight) => {
    const random = createRandom(10);
    for (let trial = 0; trial < 10; trial++) {
      const { mesh, bones } = rig(random, { vertices: 3, bones: 1 });
      for (let k = 0; k < 3; k++) mesh.geometry.attributes.skinWeight.setXYZW(k, weight, 0, 0, 0);
      const [scene, group] = [new Scene(), new OctreeGroup()];
      follow(group);
      scene.add(group.add(mesh, bones[0]));
      for (const object of [mesh, ...bones]) placeAtRandom(random, object, 40);
      if (trial % 2 === 0) mesh.bindMode = DetachedBindMode;
      frame(scene, group);
      expect(excess(mesh)).toBeLessThan(0);
    }
  });

  it('follows a figure that is added below a mesh', () => {
    const [scene, group] = [new Scene(), new OctreeGroup()];
    follow(group);
    const child = cube(0);
    scene.add(group.add(child));
    frame(scene, group);
    const { mesh, bones } = rig(createRandom(8));
    child.add(bones[0], mesh);
    for (let k = 1; k < 5; k++) {
      bones[0].position.x = 100 * k;
      frame(scene, group);
      if (k > 1) expect(excess(mesh)).toBeLessThan(0);
    }
  });

  const PLACEMENTS: Readonly<
    Record<string, (group: OctreeGroup, mesh: SkinnedMesh, root: Bone, scene: Scene) => void>
  > = {
    'a child with its bones below it': (group, mesh, root) => group.add(mesh.add(root)),
    'a child with its bones beside it': (group, mesh, root) => group.add(root, mesh),
    'a child with its bones after it': (group, mesh, root) => group.add(mesh, root),
    'bones elsewhere in the scene': (group, mesh, root, scene) => {
      group.add(mesh);
      scene.add(root);
    },
    'a closed tree': (group, mesh, root) => group.add(new Group().add(new Group().add(mesh), root, cube(0))),
    'an opened tree': (group, mesh, root) => group.addTree(new Group().add(mesh, root)),
  };

  it.each(Object.entries(PLACEMENTS))('draws a figure that has walked by its bones into view: %s', (_, place) => {
    const { mesh, bones } = rig(createRandom(8));
    const [root] = bones;
    const [scene, group] = [new Scene(), new OctreeGroup()];
    const poses = new PoseBounds(group);
    mesh.position.set(0, 0, 0);
    place(group, mesh, root, scene);
    scene.add(group);
    const seen = (): boolean =>
      passOver(group, slab(30)).some((object) => object.getObjectByName('figure') !== undefined);
    const walkTo = (x: number): boolean => {
      root.position.x = x;
      scene.updateMatrixWorld();
      return seen();
    };
    // In the first frame it has no bounds yet.
    expect(walkTo(0)).toBe(true);
    expect(walkTo(0)).toBe(true);
    const isWithOthers = mesh.parent?.parent?.type === 'Group' && mesh.parent.parent !== (group as Group);
    if (!isWithOthers) {
      expect(walkTo(500)).toBe(false);
      expect(walkTo(-500)).toBe(false);
    }
    expect(walkTo(20)).toBe(true);
    expect(excess(mesh)).toBeLessThan(0);
    walkTo(700);
    expect(excess(mesh)).toBeLessThan(0);
    // By three alone it would have the sphere of its last pose.
    poses.dispose();
    expect(mesh.boundingSphere).toBeNull();
  });

  it('takes over a group with meshes, and follows those that are added later', () => {
    const [scene, group] = [new Scene(), new OctreeGroup()];
    const figures = [1, 2].map((seed) => rig(createRandom(seed)));
    scene.add(group.add(figures[0].mesh, figures[0].bones[0]));
    figures[0].mesh.computeBoundingSphere();
    frame(scene, group);
    const old = figures[0].mesh.boundingSphere.clone();
    const poses = new PoseBounds(group);
    figures[0].bones[0].position.x = 90;
    group.add(figures[1].mesh, figures[1].bones[0]);
    frame(scene, group);
    expect(figures[0].mesh.boundingSphere.equals(old)).toBe(false);
    for (const { mesh } of figures) expect(excess(mesh)).toBeLessThan(0);
    group.remove(figures[1].mesh);
    const last = figures[1].mesh.boundingSphere.clone();
    figures[1].bones[0].position.x = 60;
    frame(scene, group);
    expect(figures[1].mesh.boundingSphere).toEqual(last);
    poses.dispose();
  });

  it('follows static children, whose bones below them move with a report only', () => {
    const [scene, group] = [new Scene(), new OctreeGroup({ hasStaticChildren: true })];
    const [inside, outside] = [4, 5].map((seed) => rig(createRandom(seed)));
    follow(group);
    scene.add(group.add(inside.mesh.add(inside.bones[0]), outside.mesh), outside.bones[0]);
    for (let k = 0; k < 3; k++) frame(scene, group);
    const first = inside.mesh.boundingSphere.clone();
    for (const { bones } of [inside, outside]) bones[0].position.x += 70;
    frame(scene, group);
    expect(inside.mesh.boundingSphere).toEqual(first);
    expect(excess(outside.mesh)).toBeLessThan(0);
    group.reportMove(inside.mesh);
    frame(scene, group);
    expect(inside.mesh.boundingSphere).not.toEqual(first);
    for (const { mesh } of [inside, outside]) expect(excess(mesh)).toBeLessThan(0);
  });

  it('shares boxes between meshes of a geometry, and notices changed attributes', () => {
    const [scene, group] = [new Scene(), new OctreeGroup()];
    const { mesh, bones } = rig(createRandom(6));
    follow(group);
    scene.add(group.add(mesh, bones[0]));
    frame(scene, group);
    mesh.geometry.scale(3, 3, 3);
    frame(scene, group);
    expect(excess(mesh)).toBeLessThan(0);
    const { skinIndex } = mesh.geometry.attributes;
    for (let k = 0; k < skinIndex.count; k++) skinIndex.setX(k, (skinIndex.getX(k) + 1) % bones.length);
    skinIndex.needsUpdate = true;
    frame(scene, group);
    expect(excess(mesh)).toBeLessThan(0);
  });

  it('reads the vertices of a geometry once, until an attribute changes', () => {
    const [scene, group] = [new Scene(), new OctreeGroup()];
    const { mesh, bones } = rig(createRandom(6));
    const twin = new SkinnedMesh(mesh.geometry, mesh.material);
    twin.bind(mesh.skeleton);
    const read = vi.spyOn(mesh.geometry.attributes.skinWeight, 'getX');
    follow(group);
    scene.add(group.add(mesh, twin, bones[0]));
    for (let step = 0; step < 3; step++) {
      bones[1].position.x += 1;
      frame(scene, group);
    }
    expect(read).toHaveBeenCalledTimes(40);
    mesh.geometry.attributes.skinWeight.needsUpdate = true;
    frame(scene, group);
    expect(read).toHaveBeenCalledTimes(80);
  });

  it('takes morph targets without influences for none, and bones without a weight, whichever they are', () => {
    const [scene, group] = [new Scene(), new OctreeGroup()];
    const { mesh, bones } = rig(createRandom(6), { morphs: 2 });
    const { skinIndex, skinWeight } = mesh.geometry.attributes;
    for (let k = 0; k < skinWeight.count; k++) if (skinWeight.getW(k) === 0) skinIndex.setW(k, 99);
    delete mesh.morphTargetInfluences;
    const own = (mesh.boundingSphere = new Sphere(new Vector3(1, 2, 3), 4)).clone();
    follow(group);
    scene.add(group.add(mesh, bones[0]));
    for (let step = 0; step < 3; step++) frame(scene, group);
    expect(mesh.boundingSphere.equals(own)).toBe(false);
    for (let k = 0; k < skinWeight.count; k++) if (skinIndex.getW(k) === 99) skinIndex.setW(k, 0);
    expect(excess(mesh)).toBeLessThan(0);
  });

  it('reads weights of half floats', () => {
    const radii = [false, true].map((isHalf) => {
      const [scene, group] = [new Scene(), new OctreeGroup()];
      const { mesh, bones } = rig(createRandom(7));
      const { attributes } = mesh.geometry;
      if (isHalf)
        mesh.geometry.setAttribute(
          'skinWeight',
          new Float16BufferAttribute(
            Array.from(attributes.skinWeight.array, (weight) => DataUtils.toHalfFloat(weight)),
            4,
          ),
        );
      follow(group);
      scene.add(group.add(mesh, bones[0]));
      frame(scene, group);
      return mesh.boundingSphere.radius;
    });
    expect(radii[1] / radii[0]).toBeGreaterThan(0.99);
    expect(radii[1] / radii[0]).toBeLessThan(1.01);
  });

  it('leaves meshes without a bound to three', () => {
    const cases: ((mesh: SkinnedMesh) => void)[] = [
      ({ geometry }) => geometry.attributes.skinWeight.setX(0, -0.5),
      ({ geometry }) => geometry.attributes.skinWeight.setX(0, NaN),
      ({ geometry }) => geometry.attributes.skinIndex.setX(0, 99).setX(0, 99),
      (mesh) => (mesh.material = new ShaderMaterial() as Material),
      (mesh) => Object.assign(mesh, { skeleton: undefined }),
      ...['position', 'skinIndex', 'skinWeight'].map(
        (name) =>
          ({ geometry }: SkinnedMesh) =>
            geometry.deleteAttribute(name),
      ),
      ({ geometry }) => {
        geometry.boundingSphere = new Sphere();
        geometry.setAttribute('position', new GLBufferAttribute({}, 5126, 3, 4, 40) as never);
      },
      (mesh) => (mesh.frustumCulled = false),
    ];
    for (const [k, spoil] of cases.entries()) {
      const [scene, group] = [new Scene(), new OctreeGroup()];
      const { mesh, bones } = rig(createRandom(k));
      spoil(mesh);
      const own = new Sphere(new Vector3(1, 2, 3), 4);
      if (mesh.frustumCulled) mesh.boundingSphere = own.clone();
      follow(group);
      scene.add(group.add(mesh, bones[0]));
      for (let step = 0; step < 3; step++) frame(scene, group);
      if (mesh.frustumCulled) expect(mesh.boundingSphere).toEqual(own);
      else expect(group.unculled).toContain(mesh);
    }
  });

  it('takes the identity for missing bones, as renderers do', () => {
    const [scene, group] = [new Scene(), new OctreeGroup()];
    const { mesh, bones } = rig(createRandom(6));
    const { skeleton } = mesh;
    follow(group);
    scene.add(group.add(mesh, bones[0]));
    Reflect.set(skeleton.bones, 2, undefined);
    Reflect.set(skeleton.bones, 3, null);
    frame(scene, group);
    for (let step = 0; step < 3; step++) {
      bones[1].position.x += 3;
      frame(scene, group);
      // What is drawn: `boneMatrices`.
      skeleton.update();
      const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
      for (let k = 0; k < position.count; k++) {
        const vertex = new Vector3();
        for (let component = 0; component < 4; component++) {
          const matrix = new Matrix4().fromArray(skeleton.boneMatrices!, 16 * skinIndex.getComponent(k, component));
          const moved = new Vector3().fromBufferAttribute(position, k).applyMatrix4(mesh.bindMatrix);
          vertex.addScaledVector(moved.applyMatrix4(matrix), skinWeight.getComponent(k, component));
        }
        vertex.applyMatrix4(mesh.bindMatrixInverse);
        // The matrices that are drawn are in Float32.
        expect(vertex.distanceTo(mesh.boundingSphere.center)).toBeLessThan(mesh.boundingSphere.radius * (1 + 1e-5));
      }
    }
  });

  it('leaves a mesh with too few inverses of bones to three', () => {
    const [scene, group] = [new Scene(), new OctreeGroup()];
    const { mesh, bones } = rig(createRandom(6));
    follow(group);
    mesh.boundingSphere = new Sphere(new Vector3(1, 2, 3), 4);
    mesh.skeleton.boneInverses.length = 1;
    scene.add(group.add(mesh, bones[0]));
    for (let step = 0; step < 3; step++) frame(scene, group);
    expect(mesh.boundingSphere).toEqual(new Sphere(new Vector3(1, 2, 3), 4));
  });

  it('culls a figure again after its pose held a NaN, and one beside a light as three does', () => {
    const [scene, group] = [new Scene(), new OctreeGroup()];
    const { mesh, bones } = rig(createRandom(4));
    const other = rig(createRandom(5));
    follow(group);
    scene.add(group.add(mesh, bones[0], new Group().add(other.mesh, other.bones[0], new PointLight())));
    for (let k = 0; k < 2; k++) frame(scene, group);
    expect(group.unculled).not.toContain(mesh);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    bones[1].position.x = NaN;
    for (let k = 0; k < 2; k++) frame(scene, group);
    expect(group.unculled).toContain(mesh);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('SkinnedMesh "figure"'));
    bones[1].position.x = 3;
    for (let k = 0; k < 3; k++) frame(scene, group);
    expect(group.unculled).not.toContain(mesh);
    for (const one of [mesh, other.mesh]) expect(excess(one)).toBeLessThan(0);
  });

  it('follows a figure that is added below a child without bounds', () => {
    const random = createRandom(8);
    const [scene, group] = [new Scene(), new OctreeGroup()];
    follow(group);
    const child = new Group().add(new PointLight());
    scene.add(group.add(child));
    frame(scene, group);
    const { mesh, bones } = rig(random);
    child.add(bones[0], mesh);
    for (let k = 0; k < 5; k++) {
      for (const bone of bones) placeAtRandom(random, bone, 3);
      frame(scene, group);
      expect(excess(mesh)).toBeLessThan(1e-6);
    }
  });

  it('throws a sentence for what is no OctreeGroup', () => {
    expect(() => new PoseBounds(new Group() as never)).toThrow(
      'PoseBounds: group must be an OctreeGroup, but is a Group; create one.',
    );
  });

  it('refuses a second one for a group, until the first is disposed', () => {
    const group = new OctreeGroup();
    const first = follow(group);
    const refuses = (): void =>
      expect(() => follow(group)).toThrow('PoseBounds: group has a PoseBounds already; dispose it first.');
    refuses();
    first.dispose();
    const second = follow(group);
    // Disposed already: the second one stays.
    first.dispose();
    refuses();
    second.dispose();
    follow(new OctreeGroup());
  });

  it('sees cubes beside it as before', () => {
    const group = new OctreeGroup();
    follow(group);
    group.add(cube(0), cube(50));
    group.updateMatrixWorld();
    expect(namesSeen(group, 10)).toEqual(['cube 0']);
  });
});
