// Helpers of three: objects whose matrix or vertices come from another object.

import {
  ArrowHelper,
  AxesHelper,
  Box3,
  Box3Helper,
  BoxHelper,
  CameraHelper,
  Color,
  DirectionalLight,
  DirectionalLightHelper,
  GridHelper,
  Group,
  HemisphereLight,
  HemisphereLightHelper,
  Object3D,
  PerspectiveCamera,
  Plane,
  PlaneHelper,
  PointLight,
  PointLightHelper,
  PolarGridHelper,
  SkeletonHelper,
  SpotLight,
  SpotLightHelper,
  TorusGeometry,
  Vector3,
} from 'three';
import { box, createWorm, mesh } from './meshes.ts';
import type { ExampleScene } from './stage.ts';

const cameras: ExampleScene = {
  name: 'CameraHelper of cameras in a moving rig, with and without update()',
  build({ scene, add }) {
    const rig = new Group();
    const eyes = [0, 1, 2].map((k) => new PerspectiveCamera(30 + 10 * k, 1, 0.5, 4));
    eyes.forEach((eye, k) => rig.add(eye.translateX(2 * k - 2)));
    const helpers = eyes.map((eye) => new CameraHelper(eye));
    // Before the rig, after the rig, and outside the group.
    add(helpers[0], rig, helpers[1]);
    scene.add(helpers[2]);
    return {
      move: (time) => {
        rig.position.x = 0.5 * time - 2;
        rig.rotation.y = 0.3 * time;
        eyes[1].rotation.x = 0.2 * time;
        eyes[0].fov = 30 + 2 * time;
        eyes[0].updateProjectionMatrix();
      },
      update: () => helpers[1].update(),
    };
  },
};

const lights: ExampleScene = {
  name: 'helpers of moving lights',
  build({ add }) {
    const rig = new Group();
    const all = [
      new DirectionalLight(0xff8888),
      new SpotLight(0x88ff88, 10, 5, 0.5),
      new PointLight(0x8888ff),
      new HemisphereLight(0xffff88, 0x448844),
    ] as const;
    all.forEach((light, k) => {
      light.position.set(2 * k - 3, 1, 0);
      rig.add(light);
    });
    rig.add(all[0].target, all[1].target);
    const helpers = [
      new DirectionalLightHelper(all[0], 0.5),
      new SpotLightHelper(all[1]),
      new PointLightHelper(all[2], 0.5),
      new HemisphereLightHelper(all[3], 0.5),
    ];
    add(helpers[0], rig, ...helpers.slice(1));
    return {
      move: (time) => {
        rig.position.y = Math.sin(time);
        all[0].target.position.x = time - 4;
        all[1].target.position.set(1, -2, time - 3);
        all[2].position.z = 0.5 * time;
      },
      update: () => helpers.forEach((helper) => helper.update()),
    };
  },
};

const skeleton: ExampleScene = {
  name: 'SkeletonHelper of a moving skin',
  build({ add }) {
    const worm = createWorm(0xff9955);
    const helper = new SkeletonHelper(worm);
    helper.setColors(new Color(0x00ff00), new Color(0xffffff));
    const second = createWorm(0x5599ff);
    const secondHelper = new SkeletonHelper(second);
    add(secondHelper, worm, helper, second);
    return {
      move: (time) => {
        worm.position.x = 0.4 * time - 3;
        second.position.set(2 - 0.3 * time, -2, 0);
        for (const bone of [...worm.skeleton.bones, ...second.skeleton.bones]) bone.rotation.z = 0.3 * Math.sin(time);
      },
    };
  },
};

const shapes: ExampleScene = {
  name: 'BoxHelper, Box3Helper, PlaneHelper, ArrowHelper, grids and axes',
  build({ add }) {
    const torus = mesh(0x66aaff, 0, 0, 0, new TorusGeometry(1, 0.3, 6, 12));
    const boxHelper = new BoxHelper(torus, 0xffff00);
    const bounds = new Box3();
    const plane = new Plane(new Vector3(0, 1, 0), 1);
    const arrow = new ArrowHelper(new Vector3(1, 0, 0), new Vector3(), 2, 0xff0000);
    const axes = new AxesHelper(1.5);
    const grid = new GridHelper(6, 6, 0xffffff, 0x777777);
    add(boxHelper, torus, new Box3Helper(bounds, new Color(0x00ffff)), new PlaneHelper(plane, 3, 0xff00ff), arrow);
    add(grid.translateY(-2), new PolarGridHelper(2, 8, 4, 16).translateZ(-3), axes);
    return {
      move: (time) => {
        torus.position.set(0.6 * time - 3, Math.sin(time), 0);
        torus.rotation.y = 0.5 * time;
        bounds.setFromCenterAndSize(new Vector3(-2, 0.3 * time - 1, 0), new Vector3(1, 1 + 0.2 * time, 1));
        plane.constant = 1 - 0.3 * time;
        arrow.setDirection(new Vector3(Math.cos(time), Math.sin(time), 0).normalize());
        arrow.setLength(1 + 0.2 * time);
        axes.position.y = 0.2 * time;
        grid.rotation.x = 0.1 * time;
      },
      update: () => boxHelper.update(),
    };
  },
};

/** Follows another object: it copies its position whenever its matrices are computed. */
class Follower extends Object3D {
  target: Object3D = this;

  override updateMatrixWorld(force?: boolean): void {
    this.position.copy(this.target.position).add(new Vector3(0, 1.5, 0));
    super.updateMatrixWorld(force);
  }
}

const sharedMatrices: ExampleScene = {
  name: 'objects that share the matrix of another, or copy it in updateMatrixWorld()',
  movesUnreported: true,
  build({ add }) {
    const leader = mesh(0xff5555, 0, 0, 0, box);
    const rig = new Group().add(leader);
    const twin = mesh(0x55ff55, 0, 0, 0, new TorusGeometry(1, 0.1, 5, 12));
    twin.matrix = leader.matrixWorld;
    twin.matrixAutoUpdate = false;
    const ahead = mesh(0xffff55, 0, 0, 0, new TorusGeometry(1.3, 0.1, 5, 12));
    ahead.matrix = leader.matrixWorld;
    ahead.matrixAutoUpdate = false;
    const follower = new Follower().add(mesh(0x5555ff));
    follower.target = rig;
    add(ahead, rig, twin, follower);
    return {
      move: (time) => {
        rig.position.x = 0.5 * time - 2;
        leader.rotation.z = 0.4 * time;
      },
    };
  },
};

export const helperScenes: readonly ExampleScene[] = [cameras, lights, skeleton, shapes, sharedMatrices];
