// A context of WebGL that is lost and comes back, while all containers and features are in use: pictures before it,
// after it, and after changes meanwhile are those of plain three. What stays on the GPU is counted in soak.test.

import {
  AmbientLight,
  Bone,
  BoxGeometry,
  Color,
  DirectionalLight,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  PlaneGeometry,
  Scene,
  Skeleton,
  SkinnedMesh,
  SphereGeometry,
  WebGLRenderer,
  type Object3D,
} from 'three';
import { expect, it } from 'vitest';
import {
  InstanceChanges,
  OcclusionCulling,
  OctreeGroup,
  OctreeInstances,
  PoseBounds,
  ShadowUpdates,
  StaticBatches,
} from '../../src/three.ts';
import { expectNear } from '../support/near-pictures.ts';
import { createRandom } from '../support/random.ts';
import { skinnedGeometry } from '../support/skinned-meshes.ts';
import { createCamera, loseContext, readPicture } from '../support/three-pictures.ts';

const COUNT = 60;
const camera = createCamera([0, 14, 36], [0, 0, 0], 120);
const geometries = [new BoxGeometry(1, 2, 1), new SphereGeometry(0.8, 8, 6)];

interface World {
  readonly scene: Scene;
  readonly houses: Group;
  readonly crowd: Group;
  readonly trees: OctreeInstances | InstancedMesh;
  readonly skin: SkinnedMesh;
}

const shadowed = <O extends Object3D>(object: O): O => Object.assign(object, { castShadow: true, receiveShadow: true });

/** A town of static houses, trees, and moving things with a skinned mesh, behind a wall in part. */
function createWorld<T extends Group>(houses: T, crowd: T, trees: World['trees']): World {
  const random = createRandom(17);
  const scene = new Scene();
  const floor = new Mesh(new PlaneGeometry(80, 80), new MeshLambertMaterial());
  floor.rotation.x = -Math.PI / 2;
  floor.receiveShadow = true;
  const sun = new DirectionalLight(0xffffff, 2);
  sun.position.set(8, 20, 5);
  sun.castShadow = true;
  Object.assign(sun.shadow.camera, { left: -30, right: 30, top: 30, bottom: -30 });
  scene.add(floor, sun, new AmbientLight(0xffffff, 0.6), houses, crowd, shadowed(trees));
  const materials = [0xcc8844, 0x4488cc].map((color) => new MeshLambertMaterial({ color }));
  const place = (object: Object3D): Object3D =>
    object.position.set(random.between(-20, 20), 1, random.between(-20, 10)) && object;
  for (let k = 0; k < COUNT; k++) {
    houses.add(place(shadowed(new Mesh(geometries[k % 2].clone(), materials[k % 2]))));
    crowd.add(place(shadowed(new Mesh(geometries[k % 2], materials[(k >> 1) % 2]))));
    trees.setMatrixAt(k, new Matrix4().makeTranslation(random.between(-20, 20), 1, random.between(-20, 10)));
    trees.setColorAt(k, new Color().setHSL(k / COUNT, 1, 0.5));
  }
  const wall = shadowed(new Mesh(new BoxGeometry(16, 8, 1), materials[0]));
  wall.position.set(-8, 4, 14);
  houses.add(wall);
  const bones = Array.from({ length: 6 }, () => new Bone());
  const skin = shadowed(new SkinnedMesh(skinnedGeometry(random, {}), new MeshLambertMaterial({ flatShading: true })));
  skin.add(...bones);
  skin.bind(new Skeleton([...bones]));
  skin.position.set(8, 4, 12);
  crowd.add(skin);
  return { scene, houses, crowd, trees, skin };
}

function change({ houses, crowd, trees, skin }: World, round: number): void {
  crowd.children[3].position.x += 2;
  crowd.remove(crowd.children[9]);
  houses.children[5].visible = false;
  trees.setMatrixAt(round, new Matrix4().makeTranslation(4, 5, 12));
  if (trees instanceof InstancedMesh) trees.instanceMatrix.needsUpdate = true;
  for (const [k, bone] of skin.skeleton.bones.entries()) bone.position.set(0.3 * round, 0.2 * k, 0);
  const [, , house] = houses.children as Mesh[];
  house.position.y += 2;
  if (houses instanceof OctreeGroup) for (const each of [house, houses.children[5]]) houses.reportMove(each);
}

it('all features draw as plain three after the context was lost, with frames and changes meanwhile, twice', async () => {
  const renderer = new WebGLRenderer({ antialias: false });
  renderer.shadowMap.enabled = true;
  const plain = createWorld(
    new Group(),
    new Group(),
    new InstancedMesh(geometries[1], new MeshLambertMaterial(), COUNT),
  );
  const houses = new OctreeGroup({ hasStaticChildren: true });
  const crowd = new OctreeGroup();
  const trees = new OctreeInstances(geometries[1], new MeshLambertMaterial(), COUNT);
  const own = createWorld(houses, crowd, trees);
  own.scene.updateMatrixWorld();
  const batches = new StaticBatches(houses).finish();
  const occlusions = [houses, crowd].map((group) =>
    new OcclusionCulling(group, camera, { auto: () => true, minRemoved: 0, minOccluderArea: 0 }).finish(),
  );
  const poses = new PoseBounds(crowd);
  const shadows = new ShadowUpdates(own.scene, renderer, [houses, crowd, new InstanceChanges(trees)]);
  // Its poses would have the map drawn in each frame.
  for (const { skin } of [plain, own]) skin.castShadow = false;
  shadows.setStill(own.skin);
  const worlds = [plain, own];
  const expectSame = async (): Promise<void> => {
    for (let frame = 0; frame < 2; frame++) {
      const [expected, found] = worlds.map(({ scene }) => readPicture(renderer, () => renderer.render(scene, camera)));
      expectNear(expected, found);
      await Promise.resolve();
    }
  };
  await expectSame();
  expect(batches.report().batched).toBeGreaterThan(COUNT / 2);
  await expectSame();
  // Without the loss, no shadow map would be drawn again.
  expect(shadows.due).toEqual([]);
  for (let round = 0; round < 2; round++) {
    await loseContext(renderer, () => {
      for (const world of worlds) {
        renderer.render(world.scene, camera);
        if (round > 0) change(world, round);
        renderer.render(world.scene, camera);
      }
    });
    await expectSame();
    for (const world of worlds) change(world, 2 + round);
    await expectSame();
  }
  for (const feature of [batches, ...occlusions, poses, shadows]) feature.dispose();
  await expectSame();
  renderer.dispose();
});
