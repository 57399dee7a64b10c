// Several cameras in a frame: arrays, viewports, cubes, and pictures in pictures.

import {
  ArrayCamera,
  CubeCamera,
  Group,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  PlaneGeometry,
  RenderTarget,
  SphereGeometry,
  Vector4,
  WebGLCubeRenderTarget,
  WebGLRenderTarget,
  type Camera,
  type Scene,
  type WebGLRenderer,
} from 'three';
import { CubeRenderTarget } from 'three/webgpu';
import { mesh, scatter } from './meshes.ts';
import { EDGE, type AnyRenderer, type ExampleScene, type Stage } from './stage.ts';

/** Boxes and spheres all around the origin. */
export function surround({ add, random }: Stage, count = 10): readonly Mesh[] {
  const objects = scatter(random, count, 6, 4, 5);
  add(...objects.slice(0, count / 2), new Group().add(...objects.slice(count / 2)));
  return objects;
}

function isWebGL(renderer: AnyRenderer): renderer is WebGLRenderer {
  return 'isWebGLRenderer' in renderer;
}

function drawTo(renderer: AnyRenderer, target: RenderTarget, draw: () => void): void {
  const before = renderer.getRenderTarget();
  if (isWebGL(renderer)) renderer.setRenderTarget(target as WebGLRenderTarget);
  else renderer.setRenderTarget(target);
  draw();
  if (isWebGL(renderer)) renderer.setRenderTarget(before as WebGLRenderTarget | null);
  else renderer.setRenderTarget(before);
}

/** Draws what each camera sees over the picture of the camera before. A background would clear that picture. */
export function drawOver(renderer: AnyRenderer, scene: Scene, cameras: readonly Camera[]): void {
  const { background } = scene;
  for (const camera of cameras) {
    if (!renderer.autoClear) renderer.clearDepth();
    renderer.render(scene, camera);
    renderer.autoClear = false;
    scene.background = null;
  }
  renderer.autoClear = true;
  scene.background = background;
}

const arrays: ExampleScene = {
  name: 'an ArrayCamera of four moving cameras',
  build(stage) {
    const objects = surround(stage);
    const half = EDGE / 2;
    const eyes = [0, 1, 2, 3].map((k) => {
      const eye = new PerspectiveCamera(50, 1, 0.1, 50);
      Object.assign(eye, { viewport: new Vector4((k % 2) * half, k < 2 ? 0 : half, half, half) });
      return eye;
    });
    const array = new ArrayCamera(eyes);
    return {
      move: (time) => {
        eyes.forEach((eye, k) => {
          eye.position.set(8 * Math.cos(0.2 * time + 1.5 * k), k, 8 * Math.sin(0.2 * time + 1.5 * k));
          eye.lookAt(0, 0, 0);
          eye.updateMatrixWorld();
        });
        objects[3].position.x = 0.4 * time;
      },
      render: () => stage.renderer.render(stage.scene, array),
    };
  },
};

const viewports: ExampleScene = {
  name: 'viewports of perspective and orthographic cameras, with scissors',
  build(stage) {
    const { renderer, scene, camera } = stage;
    const objects = surround(stage);
    const top = new OrthographicCamera(-6, 6, 6, -6, 0.1, 40);
    top.position.y = 15;
    top.lookAt(0, 0, 0);
    const third = Math.floor(EDGE / 3);
    const { background } = scene;
    /** Camera, x, y, edge. */
    const views: [Camera, number, number, number][] = [
      [camera, 0, 0, EDGE],
      [top, EDGE - third, EDGE - third, third],
      [camera, 0, EDGE - third, third],
    ];
    return {
      move: (time) => {
        objects.forEach((object, k) => k % 4 === 0 && (object.position.y = Math.sin(time + k)));
        top.zoom = 1 + 0.1 * time;
        top.updateProjectionMatrix();
      },
      render: () => {
        // A render target has its own viewport.
        const target = renderer.getRenderTarget() ?? renderer;
        for (const [view, x, y, edge] of views) {
          // A background clears the whole target on WebGPU, whatever the scissor is.
          const isFirst = edge === EDGE;
          scene.background = isFirst ? background : null;
          renderer.autoClear = isFirst;
          if (!isFirst) renderer.clearDepth();
          if ('viewport' in target) {
            target.viewport.set(x, y, edge, edge);
            target.scissor.set(x, y, edge, edge);
            target.scissorTest = true;
          } else {
            renderer.setViewport(x, y, edge, edge);
            renderer.setScissor(x, y, edge, edge);
            renderer.setScissorTest(true);
          }
          renderer.render(scene, view);
        }
        renderer.autoClear = true;
        if ('viewport' in target) {
          target.viewport.set(0, 0, EDGE, EDGE);
          target.scissorTest = false;
        } else {
          renderer.setViewport(0, 0, EDGE, EDGE);
          renderer.setScissorTest(false);
        }
      },
    };
  },
};

const cubes: ExampleScene = {
  name: 'a CubeCamera that moves with a mirroring sphere in the group',
  build(stage) {
    const { renderer, scene, camera, add } = stage;
    const objects = surround(stage);
    const target = isWebGL(renderer) ? new WebGLCubeRenderTarget(32) : new CubeRenderTarget(32);
    const cube = new CubeCamera(0.1, 50, target);
    const mirror = new Mesh(new SphereGeometry(1.5, 16, 12), new MeshBasicMaterial({ envMap: target.texture }));
    const rig = new Group().add(mirror, cube).translateZ(4);
    add(rig);
    return {
      move: (time) => {
        rig.position.x = 0.3 * time - 1;
        objects[2].position.z = 0.5 * time;
      },
      render: () => {
        mirror.visible = false;
        cube.update(renderer, scene);
        mirror.visible = true;
        renderer.render(scene, camera);
      },
    };
  },
};

const screens: ExampleScene = {
  name: 'a screen in the group that shows the scene as a second camera sees it',
  build(stage) {
    const { renderer, scene, camera, add } = stage;
    const objects = surround(stage);
    const target = isWebGL(renderer) ? new WebGLRenderTarget(32, 32) : new RenderTarget(32, 32);
    const eye = new PerspectiveCamera(60, 1, 0.1, 50);
    const rig = new Group().add(eye.translateZ(-8).rotateY(Math.PI));
    const screen = new Mesh(new PlaneGeometry(3, 3), new MeshBasicMaterial({ map: target.texture }));
    add(rig, screen.translateZ(5));
    return {
      move: (time) => {
        rig.rotation.y = 0.2 * time;
        screen.position.x = 0.3 * time - 1.5;
        objects[8].position.y = 0.4 * time;
      },
      render: () => {
        screen.visible = false;
        drawTo(renderer, target, () => renderer.render(scene, eye));
        screen.visible = true;
        renderer.render(scene, camera);
      },
    };
  },
};

const riders: ExampleScene = {
  name: 'cameras that ride in the group, alone and on an object',
  build(stage) {
    const { renderer, scene, add } = stage;
    const objects = surround(stage);
    const [rig, car] = [new Group(), mesh(0xff0000)];
    const [front, behind] = [0, 1].map(() => new PerspectiveCamera(60, 1, 0.1, 50));
    add(rig.add(front), new Group().add(car.add(behind.translateZ(4).translateY(1))));
    return {
      move: (time) => {
        rig.position.z = 8 - time;
        rig.rotation.y = 0.1 * time;
        car.position.z = 6 - 0.7 * time;
        behind.rotation.y = 0.1 * time;
        objects[2].position.x = 0.3 * time;
      },
      render: () => drawOver(renderer, scene, [front, behind]),
    };
  },
};

const root: ExampleScene = {
  name: 'the group as the root of what is drawn',
  build(stage) {
    const { renderer, camera, group } = stage;
    const objects = surround(stage);
    group.removeFromParent();
    return {
      move: (time) => {
        objects[1].position.x = 0.3 * time;
        group.rotation.z = 0.1 * time;
      },
      render: () => {
        camera.updateMatrixWorld();
        renderer.render(group, camera);
      },
    };
  },
};

export const cameraScenes: readonly ExampleScene[] = [arrays, viewports, cubes, screens, riders, root];
