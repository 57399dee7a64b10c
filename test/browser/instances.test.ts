// Every kind of render pass: OctreeInstances must give the picture of an InstancedMesh that draws all of its instances, to the last pixel.

import {
  AmbientLight, ArrayCamera, BasicShadowMap, BoxGeometry, Color, CubeCamera, DirectionalLight, DoubleSide, InstancedBufferAttribute, Mesh, MeshBasicMaterial, MeshLambertMaterial,
  OrthographicCamera, PCFShadowMap, PlaneGeometry, PointLight, ShaderMaterial, SphereGeometry, SpotLight, Vector4, VSMShadowMap, WebGLCubeRenderTarget, type ShadowMapType,
} from 'three';
import { Reflector } from 'three/addons/objects/Reflector.js';
import { describe, expect, it } from 'vitest';
import { OctreeGroup } from '../../src/three/index.ts';
import { colorInstances, createInstanceTwins, randomMatrix, scatterInstances, type InstanceTwins } from '../support/instance-twins.ts';
import { createRandom } from '../support/random.ts';
import { compare, createCamera, useRenderer, type Comparison } from '../support/three-pictures.ts';
import type { Twin } from '../support/three-scenes.ts';

const REACH = 40;
const COUNT = 400;
const renderer = useRenderer();
const camera = createCamera();

/** One pass of the main camera. */
const once = (twin: Twin): void => renderer.render(twin.scene, camera);

function expectEqual({ differingPixels, drawnPixels, calls }: Comparison): void {
  expect({ differingPixels, isDrawn: drawnPixels > 200 }).toEqual({ differingPixels: 0, isDrawn: true });
  // A pass that sees nothing is spared.
  expect(calls[1]).toBeLessThanOrEqual(calls[0]);
}

/** Coloured boxes in the light. */
function boxes(seed: number, count = COUNT): InstanceTwins {
  const twins = createInstanceTwins(count, () => ({ geometry: new BoxGeometry(2, 1, 3), material: new MeshLambertMaterial() }));
  twins.change(seed, (instances, random) => {
    scatterInstances(instances, random, count, REACH);
    colorInstances(instances, random, count);
  });
  twins.each(({ scene }) => scene.add(new DirectionalLight(0xffffff, 2), new AmbientLight(0xffffff, 0.5)));
  return twins;
}

/** How much a frame has drawn. */
function drawn(draw: () => void): { calls: number; instances: number } {
  renderer.info.reset();
  draw();
  return { calls: renderer.info.render.calls, instances: renderer.info.render.triangles / 12 };
}

type ShadowLight = DirectionalLight | SpotLight | PointLight;

/** Casters everywhere, most of them off the screen, and a floor that shows their shadows. */
function shadows(seed: number, createLights: () => ShadowLight[], count = 150): InstanceTwins {
  const twins = boxes(seed, count);
  twins.change(seed, (instances) => (instances.castShadow = instances.receiveShadow = true));
  twins.each(({ scene }) => {
    const floor = new Mesh(new PlaneGeometry(100, 100), new MeshLambertMaterial());
    floor.rotation.x = -Math.PI / 2;
    floor.position.y = -12;
    floor.receiveShadow = true;
    scene.add(floor);
    for (const light of createLights()) {
      const { shadow } = light;
      light.position.set(10, 25, 5);
      light.castShadow = true;
      shadow.mapSize.set(256, 256);
      shadow.camera.far = 90;
      if (shadow.camera instanceof OrthographicCamera) Object.assign(shadow.camera, { left: -30, right: 30, top: 30, bottom: -30 });
      shadow.camera.updateProjectionMatrix();
      scene.add(light);
    }
  });
  return twins;
}

const directional = (): DirectionalLight => new DirectionalLight(0xffffff, 2);
const spot = (): SpotLight => new SpotLight(0xffeedd, 2000, 0, 0.9);
const point = (): PointLight => new PointLight(0xddeeff, 1500);

describe('the picture of OctreeInstances is that of an InstancedMesh', () => {
  it('with colours, in one call that draws a part of the instances', () => {
    const twins = boxes(1);
    expectEqual(compare(renderer, twins, once));
    const { calls, instances } = drawn(() => once(twins.octree));
    expect(calls).toBe(1);
    expect(instances).toBeGreaterThan(10);
    expect(instances).toBeLessThan(COUNT / 3);
  });

  it('from twenty places, with an orthographic camera too', () => {
    const twins = boxes(2);
    const orthographic = new OrthographicCamera(-15, 15, 15, -15, 0, 80);
    for (let k = 0; k < 20; k++) {
      const view = k % 2 === 0 ? createCamera([k - 10, 3, 20 - 2 * k], [0, 0, 0]) : orthographic;
      if (k % 2 === 1) {
        orthographic.position.set(20 - k, k, 25);
        orthographic.lookAt(0, 0, 0);
        orthographic.updateMatrixWorld();
      }
      expectEqual(compare(renderer, twins, ({ scene }) => renderer.render(scene, view), 1));
    }
  });

  it('under a mirrored, stretched and turning parent', () => {
    const twins = boxes(3);
    for (let k = 0; k < 5; k++) {
      twins.each(({ group }) => {
        group.scale.set(-1, 0.5, 2);
        group.rotation.set(0.4 * k, 1, 0);
        group.position.x = k;
      });
      expectEqual(compare(renderer, twins, once, 1));
    }
  });

  it('in an OctreeGroup, among other things', () => {
    const twins = boxes(9);
    const group = new OctreeGroup();
    twins.octree.scene.add(group.add(twins.instances));
    twins.each(({ scene }) => {
      const random = createRandom(10);
      const parent = scene === twins.octree.scene ? group : scene;
      for (let k = 0; k < 50; k++) {
        const ball = new Mesh(new SphereGeometry(1, 8, 6), new MeshLambertMaterial({ color: random.below(2 ** 24) }));
        ball.position.set(random.between(-REACH, REACH), random.between(-REACH, REACH), random.between(-REACH, REACH));
        parent.add(ball);
      }
    });
    expectEqual(compare(renderer, twins, once));
    expect(drawn(() => once(twins.octree)).instances).toBeLessThan(COUNT);
  });

  it('while instances move, change their colours, hide and come back', () => {
    const twins = boxes(4);
    const { mesh, instances } = twins;
    const nowhere = mesh.matrix.clone().makeScale(0, 0, 0);
    const hidden = new Set<number>();
    for (let frame = 0; frame < 8; frame++) {
      twins.change(frame, (both, random) => {
        for (let k = 0; k < 60; k++) both.setMatrixAt(random.below(COUNT), randomMatrix(random, REACH));
        for (let k = 0; k < 20; k++) colorInstances(both, random, random.below(20));
      });
      // What is hidden or deleted in the one is made invisibly small in the other.
      for (let id = frame; id < COUNT; id += 9) {
        if (hidden.has(id)) continue;
        hidden.add(id);
        mesh.setMatrixAt(id, nowhere);
        instances.setVisibleAt(id, false);
      }
      expectEqual(compare(renderer, twins, once, 1));
      for (const id of hidden) {
        instances.setVisibleAt(id, true);
        if (id % 2 === 0) instances.setMatrixAt(id, nowhere);
        else {
          const color = instances.getColorAt(id, new Color());
          expect(instances.deleteInstance(id).addInstance(nowhere)).toBe(id);
          instances.setColorAt(id, color);
        }
      }
      expectEqual(compare(renderer, twins, once, 1));
      hidden.clear();
    }
  });

  it('with an attribute by instance of the user, before and after it has changed, as a whole and in ranges', () => {
    const twins = createInstanceTwins(COUNT, () => ({
      geometry: new BoxGeometry(2, 2, 2).setAttribute('tint', new InstancedBufferAttribute(new Float32Array(COUNT * 3), 3)),
      material: new ShaderMaterial({
        vertexShader: 'attribute vec3 tint; varying vec3 vTint; void main() { vTint = tint; gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0); }',
        fragmentShader: 'varying vec3 vTint; void main() { gl_FragColor = vec4(vTint, 1.0); }',
      }),
    }));
    twins.change(5, (instances, random) => scatterInstances(instances, random, COUNT, REACH));
    const other = createCamera([0, 5, 0], [-1, 0, 0]);
    for (let k = 0; k < 4; k++) {
      twins.change(10 + k, ({ geometry }, random) => {
        const { tint } = geometry.attributes as { tint: InstancedBufferAttribute };
        const first = k === 2 ? 100 : 0;
        const end = k === 2 ? 300 : COUNT;
        for (let id = first; id < end; id++) tint.setXYZ(id, random.next(), random.next(), random.next());
        if (k === 2) tint.addUpdateRange(3 * first, 3 * (end - first));
        tint.needsUpdate = true;
      });
      for (const view of [camera, other]) expectEqual(compare(renderer, twins, ({ scene }) => renderer.render(scene, view), 1));
    }
  });

  it('with several materials, layers, another render order, another geometry and another material', () => {
    const twins = createInstanceTwins(COUNT, () => ({ geometry: new BoxGeometry(2, 1, 3), material: [0, 1, 2, 3, 4, 5].map((k) => new MeshBasicMaterial({ color: 0x204060 + k * 0x203010 })) }));
    twins.change(6, (instances, random) => {
      scatterInstances(instances, random, COUNT, REACH);
      instances.layers.set(2);
    });
    expect(compare(renderer, twins, once)).toMatchObject({ differingPixels: 0, drawnPixels: 0, calls: [0, 0] });
    const view = createCamera();
    view.layers.set(2);
    const second = ({ scene }: Twin): void => renderer.render(scene, view);
    expectEqual(compare(renderer, twins, second));
    twins.change(7, (instances) => (instances.geometry = new SphereGeometry(3, 8, 6)));
    twins.change(7, (instances) => (instances.material = new MeshBasicMaterial({ color: 0xffaa00, depthTest: false })));
    twins.each(({ scene }) => {
      const ball = new Mesh(new SphereGeometry(6), new MeshBasicMaterial({ color: 0x00aaff, depthTest: false }));
      ball.position.set(15, 0, 0);
      ball.layers.set(2);
      ball.renderOrder = 1;
      scene.add(ball);
    });
    expectEqual(compare(renderer, twins, second));
    twins.change(7, (instances) => (instances.renderOrder = 2));
    expectEqual(compare(renderer, twins, second));
  });
});

function glass(): { geometry: BoxGeometry; material: MeshBasicMaterial } {
  return { geometry: new BoxGeometry(2, 1, 3), material: new MeshBasicMaterial({ transparent: true, opacity: 0.4, depthWrite: false }) };
}

it('transparent instances give the picture of as many transparent meshes, which three sorts', () => {
  const twins = createInstanceTwins(COUNT, glass);
  const { geometry, material } = glass();
  twins.change(50, (instances, random) => {
    scatterInstances(instances, random, COUNT, REACH);
    colorInstances(instances, random, COUNT);
  });
  twins.plain.group.clear();
  for (let id = 0; id < COUNT; id++) {
    const mesh = new Mesh(geometry, material.clone());
    mesh.matrixAutoUpdate = false;
    twins.plain.group.add(mesh);
    twins.instances.getMatrixAt(id, mesh.matrix);
    twins.instances.getColorAt(id, mesh.material.color);
  }
  for (const place of [[0, 0, 0], [30, 10, 5], [-20, -30, 8]] as const) {
    const view = createCamera(place, [1, 2, -3]);
    expectEqual(compare(renderer, twins, ({ scene }) => renderer.render(scene, view)));
  }
  twins.instances.sortObjects = false;
  expect(compare(renderer, twins, once).differingPixels).toBeGreaterThan(50);
});

describe('shadows of OctreeInstances, with casters off the screen, are those of an InstancedMesh', () => {
  const lights: [string, () => ShadowLight[]][] = [
    ['directional', () => [directional()]],
    ['spot', () => [spot()]],
    ['point', () => [point()]],
    ['all three', () => [directional(), spot(), point()]],
  ];
  it.each(lights)('%s', (_, createLights) => {
    const twins = shadows(20, createLights);
    expectEqual(compare(renderer, twins, once));
    twins.change(21, (instances, random) => scatterInstances(instances, random, 150, REACH));
    expectEqual(compare(renderer, twins, once));
    twins.change(21, (instances) => (instances.castShadow = false));
    expectEqual(compare(renderer, twins, once));
  });

  it.each([['basic', BasicShadowMap], ['VSM', VSMShadowMap]] as [string, ShadowMapType][])('of type %s', (_, type) => {
    renderer.shadowMap.type = type;
    expectEqual(compare(renderer, shadows(22, () => [directional(), spot()]), once));
    renderer.shadowMap.type = PCFShadowMap;
  });

  it('fall from casters that the camera does not see', () => {
    const twins = shadows(23, () => [directional()]);
    const { calls } = drawn(() => once(twins.octree));
    expect(calls).toBe(3);
    const without = shadows(23, () => [directional()]);
    without.mesh.castShadow = false;
    expect(compare(renderer, { ...twins, plain: without.plain }, once).differingPixels).toBeGreaterThan(100);
  });
});

describe('several cameras in a frame see OctreeInstances as they see an InstancedMesh', () => {
  it('two viewports', () => {
    const views = [camera, createCamera([0, 5, 0], [-1, 0, 0])];
    const result = compare(renderer, boxes(30), ({ scene }) => {
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
  });

  it('an ArrayCamera', () => {
    const parts = [createCamera(), createCamera([0, 5, 0], [-1, 0, 0])];
    parts.forEach((part, k) => Object.assign(part, { viewport: new Vector4(64 * k, 0, 64, 128) }));
    const array = new ArrayCamera(parts);
    expectEqual(compare(renderer, boxes(31), ({ scene }) => renderer.render(scene, array)));
  });

  it('a CubeCamera for a mirror, in the callback of another object, with shadows', () => {
    const twins = shadows(32, () => [directional(), point()]);
    const reflection = new WebGLCubeRenderTarget(64);
    const eyes = new CubeCamera(0.1, 60, reflection);
    twins.each(({ scene }) => {
      const mirror = new Mesh(new SphereGeometry(3, 16, 12), new MeshBasicMaterial({ envMap: reflection.texture }));
      mirror.position.set(9, 0, 0);
      mirror.onBeforeRender = () => {
        mirror.visible = false;
        eyes.update(renderer, scene);
        mirror.visible = true;
      };
      scene.add(mirror);
    });
    expectEqual(compare(renderer, twins, once));
  });

  it('a Reflector, which renders the scene while it is being rendered', () => {
    const twins = boxes(33);
    twins.each(({ scene }) => {
      const reflector = new Reflector(new PlaneGeometry(60, 60), { textureWidth: 128, textureHeight: 128 });
      reflector.rotation.x = -Math.PI / 2;
      reflector.position.set(20, -6, 0);
      scene.add(reflector);
    });
    const result = compare(renderer, twins, once);
    expectEqual(result);
    expect(result.calls[1]).toBe(3);
  });

  it('a camera that renders in the callback of the instances themselves', () => {
    const other = createCamera([0, 5, 0], [-1, 0, 0]);
    let depth = 0;
    const twins = boxes(34);
    twins.each(({ scene, group }) => {
      group.children[0].onBeforeRender = () => {
        if (depth > 0) return;
        depth++;
        const target = renderer.getRenderTarget();
        renderer.render(scene, other);
        renderer.setRenderTarget(target);
        depth--;
      };
    });
    expectEqual(compare(renderer, twins, once));
  });
});

it('levels of detail are drawn by distance, each in one call; shadows show the level they are told', () => {
  const twins = shadows(40, () => [directional()], 800);
  twins.instances.addLevel(new SphereGeometry(1, 8, 6), 20).addLevel(new PlaneGeometry(1, 1), 30, 0.1, new MeshBasicMaterial({ side: DoubleSide }));
  const near = drawn(() => once(twins.octree));
  expect(near.calls).toBe(1 + 3 + 3);
  twins.instances.shadowLevel = 2;
  expect(drawn(() => once(twins.octree)).calls).toBe(1 + 3 + 1);
  twins.instances.shadowLevel = 0;
  // The shadows of boxes are those that the boxes had.
  const { differingPixels } = compare(renderer, twins, ({ scene, group }) => {
    group.children[0].layers.set(5);
    renderer.render(scene, camera);
  });
  expect(differingPixels).toBe(0);
});
