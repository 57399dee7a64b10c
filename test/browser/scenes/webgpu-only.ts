// What only WebGPURenderer draws: clipping groups, node materials, its fat lines, reflections, render pipelines and
// bundles.

import {
  AmbientLight,
  DirectionalLight,
  Group,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  Plane,
  PlaneGeometry,
  Vector3,
} from 'three';
import { Line2 } from 'three/addons/lines/webgpu/Line2.js';
import {
  float,
  Fn,
  hash,
  instanceIndex,
  pass,
  positionLocal,
  reflector as reflect,
  uniform,
  vec3,
  vec4,
} from 'three/tsl';
import {
  BundleGroup,
  ClippingGroup,
  Line2NodeMaterial,
  MeshBasicNodeMaterial,
  RenderPipeline,
  type WebGPURenderer,
} from 'three/webgpu';
import { surround } from './cameras.ts';
import { box, mesh, scatter, wallOutside } from './meshes.ts';
import { fatLines } from './objects.ts';
import { commit, type ExampleScene } from './stage.ts';

type WebGPUScene = ExampleScene<WebGPURenderer>;

const lines: WebGPUScene = fatLines(
  (geometry) => new Line2(geometry, new Line2NodeMaterial({ color: 0xffaa33, linewidth: 4 })),
);

const clipping: WebGPUScene = {
  name: 'clipping groups, nested and in the group, with planes that move',
  build(stage) {
    const [first, second] = [new Plane(new Vector3(-1, 0, 0), 2), new Plane(new Vector3(0, -1, 0), 1)];
    const { random } = stage;
    const outer = new ClippingGroup();
    const inner = new ClippingGroup();
    outer.clippingPlanes = [first];
    inner.clippingPlanes = [second];
    const objects = scatter(random, 12, 4, 3, 3);
    outer.add(...objects.slice(0, 5), new Group().add(inner));
    inner.add(...objects.slice(5, 9));
    stage.add(outer, ...objects.slice(9));
    return {
      move: (time) => {
        first.constant = 3 - 0.5 * time;
        second.constant = 0.3 * time;
        outer.enabled = time !== 4;
        objects[0].position.x = 0.2 * time;
      },
    };
  },
};

const nodes: WebGPUScene = {
  name: 'node materials that move vertices into the picture: positionNode, geometryNode, castShadowPositionNode',
  build({ add, scene }) {
    const light = new DirectionalLight(0xffffff, 2);
    light.position.set(5, 5, 2);
    light.castShadow = true;
    light.shadow.mapSize.set(64, 64);
    const floor = new Mesh(new PlaneGeometry(8, 8).rotateX(-1), new MeshLambertMaterial());
    floor.receiveShadow = true;
    scene.add(light, new AmbientLight(0xffffff, 0.5), floor.translateY(-3));
    const amount = uniform(0);
    const shifted = positionLocal.add(vec3(amount, 0, 0));
    const [byPosition, byGeometry, caster] = [0xff5555, 0x55ff55, 0xffff55].map(
      (color) => new MeshBasicNodeMaterial({ color }),
    );
    byPosition.positionNode = shifted;
    byGeometry.geometryNode = Fn(() => {
      positionLocal.assign(shifted);
    })();
    caster.castShadowPositionNode = shifted;
    const objects = [byPosition, byGeometry, caster].map((material, k) =>
      Object.assign(wallOutside(0, k - 1), { material }),
    );
    objects[2].castShadow = true;
    add(mesh(0x55ff55), objects[0], new Group().add(objects[1]), objects[2]);
    return { move: (time) => (amount.value = time) };
  },
};

const overrides: WebGPUScene = {
  name: 'scene.overrideMaterial that moves vertices into the picture',
  build({ add, scene }) {
    const amount = uniform(0);
    const override = new MeshBasicNodeMaterial({ color: 0x33ccdd });
    override.positionNode = positionLocal.add(vec3(amount, 0, 0));
    add(mesh(0xff5555, -2), wallOutside(0x55ff55, 1), new Group().add(wallOutside(0x5555ff, -1)));
    return {
      move: (time) => {
        amount.value = 0.7 * time;
        scene.overrideMaterial = time % 2 === 1 ? override : null;
      },
    };
  },
};

const mirror: WebGPUScene = {
  name: 'a mirror in the group, by the node reflector()',
  build(stage) {
    const objects = surround(stage);
    const reflection = reflect({ resolutionScale: 1 });
    const material = new MeshBasicNodeMaterial();
    material.colorNode = reflection;
    const plane = new Mesh(new PlaneGeometry(20, 20), material);
    plane.add(reflection.target);
    stage.add(plane.translateY(-3).rotateX(-Math.PI / 2));
    return {
      move: (time) => {
        objects[3].position.y = 0.4 * time;
        plane.rotation.y = 0.05 * time;
      },
    };
  },
};

const pipeline: WebGPUScene = {
  name: 'a RenderPipeline with a pass',
  build(stage) {
    const { renderer, scene, camera } = stage;
    const objects = surround(stage);
    const effects = new RenderPipeline(renderer);
    const picture = pass(scene, camera);
    effects.outputNode = vec4(picture.rgb.mul(0.5).add(picture.getLinearDepthNode()), 1);
    return {
      move: (time) => objects.forEach((object, k) => (object.position.x += 0.1 * time * (k % 3) - 0.1)),
      render: () => effects.render(),
      end: () => effects.dispose(),
    };
  },
};

const bundles: WebGPUScene = {
  name: 'bundle groups, static and not, and objects with static = true',
  build({ add, random }) {
    const objects = scatter(random, 12, 4, 3, 3);
    const [still, live] = [new BundleGroup(), new BundleGroup()];
    live.static = false;
    still.add(...objects.slice(0, 4));
    live.add(...objects.slice(4, 8));
    for (const object of objects.slice(8)) object.static = true;
    add(still, live, ...objects.slice(8, 10), new Group().add(...objects.slice(10)));
    return {
      move: (time) => {
        for (const k of [0, 5, 8, 11]) objects[k].position.x = 0.4 * time - 2;
        if (time === 3) still.needsUpdate = true;
      },
    };
  },
};

const indices: WebGPUScene = {
  name: 'instances whose material reads instanceIndex',
  build({ add, instances, camera, random }) {
    const material = new MeshBasicNodeMaterial();
    material.colorNode = vec3(hash(instanceIndex), hash(instanceIndex.add(1)), float(0.5));
    const boxes = instances(box, material, 30);
    for (let id = 0; id < 30; id++)
      boxes.setMatrixAt(
        id,
        new Matrix4().makeTranslation(random.between(-9, 9), random.between(-3, 3), random.between(-3, 3)),
      );
    commit(boxes);
    add(boxes);
    return { move: (time) => (camera.position.x = time - 4) };
  },
};

export const webgpuScenes: readonly WebGPUScene[] = [
  lines,
  clipping,
  nodes,
  overrides,
  mirror,
  pipeline,
  bundles,
  indices,
];
