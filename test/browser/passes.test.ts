// Every kind of render pass: the picture of an OctreeGroup must equal that of a plain Group, pixel by pixel, with one
// query per pass.

import {
  AmbientLight,
  ArrayCamera,
  BasicShadowMap,
  Box3,
  CubeCamera,
  Group,
  InstancedMesh,
  LOD,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  OrthographicCamera,
  PCFShadowMap,
  PointLight,
  REVISION,
  SphereGeometry,
  Vector4,
  VSMShadowMap,
  WebGLCubeRenderTarget,
  type ShadowMapType,
} from 'three';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../support/random.ts';
import { addShadowLights, directional, point, spot, type ShadowLight } from '../support/shadow-lights.ts';
import { aim, compare, createCamera, useRenderer, type Comparison } from '../support/three-pictures.ts';
import { createTwins, place, scatter, type Twin, type Twins } from '../support/three-scenes.ts';

const REACH = 40;
const renderer = useRenderer();
const camera = createCamera();

/** Expects equal pictures. The number of colours excludes pictures that one sprite right before the camera covers. */
function expectEqual({ differingPixels, drawnPixels, colors, calls }: Comparison, minColors = 5): void {
  expect({ differingPixels, isDrawn: drawnPixels > 200 && colors >= minColors }).toEqual({
    differingPixels: 0,
    isDrawn: true,
  });
  // Boxes are tighter than the bounding spheres of three, so some draws are skipped.
  expect(calls[1]).toBeLessThanOrEqual(calls[0]);
  expect(calls[1]).toBeGreaterThan(0.8 * calls[0]);
}

/**
 * Checks the order of calls in three. If this fails with a new version of three, pass-hook.ts must support a new order.
 */
function expectQueries({ queries }: Comparison, count: number): void {
  const order = 'layers.test, children, intersectsFrustum of the hook, children of the hook';
  expect(
    queries,
    `three ${REVISION} calls a group in another order than src/three/passes/pass-hook.ts expects (${order})`,
  ).toBe(count);
}

/** One pass of the main camera. */
const once = (twin: Twin): void => renderer.render(twin.scene, camera);

function meshes(seed: number, count = 250, kinds = 4): Twins {
  return createTwins(seed, (group, random) => scatter(group, random, count, REACH, kinds));
}

/** Shadow casters, most of them off the screen, and a floor that receives their shadows. */
function shadows(
  seed: number,
  createLights: () => ShadowLight[],
  build: (twin: Twin) => void = () => undefined,
): Twins {
  const twins = meshes(seed, 120);
  twins.each((twin) => {
    const { group, scene } = twin;
    build(twin);
    group.traverse((object) => (object.castShadow = object.receiveShadow = 'isMesh' in object));
    scene.add(new AmbientLight(0xffffff, 0.3));
    addShadowLights(scene, createLights());
  });
  return twins;
}

describe('the picture of an OctreeGroup equals that of a plain Group', () => {
  it('with objects of every kind', () => {
    const result = compare(renderer, meshes(1, 300, 12), once);
    expectEqual(result);
    expectQueries(result, 1);
  });

  it('from twenty positions, with perspective and orthographic cameras', () => {
    const twins = meshes(2);
    const orthographic = new OrthographicCamera(-15, 15, 15, -15, 0, 80);
    for (let k = 0; k < 20; k++) {
      const view = k % 2 === 0 ? createCamera([k - 10, 3, 20 - 2 * k], [0, 0, 0]) : orthographic;
      if (k % 2 === 1) aim(orthographic, [20 - k, k, 25], [0, 0, 0]);
      expectEqual(compare(renderer, twins, ({ scene }) => renderer.render(scene, view), 1));
    }
  });

  it('under a parent that is mirrored, scaled and rotated, and after all objects have moved', () => {
    const twins = meshes(3);
    twins.each(({ group }) => {
      group.scale.set(-1, 0.5, 2);
      group.rotation.set(0.4, 1, 0);
    });
    expectEqual(compare(renderer, twins, once));
    twins.each(({ group }) => {
      const random = createRandom(4);
      for (const child of group.children) place(child, random, REACH);
    });
    expectEqual(compare(renderer, twins, once));
  });

  it('after children were moved, measured and moved back', () => {
    const twins = meshes(13);
    expectEqual(compare(renderer, twins, once));
    twins.each(({ group }) => {
      for (const { position } of group.children) position.x += 20;
      new Box3().setFromObject(group);
      for (const { position } of group.children) position.x -= 20;
    });
    expectEqual(compare(renderer, twins, once));
  });

  it('with instances that come into view after their boundingSphere was set to null', () => {
    const twins = meshes(14);
    const far = new Matrix4().makeTranslation(500, 0, 0);
    const instances = new Map(
      [twins.plain, twins.octree].map((twin) => [
        twin,
        new InstancedMesh(new SphereGeometry(3), new MeshBasicMaterial(), 2),
      ]),
    );
    for (const [{ group }, mesh] of instances) {
      mesh.setMatrixAt(0, far);
      mesh.setMatrixAt(1, far);
      group.add(mesh);
    }
    expectEqual(compare(renderer, twins, once, 6));
    expectEqual(
      compare(renderer, twins, (twin) => {
        const mesh = instances.get(twin)!;
        mesh.setMatrixAt(1, new Matrix4().makeTranslation(20, 0, 0));
        mesh.instanceMatrix.needsUpdate = true;
        mesh.boundingSphere = null;
        once(twin);
      }),
    );
  });

  it('while the group rotates, scales and moves, with shadows', () => {
    const twins = shadows(12, () => [directional()]);
    twins.each(({ scene }) => scene.updateMatrixWorld());
    for (let k = 0; k < 6; k++) {
      const result = compare(renderer, twins, ({ scene, group }) => {
        group.rotation.set(0.3 * k, 0.2 * k, 0);
        group.scale.set(1 - 0.3 * k, 1, 1 + 0.2 * k);
        group.position.z += 1;
        renderer.render(scene, camera);
      });
      expectEqual(result, 2);
      expectQueries(result, 2);
    }
  });

  it('with transparent children, sorted and unsorted, and with render orders', () => {
    for (const isSorted of [true, false]) {
      renderer.sortObjects = isSorted;
      const twins = createTwins(5, (group, random) => {
        scatter(group, random, 200, REACH, 4);
        group.traverse((object) => {
          if (!(object instanceof Mesh)) return;
          object.material = new MeshBasicMaterial({
            color: random.below(2 ** 24),
            transparent: true,
            opacity: 0.5,
            depthWrite: false,
          });
          object.renderOrder = random.below(3);
        });
        group.renderOrder = 1;
      });
      twins.each(({ scene }) => {
        const before = Object.assign(new Group(), { renderOrder: 2 });
        scatter(before, createRandom(6), 40, REACH, 4);
        scene.add(before);
      });
      expectEqual(compare(renderer, twins, once));
    }
    renderer.sortObjects = true;
  });

  it('with layers of the children, of the camera and of the group', () => {
    const twins = meshes(7);
    twins.each(({ group }) => {
      group.layers.set(3);
      group.children.forEach((child, k) => child.layers.set(k % 3));
    });
    const view = createCamera();
    for (const layer of [0, 2]) {
      view.layers.set(layer);
      const result = compare(renderer, twins, ({ scene }) => renderer.render(scene, view));
      expectEqual({ ...result, drawnPixels: layer === 0 ? result.drawnPixels : 1000 }, 2);
      expectQueries(result, 1);
    }
  });

  it('with groups in groups, containers in containers, and lights among the children', () => {
    const twins = createTwins(8, (group, random) => {
      const Kind = group.constructor as new () => Group;
      for (let k = 0; k < 6; k++) {
        const nested = random.below(2) === 0 ? new Group() : new Kind();
        scatter(nested, random, 30, REACH);
        place(nested, random, 10);
        nested.renderOrder = random.below(3);
        group.add(nested, new PointLight(0xff8844, 80).translateX(5 * k));
      }
    });
    expectEqual(compare(renderer, twins, once));
  });

  it.each([0, 2])('with addTree(), in a group of render order %i', (renderOrder) => {
    const twins = createTwins(9, (group, random) => {
      const root = new Group();
      group.renderOrder = renderOrder;
      for (let k = 0; k < 10; k++) {
        const nested = new Group();
        // No sprites: one right before the camera would cover the picture.
        scatter(nested, random, 40, REACH, 7);
        nested.visible = k !== 3;
        nested.renderOrder = k === 4 ? 2 : 0;
        root.add(nested.translateX(k));
      }
      if ('addTree' in group) (group.addTree as (tree: Group) => void)(root);
      else group.add(root);
    });
    twins.each(({ scene }) => {
      const between = Object.assign(new Group(), { renderOrder: 1 });
      scatter(between, createRandom(6), 400, REACH, 4);
      scene.add(between);
      scene.traverse(
        (object) =>
          object instanceof Mesh &&
          Object.assign(object.material, { transparent: true, opacity: 0.5, depthWrite: false }),
      );
    });
    expectEqual(compare(renderer, twins, once));
  });

  it('with children added, removed and moved in the callbacks of the renderer', () => {
    const twins = meshes(10);
    twins.each(({ scene, group }) => {
      const random = createRandom(11);
      scene.onBeforeRender = () => {
        scatter(group, random, 3, REACH, 4);
        group.remove(group.children[5]);
        place(random.pick(group.children), random, REACH);
      };
      group.children[0].onAfterRender = () => group.remove(group.children[9]);
    });
    expectEqual(compare(renderer, twins, once, 6));
  });
});

describe('shadows of an OctreeGroup equal those of a plain Group, with casters off the screen', () => {
  const lights: [string, () => ShadowLight[], number][] = [
    ['directional', () => [directional()], 2],
    ['spot', () => [spot()], 2],
    ['point', () => [point()], 7],
    ['all three', () => [directional(), spot(), point()], 9],
  ];
  it.each(lights)('with light: %s', (_, createLights, passes) => {
    const twins = shadows(20, createLights);
    const result = compare(renderer, twins, once);
    expectEqual(result);
    expectQueries(result, passes);
  });

  it.each([
    ['basic', BasicShadowMap],
    ['VSM', VSMShadowMap],
  ] as [string, ShadowMapType][])('with shadow maps of type %s', (_, type) => {
    renderer.shadowMap.type = type;
    expectEqual(
      compare(
        renderer,
        shadows(21, () => [directional(), spot()]),
        once,
      ),
    );
    renderer.shadowMap.type = PCFShadowMap;
  });

  it('with LODs on and off the screen, while the camera moves away and back', () => {
    const twins = shadows(
      22,
      () => [directional()],
      ({ group }) => {
        const random = createRandom(23);
        for (let k = 0; k < 40; k++) {
          const lod = new LOD();
          [8, 3].forEach((detail, level) =>
            lod.addLevel(new Mesh(new SphereGeometry(1.5, detail, detail), new MeshLambertMaterial()), 20 * level),
          );
          place(lod, random, REACH);
          group.add(lod);
        }
      },
    );
    for (const x of [-30, 5, -30]) {
      const view = createCamera([x, 0, 0], [x + 1, 0, 0]);
      expectEqual(compare(renderer, twins, ({ scene }) => renderer.render(scene, view), 1));
    }
  });
});

describe('pictures of an OctreeGroup by several cameras in a frame equal those of a plain Group', () => {
  it('with two viewports', () => {
    const views = [camera, createCamera([0, 5, 0], [-1, 0, 0])];
    const result = compare(renderer, meshes(30), ({ scene }) => {
      renderer.setScissorTest(true);
      views.forEach((view, k) => {
        renderer.getRenderTarget()!.viewport.set(64 * k, 0, 64, 128);
        renderer.getRenderTarget()!.scissor.set(64 * k, 0, 64, 128);
        renderer.setRenderTarget(renderer.getRenderTarget());
        renderer.render(scene, view);
      });
      renderer.setScissorTest(false);
    });
    expectEqual(result);
    expectQueries(result, 2);
  });

  it('with an ArrayCamera', () => {
    const parts = [createCamera(), createCamera([0, 5, 0], [-1, 0, 0])];
    parts.forEach((part, k) => Object.assign(part, { viewport: new Vector4(64 * k, 0, 64, 128) }));
    const array = new ArrayCamera(parts);
    const result = compare(renderer, meshes(31), ({ scene }) => renderer.render(scene, array));
    expectEqual(result);
    expectQueries(result, 2);
  });

  it('with a CubeCamera that renders in the callback of a child', () => {
    const twins = meshes(32);
    const reflection = new WebGLCubeRenderTarget(64);
    const cubeCamera = new CubeCamera(0.1, 60, reflection);
    twins.each(({ scene, group }) => {
      const mirror = new Mesh(new SphereGeometry(3, 16, 12), new MeshBasicMaterial({ envMap: reflection.texture }));
      mirror.position.set(9, 0, 0);
      mirror.onBeforeRender = () => {
        mirror.visible = false;
        cubeCamera.update(renderer, scene);
        mirror.visible = true;
      };
      group.add(mirror);
    });
    const result = compare(renderer, twins, once);
    expectEqual(result);
    expectQueries(result, 7);
  });
});

it('compile() compiles all materials of an OctreeGroup', () => {
  const { plain, octree } = meshes(33, 60, 12);
  expect(renderer.compile(octree.scene, camera).size).toBe(renderer.compile(plain.scene, camera).size);
});

it('draws the shadows of casters that the camera does not see', () => {
  const { plain, octree } = shadows(34, () => [directional()]);
  const without = shadows(34, () => [directional()]);
  for (const child of without.octree.group.children) child.castShadow = false;
  const twins: Twins = { plain: without.octree, octree, each: () => undefined };
  expect(plain.group.children.length).toBe(octree.group.children.length);
  expect(compare(renderer, twins, once).differingPixels).toBeGreaterThan(100);
});
