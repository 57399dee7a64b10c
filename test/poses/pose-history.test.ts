// Random histories of skinned meshes in a group with PoseBounds: no vertex of a pose is outside of the sphere of its
// mesh, and no mesh with a vertex in view is left out.

import {
  AttachedBindMode,
  Bone,
  DetachedBindMode,
  Frustum,
  Group,
  Matrix4,
  MeshBasicMaterial,
  PerspectiveCamera,
  Scene,
  Skeleton,
  SkinnedMesh,
  Vector3,
  type Object3D,
} from 'three';
import { expect, it } from 'vitest';
import { OctreeGroup, PoseBounds } from '../../src/three.ts';
import { createRandom, type Random } from '../support/random.ts';
import { placeAtRandom, skinnedGeometry } from '../support/skinned-meshes.ts';
import { passOver } from '../support/three-passes.ts';

interface Figure {
  readonly mesh: SkinnedMesh;
  /** Null for a child of the group itself. */
  readonly tree: Group | null;
  readonly isStatic: boolean;
}

const BONES = 5;

function skeletonOf(random: Random, home: Object3D): Skeleton {
  const bones = Array.from({ length: BONES }, () => new Bone());
  bones.slice(1).forEach((bone, k) => bones[random.below(k + 1)].add(bone));
  for (const bone of bones) placeAtRandom(random, bone, 1);
  home.add(bones[0]);
  home.updateWorldMatrix(true, true);
  return new Skeleton(bones);
}

function addFigure(random: Random, scene: Scene, group: OctreeGroup, shared: Skeleton | null): Figure {
  const options = { bones: BONES, vertices: 12, morphs: random.pick([0, 0, 2]), spread: random.pick([0, 0.2]) };
  const mesh = new SkinnedMesh(skinnedGeometry(random, options), new MeshBasicMaterial());
  placeAtRandom(random, mesh, 10);
  const isStatic = random.next() < 0.3;
  const tree = random.next() < 0.5 ? new Group() : null;
  const skeleton = shared ?? skeletonOf(random, random.pick<Object3D>([mesh, scene, group, tree ?? mesh]));
  const home = random.next() < 0.5 ? mesh.matrixWorld.clone() : undefined;
  mesh.bind(skeleton, home);
  if (tree === null) group.add(mesh);
  else {
    placeAtRandom(random, tree, 5);
    tree.add(random.next() < 0.5 ? mesh : placeAtRandom(random, new Group(), 2).add(mesh));
    if (random.next() < 0.5) group.addTree(tree, { isStatic });
    else group.add(tree);
  }
  return { mesh, tree, isStatic };
}

/** A change of a figure, as animations, loaders and users make them. */
function change(random: Random, { mesh, tree }: Figure, scene: Scene, group: OctreeGroup): void {
  const { skeleton } = mesh;
  const changes: (() => void)[] = [
    () => {
      for (const bone of skeleton.bones) placeAtRandom(random, bone, 6);
    },
    () => void placeAtRandom(random, random.pick(skeleton.bones), 100),
    () => void placeAtRandom(random, mesh, 60),
    () => void placeAtRandom(random, tree ?? mesh, 30),
    () => mesh.morphTargetInfluences?.forEach((_, k) => (mesh.morphTargetInfluences![k] = random.between(-2, 3))),
    () => {
      mesh.bindMode = mesh.bindMode === AttachedBindMode ? DetachedBindMode : AttachedBindMode;
    },
    () => mesh.bind(skeleton, placeAtRandom(random, new Bone(), 9).matrix.clone()),
    () => mesh.bind(skeletonOf(random, random.pick<Object3D>([mesh, scene, group])), mesh.bindMatrix.clone()),
    () => {
      mesh.skeleton = skeletonOf(random, random.pick<Object3D>([mesh, scene]));
    },
    () => skeleton.boneInverses.forEach((inverse) => inverse.copy(placeAtRandom(random, new Bone(), 2).matrix)),
    () => {
      mesh.geometry = skinnedGeometry(random, {
        bones: BONES,
        vertices: 9,
        morphs: mesh.morphTargetInfluences?.length ?? 0,
      });
    },
    () => mesh.geometry.scale(1.5, 1, 0.8),
    () => {
      mesh.geometry.attributes.skinIndex.setXYZW(0, 4, 3, 2, 1);
      mesh.geometry.attributes.skinIndex.needsUpdate = true;
    },
    () => random.pick<Object3D>([scene, group, mesh]).add(skeleton.bones[0]),
    () => {
      if (tree === null) group.remove(mesh).add(mesh);
    },
    () => {
      mesh.frustumCulled = !mesh.frustumCulled;
    },
    () => {
      mesh.material = new MeshBasicMaterial();
    },
    () => {
      mesh.boundingSphere = null as never;
    },
  ];
  random.pick(changes)();
}

it.each([1, 2, 3, 4, 5, 6])('contain all vertices, whatever happens to meshes and bones: seed %i', (seed) => {
  const random = createRandom(seed);
  const scene = new Scene();
  const group = new OctreeGroup();
  scene.add(group);
  let poses = new PoseBounds(group);
  const figures: Figure[] = [];
  for (let k = 0; k < 6; k++) {
    const shared = k > 0 && random.next() < 0.4 ? figures[k - 1].mesh.skeleton : null;
    figures.push(addFigure(random, scene, group, shared));
  }
  const camera = new PerspectiveCamera(60, 1, 0.1, 300);
  const vertex = new Vector3();
  let [culled, seen] = [0, 0];
  for (let frame = 0; frame < 150; frame++) {
    for (let k = 0; k < 2; k++) change(random, random.pick(figures), scene, group);
    if (random.next() < 0.1) placeAtRandom(random, group, 20);
    if (random.next() < 0.05) {
      poses.dispose();
      poses = new PoseBounds(group);
    }
    for (const { tree, isStatic } of figures) if (isStatic && tree !== null) group.reportMove(tree);
    scene.updateMatrixWorld();
    camera.position.set(random.between(-80, 80), random.between(-80, 80), random.between(-80, 80));
    camera.lookAt(random.between(-30, 30), 0, random.between(-30, 30));
    camera.updateMatrixWorld();
    const frustum = new Frustum().setFromProjectionMatrix(
      new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    );
    const drawn = new Set<Object3D>();
    for (const object of passOver(group, frustum)) object.traverse((each) => drawn.add(each));
    for (const { mesh } of figures) {
      let isInView = false;
      for (let k = 0; k < mesh.geometry.attributes.position.count; k++) {
        mesh.getVertexPosition(k, vertex);
        const { boundingSphere: sphere } = mesh as { boundingSphere: SkinnedMesh['boundingSphere'] | null };
        // A null sphere is computed by three when it culls.
        if (sphere !== null && mesh.frustumCulled) {
          const rounding = 1e-12 * (sphere.radius + vertex.length() + mesh.bindMatrixInverse.getMaxScaleOnAxis());
          expect(vertex.distanceTo(sphere.center), `frame ${frame}`).toBeLessThan(sphere.radius + rounding);
        }
        isInView ||= frustum.containsPoint(vertex.applyMatrix4(mesh.matrixWorld));
      }
      const isDrawn = drawn.has(mesh) && (!mesh.frustumCulled || frustum.intersectsObject(mesh));
      if (isInView) expect(isDrawn, `frame ${frame}`).toBe(true);
      if (!drawn.has(mesh)) culled++;
      if (isInView) seen++;
    }
  }
  expect(culled).toBeGreaterThan(5);
  expect(seen).toBeGreaterThan(50);
});
