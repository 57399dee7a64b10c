// CPU time of frames in the manner of three's examples webgl_lod, webgl_instancing_dynamic and webgl_shadowmap: as they
// are, and with their objects in a container.

import {
  BoxGeometry,
  CylinderGeometry,
  DirectionalLight,
  Fog,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  LOD,
  Mesh,
  MeshLambertMaterial,
  MeshNormalMaterial,
  MeshPhongMaterial,
  Object3D,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
} from 'three';
import { expect, it } from 'vitest';
import { OctreeGroup, OctreeInstances } from '../../src/three.ts';
import { createRandom } from '../support/random.ts';
import { meanOfFastest, useTimedRenderer } from '../support/timed-renderer.ts';
import { byMajority } from '../support/by-majority.ts';
import { IS_LONG } from '../support/sampled.ts';

/** Rounds of a comparison; of each contestant the faster quarter counts, because other processes disturb the rest. */
const ROUNDS = 60;
/** Rounds before them, in which compilers warm up. */
const WARM_UP = 60;
/** Frames in a round, because a frame is short. */
const FRAMES = 4;
/** Times that the scenes are built, by turns the one or the other first: where objects lie in memory changes times. */
const BUILDS = IS_LONG ? 4 : 2;
const { renderer, waitForDrawing } = useTimedRenderer();

/** A scene, and what moves in it before a frame. */
interface Example {
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
  readonly move: (frame: number) => void;
}

/** 1,000 LODs of five spheres, of which no matrix is computed. */
function lods(container: Object3D): Example {
  const random = createRandom(1);
  const levels = [16, 8, 4, 2, 1].map((detail, k) => ({
    geometry: new IcosahedronGeometry(100, detail),
    distance: [50, 300, 1000, 2000, 8000][k],
  }));
  const material = new MeshLambertMaterial({ color: 0xffffff, wireframe: true });
  const scene = new Scene().add(container);
  scene.fog = new Fog(0x000000, 1, 15000);
  for (let k = 0; k < 1000; k++) {
    const lod = new LOD();
    for (const { geometry, distance } of levels) {
      const mesh = new Mesh(geometry, material);
      mesh.scale.setScalar(1.5);
      mesh.updateMatrix();
      mesh.matrixAutoUpdate = false;
      lod.addLevel(mesh, distance);
    }
    lod.position.set(random.between(-5000, 5000), random.between(-3750, 3750), random.between(-5000, 5000));
    lod.updateMatrix();
    lod.matrixAutoUpdate = false;
    container.add(lod);
  }
  const camera = new PerspectiveCamera(45, 1, 1, 15000);
  camera.position.z = 1000;
  return { scene, camera, move: (frame) => void (camera.rotation.y = frame * 0.002) };
}

/** 1,000 instances, all of which turn in every frame. */
function dynamic(create: (geometry: BoxGeometry, material: MeshNormalMaterial, count: number) => Object3D): Example {
  const amount = 10;
  const mesh = create(new BoxGeometry(), new MeshNormalMaterial(), amount ** 3);
  const instances = mesh as InstancedMesh;
  const dummy = new Object3D();
  const camera = new PerspectiveCamera(60, 1, 0.1, 100);
  camera.position.setScalar(amount * 0.9);
  camera.lookAt(0, 0, 0);
  return {
    scene: new Scene().add(mesh),
    camera,
    move: (frame) => {
      const time = frame * 0.01;
      mesh.rotation.set(Math.sin(time / 4), Math.sin(time / 2), 0);
      const offset = (amount - 1) / 2;
      let id = 0;
      for (let x = 0; x < amount; x++)
        for (let y = 0; y < amount; y++)
          for (let z = 0; z < amount; z++) {
            dummy.position.set(offset - x, offset - y, offset - z);
            dummy.rotation.y = Math.sin(x / 4 + time) + Math.sin(y / 4 + time) + Math.sin(z / 4 + time);
            dummy.rotation.z = dummy.rotation.y * 2;
            dummy.updateMatrix();
            instances.setMatrixAt(id++, dummy.matrix);
          }
      instances.instanceMatrix.needsUpdate = true;
    },
  };
}

/** 14 meshes that cast and receive the shadow of a light. */
function shadows(container: Object3D): Example {
  const scene = new Scene().add(container);
  const light = new DirectionalLight(0xffffff, 3);
  light.position.set(0, 1500, 1000);
  light.castShadow = true;
  Object.assign(light.shadow.camera, { left: -1000, right: 1000, top: 1000, bottom: -1000, near: 100, far: 5000 });
  scene.add(light);
  const material = new MeshPhongMaterial({ color: 0xffdd99 });
  const ground = new Mesh(new PlaneGeometry(100, 100), material);
  ground.position.y = -250;
  ground.rotation.x = -Math.PI / 2;
  ground.scale.setScalar(100);
  const shapes: Mesh[] = [ground];
  for (let k = 0; k < 4; k++) {
    const box = new Mesh(new BoxGeometry(1500, 220, 150 + 10 * k), material);
    box.position.set(0, -50 - 50 * k, 20 + 50 * k);
    shapes.push(box);
  }
  for (let k = 0; k < 9; k++) {
    const actor = new Mesh(new CylinderGeometry(20, 20, 150 + k, 24), material);
    actor.position.set(-400 + 100 * k, -175, 300);
    shapes.push(actor);
  }
  for (const mesh of shapes) {
    mesh.castShadow = mesh !== ground;
    mesh.receiveShadow = true;
    container.add(mesh);
  }
  const camera = new PerspectiveCamera(23, 1, 10, 3000);
  camera.position.set(700, 50, 1900);
  camera.lookAt(0, 0, 0);
  return {
    scene,
    camera,
    move: (frame) => {
      for (let k = 5; k < shapes.length; k++) shapes[k].position.x = -400 + 100 * (k - 5) + (frame % 60);
    },
  };
}

/** Milliseconds of a frame, its moves included: the mean of the faster quarter of the rounds. */
function timesOf(examples: readonly Example[]): number[] {
  const times: number[][] = examples.map(() => []);
  let frame = 0;
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [k, { scene, camera, move }] of examples.entries()) {
      const start = performance.now();
      for (let rest = FRAMES; rest > 0; rest--) {
        move(frame++);
        renderer.render(scene, camera);
      }
      if (round >= 0) times[k].push((performance.now() - start) / FRAMES);
      waitForDrawing();
    }
  }
  return times.map((each) => meanOfFastest(each, ROUNDS / 4));
}

// Measured ratios are smaller; the rest is allowance for busy machines.
it.each<[string, number, boolean, () => Example, () => Example]>([
  ['webgl_lod', 3, false, () => lods(new Group()), () => lods(new OctreeGroup())],
  ['webgl_lod, static', 0.5, false, () => lods(new Group()), () => lods(new OctreeGroup({ hasStaticChildren: true }))],
  [
    'webgl_instancing_dynamic',
    3.5,
    false,
    () => dynamic((...args) => new InstancedMesh(...args)),
    () => dynamic((...args) => new OctreeInstances(...args)),
  ],
  ['webgl_shadowmap', 2.5, true, () => shadows(new Group()), () => shadows(new OctreeGroup())],
])(
  'renders a scene like %s in less than %s of the time of plain three',
  byMajority((name, limit, hasShadows, plain, contained) => {
    renderer.shadowMap.enabled = hasShadows;
    const total = [0, 0];
    for (let build = 0; build < BUILDS; build++) {
      const isSwapped = build % 2 === 1;
      const creators = isSwapped ? [contained, plain] : [plain, contained];
      const times = timesOf(creators.map((create) => create()));
      total[0] += times[isSwapped ? 1 : 0];
      total[1] += times[isSwapped ? 0 : 1];
    }
    const ratio = total[1] / total[0];
    console.log(`${name}: plain ${(total[0] / BUILDS).toFixed(3)} ms, in a container ${ratio.toFixed(2)} of that`);
    expect(ratio).toBeLessThan(limit);
  }),
);
