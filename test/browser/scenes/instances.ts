// Instances: an InstancedMesh, or an OctreeInstances in its place.

import {
  AdditiveBlending,
  AmbientLight,
  Color,
  DirectionalLight,
  DoubleSide,
  Euler,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import type { Random } from '../../support/random.ts';
import { box, createMorphSphere, mesh } from './meshes.ts';
import { commit, type ExampleScene, type Instances } from './stage.ts';

function randomMatrix(random: Random, reach: number, scale = 1): Matrix4 {
  const place = new Vector3(
    random.between(-reach, reach),
    random.between(-reach, reach),
    random.between(-reach, reach),
  );
  const turn = new Quaternion().setFromEuler(new Euler(random.between(-3, 3), random.between(-3, 3), 0));
  return new Matrix4().compose(place, turn, new Vector3(scale, scale, scale * random.pick([1, 0.5, -1])));
}

function scatterInstances(instances: Instances, random: Random, count: number, reach: number, scale = 1): void {
  for (let id = 0; id < count; id++) {
    instances.setMatrixAt(id, randomMatrix(random, reach, scale));
    instances.setColorAt(id, new Color(random.below(2 ** 24)));
  }
  commit(instances);
}

const COUNT = 30;

const moving: ExampleScene = {
  name: 'instances that move and change colour, in a group that turns',
  build({ add, instances, random }) {
    const boxes = instances(box, new MeshBasicMaterial(), COUNT);
    const spheres = instances(new SphereGeometry(0.6, 8, 6), new MeshBasicMaterial(), COUNT);
    scatterInstances(boxes, random, COUNT, 8);
    scatterInstances(spheres, random, COUNT, 8);
    const rig = new Group().add(spheres);
    add(boxes, rig);
    return {
      move: (time) => {
        for (let k = 0; k < 5; k++) boxes.setMatrixAt(random.below(COUNT), randomMatrix(random, 6));
        boxes.setColorAt(random.below(COUNT), new Color(random.below(2 ** 24)));
        commit(boxes);
        rig.rotation.y = 0.1 * time;
        spheres.position.x = 0.2 * time;
      },
    };
  },
};

const coplanar: ExampleScene = {
  name: 'instances that overlap at equal depth, seen by a camera that moves on',
  build({ add, camera, instances, random }) {
    const cards = instances(new PlaneGeometry(2, 2), new MeshBasicMaterial(), COUNT);
    for (let id = 0; id < COUNT; id++) {
      cards.setMatrixAt(id, new Matrix4().makeTranslation(random.between(-9, 9), random.between(-3, 3), 0));
      cards.setColorAt(id, new Color(random.below(2 ** 24)));
    }
    commit(cards);
    add(cards);
    return { move: (time) => (camera.position.x = 1.5 * time - 6) };
  },
};

const glass: ExampleScene = {
  name: 'transparent and additive instances, before and behind transparent meshes',
  build({ add, instances, camera, random }) {
    const material = new MeshBasicMaterial({ transparent: true, opacity: 0.5, depthWrite: false, side: DoubleSide });
    const added = new MeshBasicMaterial({
      blending: AdditiveBlending,
      transparent: true,
      opacity: 0.3,
      depthTest: false,
    });
    const bars = [0x00ff00, 0xff0000].map((color, k) => mesh(color, 0, 0, 2 * k - 1, box));
    bars.forEach((bar, k) => {
      bar.scale.setComponent(k, 6);
      Object.assign(bar.material, { transparent: true, opacity: 0.5, depthWrite: false });
    });
    const boxes = instances(box, material, COUNT);
    const sparks = instances(new SphereGeometry(0.5, 6, 4), added, COUNT);
    // An InstancedMesh does not sort its instances.
    Object.assign(boxes, { sortObjects: false });
    Object.assign(sparks, { sortObjects: false });
    scatterInstances(boxes, random, COUNT, 4);
    scatterInstances(sparks, random, COUNT, 4);
    add(bars[0], boxes, sparks.translateZ(0.5), bars[1]);
    return {
      move: (time) => {
        camera.position.x = 0.5 * time;
        boxes.visible = time !== 2;
        sparks.position.z = time % 2 === 0 ? 0.5 : -0.5;
      },
    };
  },
};

const glassy = (color: number): MeshBasicMaterial =>
  new MeshBasicMaterial({ color, transparent: true, opacity: 0.6, depthWrite: false });

const equalDepth: ExampleScene = {
  name: 'transparent instances and meshes at equal depth, in the order in which they were created',
  build({ add, instances, random }) {
    const cards = [0xff0000, 0x00ff00, 0x0000ff].map((color) => {
      const all = instances(new PlaneGeometry(3, 3), glassy(color), 4);
      for (let id = 0; id < 4; id++)
        all.setMatrixAt(id, new Matrix4().makeTranslation(random.between(-3, 3), random.between(-3, 3), 0));
      commit(all);
      const between = new Mesh(new PlaneGeometry(2, 6), glassy(0xffffff));
      add(all, between.translateX(random.between(-2, 2)));
      return all;
    });
    return {
      move: (time) => {
        cards[0].visible = time > 1;
        cards[1].rotation.z = 0.2 * time;
      },
    };
  },
};

const morphing: ExampleScene = {
  name: 'instances with morph targets of their own',
  build({ add, instances, random }) {
    const blobs = instances(createMorphSphere(), new MeshBasicMaterial(), 12);
    scatterInstances(blobs, random, 12, 4);
    // WebGPURenderer draws the instances of an InstancedMesh only with relative targets.
    blobs.geometry.morphTargetsRelative = true;
    // Holds the influences that setMorphAt copies.
    const holder = new Mesh(blobs.geometry);
    add(blobs);
    return {
      move: (time) => {
        for (let id = 0; id < 12; id++) {
          holder.morphTargetInfluences = [0.1 * time, id % 3 === 0 ? 0.2 * time : 0];
          (blobs as InstancedMesh).setMorphAt(id, holder);
        }
        (blobs as InstancedMesh).morphTexture!.needsUpdate = true;
        commit(blobs);
      },
    };
  },
};

const attributes: ExampleScene = {
  name: 'instanced attributes of the geometry',
  build({ add, instances, random }) {
    const geometry = new TorusGeometry(0.5, 0.2, 5, 8);
    const colors = new InstancedBufferAttribute(
      new Float32Array(3 * COUNT).map(() => random.next()),
      3,
    );
    geometry.setAttribute('color', colors);
    const rings = instances(geometry, new MeshBasicMaterial({ vertexColors: true }), COUNT);
    for (let id = 0; id < COUNT; id++) rings.setMatrixAt(id, randomMatrix(random, 5));
    commit(rings);
    add(rings);
    return {
      move: (time) => {
        for (let k = 0; k < 5; k++) colors.setXYZ(random.below(COUNT), random.next(), random.next(), random.next());
        colors.needsUpdate = true;
        rings.rotation.z = 0.1 * time;
      },
    };
  },
};

const shadows: ExampleScene = {
  name: 'instances that cast and receive shadows, with callbacks',
  build({ add, instances, scene, random, log }) {
    const light = new DirectionalLight(0xffffff, 2);
    light.position.set(3, 8, 4);
    light.castShadow = true;
    light.shadow.mapSize.set(64, 64);
    scene.add(light, new AmbientLight(0xffffff, 0.3));
    const boxes = instances(box, new MeshLambertMaterial(), COUNT);
    scatterInstances(boxes, random, COUNT, 5, 0.6);
    boxes.castShadow = boxes.receiveShadow = true;
    boxes.onBeforeRender = (_renderer, _scene, camera) => log(`before ${camera.type}`);
    boxes.onAfterRender = (_renderer, _scene, camera) => log(`after ${camera.type}`);
    boxes.onBeforeShadow = (_renderer, _object, _camera, shadowCamera) => log(`before shadow ${shadowCamera.type}`);
    boxes.onAfterShadow = (_renderer, _object, _camera, shadowCamera) => log(`after shadow ${shadowCamera.type}`);
    add(boxes);
    return {
      move: (time) => {
        boxes.setMatrixAt(time, randomMatrix(random, 4));
        commit(boxes);
        light.position.x = 3 - time;
      },
    };
  },
};

export const instanceScenes: readonly ExampleScene[] = [
  moving,
  coplanar,
  glass,
  equalDepth,
  morphing,
  attributes,
  shadows,
];
