// Callbacks of renderers, and rays.

import {
  AmbientLight,
  DirectionalLight,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Raycaster,
  TorusGeometry,
  Vector3,
  type Object3D,
} from 'three';
import { box, mesh, scatter, wallOutside } from './meshes.ts';
import type { ExampleScene } from './stage.ts';

const orders: ExampleScene = {
  name: 'callbacks of objects and of the scene are called in the same order, with the same cameras',
  build({ add, scene, random, log }) {
    const light = new DirectionalLight(0xffffff, 2);
    light.position.set(2, 6, 4);
    light.castShadow = true;
    light.shadow.mapSize.set(64, 64);
    scene.add(light, new AmbientLight(0xffffff, 0.5));
    const objects = scatter(random, 9, 2).map((object, k) => {
      Object.assign(object, {
        material: new MeshLambertMaterial({ color: object.material.color }),
        renderOrder: k % 4,
      });
      object.castShadow = object.receiveShadow = true;
      object.onBeforeRender = (_renderer, _scene, camera) => log(`${k} before ${camera.type}`);
      object.onAfterRender = (_renderer, _scene, camera) => log(`${k} after ${camera.type}`);
      object.onBeforeShadow = (_renderer, _object, camera, shadowCamera) =>
        log(`${k} before shadow ${camera.type} ${shadowCamera.type}`);
      object.onAfterShadow = (_renderer, _object, camera, shadowCamera) =>
        log(`${k} after shadow ${camera.type} ${shadowCamera.type}`);
      return object;
    });
    scene.onBeforeRender = () => log('scene before');
    scene.onAfterRender = () => log('scene after');
    add(...objects.slice(0, 4), new Group().add(...objects.slice(4)));
    return {
      move: (time) => {
        objects[0].position.x = 0.3 * time - 1;
        objects[5].visible = time % 2 === 0;
        objects[6].castShadow = time !== 1;
      },
    };
  },
};

const changes: ExampleScene = {
  name: 'callbacks that move, show, add and remove objects',
  movesUnreported: true,
  build({ add, group, scene, random }) {
    const objects = scatter(random, 10);
    const late = mesh(0xffffff, 0, 0, 0, new TorusGeometry(2, 0.2, 5, 12));
    add(...objects.slice(0, 6), new Group().add(...objects.slice(6)));
    let time = 0;
    scene.onBeforeRender = () => {
      // In time for this frame, because the matrices are updated by hand.
      objects[0].position.x = time - 8;
      objects[0].updateMatrixWorld();
      objects[7].position.y = 0.4 * time - 2;
      objects[7].updateMatrixWorld();
      // A frame late, because the matrices of this frame are computed.
      objects[1].position.y = 0.3 * time - 1;
      if (time === 2) group.add(late);
      if (time === 4) group.remove(late);
    };
    scene.onAfterRender = () => {
      objects[8].position.x = 0.2 * time;
      if (time === 3) objects[9].removeFromParent();
      if (time === 6) group.add(objects[9]);
    };
    objects[2].onBeforeRender = () => void objects[2].material.color.setHSL(0.1 * time, 1, 0.5);
    objects[3].onBeforeRender = () => (objects[3].material.wireframe = time % 2 === 0);
    return { move: (now) => (time = now) };
  },
};

const rays: ExampleScene = {
  name: 'rays: layers, own raycast methods, hits of children outside their parents, near and far',
  build({ add, camera, group, random, log }) {
    const objects = scatter(random, 20);
    objects[0].raycast = () => undefined;
    objects[1].raycast = function (this: Object3D, raycaster, hits) {
      hits.push({ distance: raycaster.near + 1, point: this.position.clone(), object: this });
    };
    objects[2].layers.set(1);
    objects[3].add(mesh(0xffffff, 3, 0, 0));
    objects[4].visible = false;
    add(...objects.slice(0, 10), new Group().add(...objects.slice(10)));
    group.updateMatrixWorld();
    const raycaster = new Raycaster();
    return {
      move: (time) => {
        objects[5].position.x = 0.5 * time - 2;
        objects[3].rotation.z = 0.3 * time;
        objects[12].position.y = 0.3 * time - 2;
      },
      update: (frame) => {
        // Before the frame is drawn, with the matrices of the last one.
        raycaster.layers.mask = frame % 3 === 0 ? 2 : 3;
        raycaster.near = frame % 2 === 0 ? 0 : 8;
        raycaster.far = frame % 4 === 0 ? Infinity : 11;
        raycaster.set(new Vector3(0.1 * frame - 0.6, 0, 10), new Vector3(0, 0, -1));
        const hits = [...raycaster.intersectObject(group), ...raycaster.intersectObjects(group.children)];
        for (const { object, distance } of hits) log(`${object.parent!.children.indexOf(object)} at ${distance}`);
        camera.rotation.z = 0.01 * frame;
      },
    };
  },
};

const edge: ExampleScene = {
  name: 'callbacks of objects at the edge of the picture move them into it',
  build({ add, camera, log }) {
    const walls = [0xff5555, 0x55ff55, 0x5555ff].map((color, k) => wallOutside(color, 2 * k - 2));
    walls.forEach((wall, k) => {
      wall.onBeforeRender = () => {
        log(`wall ${k}`);
        wall.position.x = -3;
        wall.updateMatrixWorld();
      };
      wall.onAfterRender = () => (wall.position.x = -6);
    });
    add(walls[0], new Group().add(walls[1]), walls[2], mesh(0xffffff));
    return {
      move: (time) => {
        walls[2].visible = time % 2 === 0;
        camera.position.y = 0.1 * time;
      },
    };
  },
};

class LoggedMesh extends Mesh {
  log: (entry: string) => void = () => undefined;

  override updateMatrixWorld(force?: boolean): void {
    this.log(`${this.name} ${String(force)}`);
    super.updateMatrixWorld(force);
  }
}

const matrixUpdates: ExampleScene = {
  name: 'updateMatrixWorld methods are called once in each frame, in the order of the children',
  build({ add, group, log }) {
    const logged = (name: string): LoggedMesh =>
      Object.assign(new LoggedMesh(box, new MeshBasicMaterial()), { name, log });
    const [leaf, parent, child, part, still] = ['leaf', 'parent', 'child', 'part', 'still'].map(logged);
    still.matrixAutoUpdate = false;
    add(
      leaf,
      parent.add(child.translateY(2)),
      new Group().add(part),
      mesh(0xff0000, 2),
      still,
      logged('far').translateX(50),
    );
    return {
      move: (time) => {
        leaf.position.x = 0.3 * time;
        parent.rotation.z = 0.2 * time;
        part.position.y = 0.3 * time - 2;
        group.position.x = time > 4 ? 1 : 0;
      },
    };
  },
};

export const callbackScenes: readonly ExampleScene[] = [orders, changes, edge, matrixUpdates, rays];
