// Materials: blending, transparent orders, transmission, clipping planes, override materials, stencil.

import {
  AdditiveBlending,
  AlwaysStencilFunc,
  AmbientLight,
  DoubleSide,
  EqualStencilFunc,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshNormalMaterial,
  MeshPhysicalMaterial,
  MultiplyBlending,
  NormalBlending,
  PlaneGeometry,
  ReplaceStencilOp,
  SphereGeometry,
  SubtractiveBlending,
} from 'three';
import { mesh, scatter } from './meshes.ts';
import type { ExampleScene } from './stage.ts';

const blending: ExampleScene = {
  name: 'blending modes, and a material with two sides',
  build({ add, random }) {
    const modes = [NormalBlending, AdditiveBlending, SubtractiveBlending, MultiplyBlending];
    const objects = scatter(random, 10);
    objects.forEach(({ material }, k) => {
      Object.assign(material, {
        transparent: true,
        opacity: 0.7,
        blending: modes[k % 4],
        premultipliedAlpha: true,
        depthWrite: false,
      });
      if (k === 0) material.side = DoubleSide;
    });
    add(...objects.slice(0, 8), new Group().add(...objects.slice(8)));
    return {
      move: (time) => objects.forEach((object, k) => (object.position.z += time % 2 === 0 ? 0.5 : -0.3 * (k % 3))),
    };
  },
};

const orders: ExampleScene = {
  name: 'transparent objects at equal depth, with render orders of objects and of groups that change',
  build({ add, group, scene, random }) {
    const glassy = (x: number): Mesh => {
      const object = mesh(random.below(2 ** 24), x, random.between(-1, 1), 0, new PlaneGeometry(3, 3));
      Object.assign(object.material, { transparent: true, opacity: 0.6, depthWrite: false });
      return object;
    };
    const groups = [0, 1, 2].map((k) =>
      new Group().add(...Array.from({ length: 4 }, () => glassy(random.between(-3, 3) + k))),
    );
    const single = Array.from({ length: 5 }, () => glassy(random.between(-3, 3)));
    const beside = new Group().add(glassy(0), glassy(1));
    scene.add(beside);
    add(single[0], groups[0], ...single.slice(1), groups[1], groups[2]);
    return {
      move: (time) => {
        groups[0].renderOrder = time % 3;
        groups[1].renderOrder = time > 3 ? -1 : 0;
        single[1].renderOrder = 2 - (time % 4);
        single[2].position.z = 0.2 * time;
        group.renderOrder = time === 5 || time === 6 ? 1 : 0;
        beside.renderOrder = time % 2;
      },
    };
  },
};

const transmission: ExampleScene = {
  name: 'transmission before moving objects',
  build({ add, scene, random }) {
    scene.add(new AmbientLight(0xffffff, 3));
    const glass = new MeshPhysicalMaterial({ transmission: 1, thickness: 1, roughness: 0.1, color: 0xddffdd });
    const lens = new Mesh(new SphereGeometry(1.5, 12, 8), glass);
    const others = scatter(random, 8, 3, 3, 1);
    add(lens.translateZ(2), new Group().add(...others));
    return {
      move: (time) => {
        lens.position.x = 0.4 * time - 2;
        others.forEach((other, k) => (other.rotation.z = 0.2 * time * (k % 3)));
      },
    };
  },
};

const overrides: ExampleScene = {
  name: 'scene.overrideMaterial on and off',
  build({ add, scene, random }) {
    const objects = scatter(random, 12, 4, 4, 3);
    add(...objects.slice(0, 6), new Group().add(...objects.slice(6)));
    const normals = new MeshNormalMaterial();
    return {
      move: (time) => {
        scene.overrideMaterial = time % 2 === 1 ? normals : null;
        objects[0].position.x = 0.3 * time;
      },
    };
  },
};

const stencil: ExampleScene = {
  name: 'a portal: objects that show only inside the stencil of a window',
  build({ add, random }) {
    const frame = new Mesh(
      new PlaneGeometry(3, 4),
      new MeshBasicMaterial({
        color: 0x111111,
        stencilWrite: true,
        stencilRef: 1,
        stencilFunc: AlwaysStencilFunc,
        stencilZPass: ReplaceStencilOp,
        depthWrite: false,
      }),
    );
    const inside = scatter(random, 8);
    for (const object of inside) {
      Object.assign(object.material, { stencilWrite: true, stencilRef: 1, stencilFunc: EqualStencilFunc });
      object.renderOrder = 1;
    }
    const beyond = new Group().add(...inside).translateZ(-3);
    const beside = mesh(0xffff00, 3, 2, 0);
    add(beyond, frame, beside);
    return {
      move: (time) => {
        frame.position.x = 0.5 * time - 2;
        beyond.rotation.y = 0.1 * time;
        beside.position.y = 2 - 0.3 * time;
      },
    };
  },
};

export const materialScenes: readonly ExampleScene[] = [blending, orders, transmission, overrides, stencil];
