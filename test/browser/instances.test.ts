// OctreeInstances must draw the same picture as an InstancedMesh with the same instances, to the last pixel.
// instances-passes.test.ts has shadows and several cameras.

import {
  AmbientLight,
  BoxGeometry,
  Color,
  InstancedBufferAttribute,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  OrthographicCamera,
  Scene,
  ShaderMaterial,
  SphereGeometry,
  WebGLRenderer,
  type PerspectiveCamera,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup, OctreeInstances } from '../../src/three.ts';
import {
  colorInstances,
  createBoxes,
  createInstanceTwins,
  randomMatrix,
  scatterInstances,
} from '../support/instance-twins.ts';
import { createRandom } from '../support/random.ts';
import {
  aim,
  compare,
  createCamera,
  expectEqual,
  loseContext,
  readPicture,
  useRenderer,
} from '../support/three-pictures.ts';
import type { Twin } from '../support/three-scenes.ts';

const REACH = 40;
const COUNT = 400;
const renderer = useRenderer();
const camera = createCamera();

/** One pass of the main camera. */
const once = (twin: Twin): void => renderer.render(twin.scene, camera);

/** Draw calls and instances drawn in a frame. */
function drawn(draw: () => void): { calls: number; instances: number } {
  renderer.info.reset();
  draw();
  return { calls: renderer.info.render.calls, instances: renderer.info.render.triangles / 12 };
}

/** Draws the colours of the attribute `tint`. */
function tinted(): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader:
      'attribute vec3 tint; varying vec3 vTint; void main() { vTint = tint; gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0); }',
    fragmentShader: 'varying vec3 vTint; void main() { gl_FragColor = vec4(vTint, 1.0); }',
  });
}

describe('the picture of OctreeInstances is that of an InstancedMesh', () => {
  it('with colours, in one draw call with a part of the instances', () => {
    const twins = createBoxes(1, COUNT, REACH);
    expectEqual(compare(renderer, twins, once));
    const { calls, instances } = drawn(() => once(twins.octree));
    expect(calls).toBe(1);
    expect(instances).toBeGreaterThan(10);
    expect(instances).toBeLessThan(COUNT / 3);
  });

  it('from twenty positions, with an orthographic camera too', () => {
    const twins = createBoxes(2, COUNT, REACH);
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

  it('of thousands that come into sight and leave it: the camera turns, then sees more at the same place', () => {
    const twins = createBoxes(8, 7000, REACH);
    const view = createCamera([100, 0, 0], [0, 0, 0], 200);
    view.near = 20;
    for (let k = 0; k < 4; k++) {
      if (k % 2 === 0) aim(view, [100, 0, 0], [0, 15 - 15 * k, 0]);
      view.fov = k % 2 === 0 ? 40 : 60;
      view.updateProjectionMatrix();
      const { differingPixels, drawnPixels } = compare(renderer, twins, ({ scene }) => renderer.render(scene, view), 1);
      expect(drawnPixels).toBeGreaterThan(1000);
      // More than 4,096 have no order: where two boxes cross, either may be drawn last.
      expect(differingPixels).toBeLessThan(8);
    }
  });

  it('with a scene material that moves vertices into the picture', () => {
    const twins = createBoxes(12, COUNT, REACH);
    twins.each(({ scene }) => {
      scene.overrideMaterial = new ShaderMaterial({
        vertexShader:
          'void main() { gl_Position = projectionMatrix * (modelViewMatrix * instanceMatrix * vec4(position, 1.0) + vec4(20.0, 0.0, 0.0, 0.0)); }',
        fragmentShader: 'void main() { gl_FragColor = vec4(1.0, 0.5, 0.0, 1.0); }',
      });
    });
    expectEqual(compare(renderer, twins, once));
  });

  it('with a draw range, and an attribute that holds for two instances each', () => {
    const twins = createInstanceTwins(COUNT, () => ({
      geometry: new BoxGeometry(2, 2, 2).setAttribute(
        'tint',
        new InstancedBufferAttribute(new Float32Array((COUNT / 2) * 3), 3, false, 2),
      ),
      material: tinted(),
    }));
    twins.change(13, ({ geometry }, random) => {
      const { tint } = geometry.attributes as { tint: InstancedBufferAttribute };
      for (let k = 0; k < tint.count; k++) tint.setXYZ(k, random.next(), random.next(), random.next());
    });
    twins.change(14, (instances, random) => scatterInstances(instances, random, COUNT, REACH));
    expectEqual(compare(renderer, twins, once));
    twins.change(15, ({ geometry }) => geometry.setDrawRange(0, 12));
    expectEqual(compare(renderer, twins, once));
  });

  it('under a mirrored, stretched and turning parent', () => {
    const twins = createBoxes(3, COUNT, REACH);
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
    const twins = createBoxes(9, COUNT, REACH);
    const group = new OctreeGroup();
    twins.octree.scene.add(group.add(twins.instances));
    twins.each(({ scene }) => {
      const random = createRandom(10);
      const parent = scene === twins.octree.scene ? group : scene;
      for (let k = 0; k < 50; k++) {
        const sphere = new Mesh(new SphereGeometry(1, 8, 6), new MeshLambertMaterial({ color: random.below(2 ** 24) }));
        sphere.position.set(
          random.between(-REACH, REACH),
          random.between(-REACH, REACH),
          random.between(-REACH, REACH),
        );
        parent.add(sphere);
      }
    });
    expectEqual(compare(renderer, twins, once));
    expect(drawn(() => once(twins.octree)).instances).toBeLessThan(COUNT);
  });

  it('while instances move, change colour, disappear and return', () => {
    const twins = createBoxes(4, COUNT, REACH);
    const { mesh, instances } = twins;
    const nowhere = mesh.matrix.clone().makeScale(0, 0, 0);
    const hidden = new Set<number>();
    for (let frame = 0; frame < 8; frame++) {
      twins.change(frame, (both, random) => {
        for (let k = 0; k < 60; k++) both.setMatrixAt(random.below(COUNT), randomMatrix(random, REACH));
        for (let k = 0; k < 20; k++) colorInstances(both, random, random.below(20));
      });
      // The InstancedMesh scales hidden and deleted instances to zero.
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

  it('with an instanced attribute of the user, before and after it has changed, with and without update ranges', () => {
    const twins = createInstanceTwins(COUNT, () => ({
      geometry: new BoxGeometry(2, 2, 2).setAttribute(
        'tint',
        new InstancedBufferAttribute(new Float32Array(COUNT * 3), 3),
      ),
      material: tinted(),
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
      for (const view of [camera, other])
        expectEqual(compare(renderer, twins, ({ scene }) => renderer.render(scene, view), 1));
    }
  });

  it('with morph targets, shared by all instances', () => {
    const twins = createInstanceTwins(COUNT, () => {
      const geometry = new BoxGeometry(2, 1, 3);
      const stretched = geometry.attributes.position.clone();
      for (let k = 0; k < stretched.count; k++) stretched.setX(k, 4 * stretched.getX(k));
      geometry.morphAttributes.position = [stretched];
      return { geometry, material: new MeshLambertMaterial() };
    });
    twins.change(11, (instances, random) => {
      scatterInstances(instances, random, COUNT, REACH);
      colorInstances(instances, random, COUNT);
    });
    twins.each(({ scene }) => scene.add(new AmbientLight(0xffffff, 3)));
    for (const share of [0.5, 1]) {
      const morphed = Object.assign(new Mesh(), { morphTargetInfluences: [share] });
      for (let id = 0; id < COUNT; id++) twins.mesh.setMorphAt(id, morphed);
      twins.mesh.morphTexture!.needsUpdate = true;
      twins.instances.morphTargetInfluences = [share];
      expectEqual(compare(renderer, twins, once));
    }
    expect(drawn(() => once(twins.octree)).instances).toBeLessThan(COUNT);
  });

  it('with several materials, layers, another render order, another geometry and another material', () => {
    const twins = createInstanceTwins(COUNT, () => ({
      geometry: new BoxGeometry(2, 1, 3),
      material: [0, 1, 2, 3, 4, 5].map((k) => new MeshBasicMaterial({ color: 0x204060 + k * 0x203010 })),
    }));
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
      const sphere = new Mesh(new SphereGeometry(6), new MeshBasicMaterial({ color: 0x00aaff, depthTest: false }));
      sphere.position.set(15, 0, 0);
      sphere.layers.set(2);
      sphere.renderOrder = 1;
      scene.add(sphere);
    });
    expectEqual(compare(renderer, twins, second));
    twins.change(7, (instances) => (instances.renderOrder = 2));
    expectEqual(compare(renderer, twins, second));
    twins.change(7, (instances) => (instances.material = new MeshBasicMaterial({ color: 0xff00ff })));
    expectEqual(compare(renderer, twins, second));
  });
});

function glass(): { geometry: BoxGeometry; material: MeshBasicMaterial } {
  return {
    geometry: new BoxGeometry(2, 1, 3),
    material: new MeshBasicMaterial({ transparent: true, opacity: 0.4, depthWrite: false }),
  };
}

it('transparent instances give the picture of the same number of transparent meshes, which three sorts', () => {
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
  for (const place of [
    [0, 0, 0],
    [30, 10, 5],
    [-20, -30, 8],
  ] as const) {
    const view = createCamera(place, [1, 2, -3]);
    expectEqual(compare(renderer, twins, ({ scene }) => renderer.render(scene, view)));
  }
  twins.instances.sortObjects = false;
  expect(compare(renderer, twins, once).differingPixels).toBeGreaterThan(50);
});

it('cullingCamera chooses the instances that any camera draws', () => {
  const { instances, octree } = createBoxes(16, COUNT, REACH);
  const other = createCamera([0, 5, 0], [-1, 0, 0]);
  const countFrom = (view: PerspectiveCamera): number => drawn(() => renderer.render(octree.scene, view)).instances;
  const [seen, seenByOther] = [countFrom(camera), countFrom(other)];
  instances.cullingCamera = other;
  expect([seen === seenByOther, countFrom(camera)]).toEqual([false, seenByOther]);
});

it('a level of detail has a material of its own, follows the zoom, and stays by its hysteresis', () => {
  const instances = new OctreeInstances(new BoxGeometry(4, 4, 4), new MeshBasicMaterial({ color: 0x0000ff }), 1);
  instances.addLevel(new BoxGeometry(4, 4, 4), 20, 0.2, new MeshBasicMaterial({ color: 0xff0000 }));
  const scene = new Scene().add(instances);
  const view = createCamera([0, 0, 30], [0, 0, 0]);
  const colorAt = (z: number, zoom: number): string => {
    view.zoom = zoom;
    view.updateProjectionMatrix();
    aim(view, [0, 0, z], [0, 0, 0]);
    const pixels = readPicture(renderer, () => renderer.render(scene, view));
    return (pixels[pixels.length / 2 + 64] & 0xffffff).toString(16);
  };
  const [near, far] = ['ff0000', 'ff'];
  expect([colorAt(30, 1), colorAt(30, 2), colorAt(30, 1)]).toEqual([far, near, far]);
  expect([colorAt(17, 1), colorAt(15, 1), colorAt(17, 1)]).toEqual([far, near, near]);
});

it('minScreenSize leaves out what is smaller in the picture', () => {
  const instances = new OctreeInstances(new BoxGeometry(2, 2, 2), new MeshBasicMaterial(), 1);
  const scene = new Scene().add(instances);
  // The box takes 0.11 of the height of the picture, its diagonal 0.19.
  const view = createCamera([0, 0, 20], [0, 0, 0]);
  const counts = [0, 0.05, 0.25].map((size) => {
    instances.minScreenSize = size;
    return drawn(() => renderer.render(scene, view)).instances;
  });
  expect(counts).toEqual([1, 1, 0]);
});

it('is the same after the context was lost and restored, with frames and changes in between', async () => {
  const own = new WebGLRenderer({ antialias: false });
  own.info.autoReset = false;
  const twins = createBoxes(7, COUNT, REACH);
  const draw = ({ scene }: Twin): void => own.render(scene, camera);
  expectEqual(compare(own, twins, draw));
  await loseContext(own, () => {
    twins.each(draw);
    twins.change(8, (instances, random) => {
      for (let id = 0; id < COUNT; id += 3) instances.setMatrixAt(id, randomMatrix(random, REACH));
      instances.setColorAt(1, new Color(0xff00ff));
    });
    twins.each(draw);
  });
  expectEqual(compare(own, twins, draw));
  own.dispose();
});

it('leaves nothing on the GPU in dispose, nor when views grow', () => {
  const gl = renderer.getContext();
  const created = vi.spyOn(gl, 'createBuffer');
  const deleted = vi.spyOn(gl, 'deleteBuffer');
  const held = (): number => created.mock.calls.length - deleted.mock.calls.length;
  const geometry = new BoxGeometry().setAttribute('tint', new InstancedBufferAttribute(new Float32Array(3100 * 3), 3));
  const instances = new OctreeInstances(geometry, new MeshBasicMaterial());
  const scene = new Scene().add(instances);
  const random = createRandom(51);
  const render = (): number => {
    renderer.render(scene, camera);
    return held();
  };
  const counts: number[] = [];
  for (let round = 0; round < 5; round++) {
    for (let k = 0; k < 100 * 2 ** round; k++)
      instances.setColorAt(instances.addInstance(randomMatrix(random, 10)), new Color(0xff0000));
    counts.push(render());
  }
  // Position, normal, uv, index and tints; matrices and colours.
  expect(counts).toEqual([7, 7, 7, 7, 7]);
  geometry.dispose();
  expect([held(), render()]).toEqual([2, 7]);
  geometry.dispose();
  instances.dispose();
  expect([held(), render()]).toEqual([0, 7]);
  // Attributes that the user's geometry shares with a disposed view stay in use.
  instances.dispose();
  expect(held()).toBe(4);
  created.mockRestore();
  deleted.mockRestore();
});
