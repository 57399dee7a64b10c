// Shaders that read the id of an instance: the same colours as in an InstancedMesh, whatever a pass sees.

import {
  AmbientLight,
  BoxGeometry,
  Color,
  DirectionalLight,
  InstancedBufferAttribute,
  InstancedInterleavedBuffer,
  InstancedMesh,
  InterleavedBufferAttribute,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshDepthMaterial,
  MeshLambertMaterial,
  PlaneGeometry,
  RGBADepthPacking,
  ShaderMaterial,
  Sphere,
  Vector3,
  type BufferGeometry,
  type Camera,
  type Material,
} from 'three';
import { MeshletDrawingPipeline } from 'three/addons/pipelines/MeshletDrawingPipeline.js';
import {
  float,
  Fn,
  hash,
  instanceIndex,
  instancedBufferAttribute,
  positionLocal,
  range,
  storage,
  vec3,
  vec4,
} from 'three/tsl';
import {
  MeshBasicNodeMaterial,
  MeshLambertNodeMaterial,
  StandardDrawingPipeline,
  StorageInstancedBufferAttribute,
  type NodeMaterial,
} from 'three/webgpu';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { instanceId } from '../../src/tsl.ts';
import { createInstanceTwins, randomMatrix, scatterInstances, type InstanceTwins } from '../support/instance-twins.ts';
import { compare, createCamera, expectEqual, useRenderer } from '../support/three-pictures.ts';
import { BACKENDS, expectEqualPictures, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const COUNT = 300;
const REACH = 30;
const cameras = [createCamera(), createCamera([0, 5, 0], [-10, 5, 0]), createCamera([REACH, 20, 0], [0, 0, 0])];

/** Vertices may be moved by up to 6: three culls by the sphere. */
function wideBox(): BufferGeometry {
  const geometry = new BoxGeometry(2, 1, 3);
  geometry.boundingSphere = new Sphere(new Vector3(), 8);
  return geometry;
}

function boxes(seed: number, createMaterial: () => Material, createGeometry = wideBox): InstanceTwins {
  const twins = createInstanceTwins(COUNT, () => ({ geometry: createGeometry(), material: createMaterial() }));
  twins.change(seed, (instances, random) => scatterInstances(instances, random, COUNT, REACH));
  return twins;
}

function moveSome(twins: InstanceTwins, seed: number): void {
  twins.change(seed, (instances, random) => {
    for (let step = 0; step < 30; step++) instances.setMatrixAt(random.below(COUNT), randomMatrix(random, REACH));
  });
}

/** A floor, and a light that casts shadows. */
function addShadows(twins: InstanceTwins): void {
  twins.change(0, (instances) => (instances.castShadow = true));
  twins.each(({ scene }) => {
    const floor = new Mesh(new PlaneGeometry(100, 100), new MeshLambertMaterial());
    floor.rotation.x = -Math.PI / 2;
    floor.position.y = -12;
    floor.receiveShadow = true;
    const light = new DirectionalLight(0xffffff, 2);
    light.position.set(10, 25, 5);
    light.castShadow = true;
    light.shadow.mapSize.set(128, 128);
    Object.assign(light.shadow.camera, { left: -30, right: 30, top: 30, bottom: -30, far: 90 });
    scene.add(floor, light, new AmbientLight(0xffffff, 0.5));
  });
}

/** An InstancedMesh has no `instanceId`: its geometry gets an attribute of that name. */
function addIds({ mesh }: InstanceTwins): void {
  const ids = Uint32Array.from({ length: COUNT }, (_, id) => id);
  mesh.geometry.setAttribute('instanceId', new InstancedBufferAttribute(ids, 1));
}

/** Moves each instance up by its id. */
function wave<M extends Material>(material: M): M {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = `attribute uint instanceId;\n${shader.vertexShader}`.replace(
      '#include <begin_vertex>',
      '#include <begin_vertex>\ntransformed.y += float(instanceId % 4u);',
    );
  };
  return material;
}

describe('instances drawn by WebGLRenderer look like those of an InstancedMesh', () => {
  const renderer = useRenderer();
  function expectEqualFrames(twins: InstanceTwins): void {
    for (const [k, camera] of cameras.entries()) {
      // Each level of detail is a draw call.
      expectEqual({ ...compare(renderer, twins, ({ scene }) => renderer.render(scene, camera), 1), calls: [1, 1] });
      moveSome(twins, k);
    }
  }

  it('with a ShaderMaterial that declares instanceId', () => {
    const twins = boxes(
      1,
      () =>
        new ShaderMaterial({
          vertexShader: `attribute uint instanceId; varying vec3 vColor;
        void main() {
          vColor = fract(vec3(float(instanceId)) * vec3(0.137, 0.071, 0.017));
          gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0);
        }`,
          fragmentShader: 'varying vec3 vColor; void main() { gl_FragColor = vec4(vColor, 1.0); }',
        }),
    );
    addIds(twins);
    expectEqualFrames(twins);
  });

  it('with onBeforeCompile, a depth material of the user, and levels of detail', () => {
    const twins = boxes(12, () => wave(new MeshLambertMaterial()));
    addIds(twins);
    twins.change(
      0,
      (instances) => (instances.customDepthMaterial = wave(new MeshDepthMaterial({ depthPacking: RGBADepthPacking }))),
    );
    twins.instances.addLevel(wideBox(), 20).shadowLevel = 0;
    addShadows(twins);
    expectEqualFrames(twins);
  });

  it('with providesInstanceId, for code that does not show', () => {
    const lines = { declaration: 'attribute uint instanceI', use: 'transformed.y += float(instanceI' };
    const twins = boxes(3, () => {
      const material = new MeshBasicMaterial({ color: 0xff8800 });
      material.onBeforeCompile = (shader) => {
        shader.vertexShader = `${lines.declaration}d;\n${shader.vertexShader}`.replace(
          '#include <begin_vertex>',
          `#include <begin_vertex>\n${lines.use}d % 4u);`,
        );
      };
      return material;
    });
    addIds(twins);
    twins.instances.providesInstanceId = true;
    expectEqualFrames(twins);
    twins.instances.providesInstanceId = false;
    expect(
      compare(renderer, twins, ({ scene }) => renderer.render(scene, cameras[0]), 1).differingPixels,
    ).toBeGreaterThan(100);
  });
});

const tints = Float32Array.from({ length: 8 * COUNT }, (_, k) => ((k * 7919) % 256) / 255);

function basic(change: (material: MeshBasicNodeMaterial) => void): () => NodeMaterial {
  return () => {
    const material = new MeshBasicNodeMaterial();
    change(material);
    return material;
  };
}

describe.each(BACKENDS)(
  'instances drawn by WebGPURenderer with the %s backend look like those of an InstancedMesh',
  (name, forceWebGL) => {
    const { isTested, get } = useWebGPURenderer(name, forceWebGL);
    let warn: MockInstance<typeof console.warn>;
    beforeEach(() => void (warn = vi.spyOn(console, 'warn')));
    afterEach(() => {
      expect(warn.mock.calls.flat().filter((text) => String(text).includes('OctreeInstances'))).toEqual([]);
      warn.mockRestore();
    });

    async function expectEqualFrames(twins: InstanceTwins): Promise<void> {
      for (const [k, camera] of (cameras as readonly Camera[]).entries()) {
        await expectEqualPictures(get(), twins, camera);
        moveSome(twins, k);
      }
    }

    it.runIf(isTested).each<[string, () => Material]>([
      [
        'instanceIndex in the fragment shader',
        basic((material) => (material.colorNode = vec3(hash(instanceIndex), hash(instanceIndex.add(1)), 0.5))),
      ],
      [
        'instanceIndex in the vertex shader',
        basic((material) => {
          material.colorNode = vec3(hash(instanceIndex)).toVarying();
          material.positionNode = positionLocal.add(vec3(0, hash(instanceIndex.add(7)).mul(3), 0));
        }),
      ],
      [
        'instanceId in a Fn',
        basic((material) => (material.colorNode = Fn(() => vec4(hash(instanceId), hash(instanceId.add(1)), 0.5, 1))())),
      ],
      [
        'an instanced attribute',
        basic(
          (material) =>
            (material.colorNode = instancedBufferAttribute<'vec4'>(
              new InstancedBufferAttribute(tints.slice(0, 4 * COUNT), 4),
            )),
        ),
      ],
      [
        'an interleaved instanced attribute',
        basic((material) => {
          const buffer = new InstancedInterleavedBuffer(tints.slice(), 8);
          material.colorNode = instancedBufferAttribute<'vec3'>(new InterleavedBufferAttribute(buffer, 3, 4), 'vec3');
        }),
      ],
      [
        'a classic material with nodes, which the renderer converts',
        () =>
          Object.assign(new MeshBasicMaterial(), {
            colorNode: vec3(hash(instanceIndex), hash(instanceIndex.add(1)), 0.5),
          }),
      ],
      [
        'a transparent material',
        basic((material) => {
          Object.assign(material, { transparent: true, depthWrite: false });
          material.colorNode = vec3(hash(instanceIndex), 1, 0.5);
          material.opacityNode = float(1);
        }),
      ],
    ])('with %s', async (what, createMaterial) => {
      const twins = boxes(4, createMaterial);
      // InstancedMesh does not sort.
      if (what.includes('transparent')) twins.instances.sortObjects = false;
      await expectEqualFrames(twins);
    });

    it.runIf(isTested && !forceWebGL)('with a storage buffer that instanceIndex indexes', async () => {
      await expectEqualFrames(
        boxes(
          5,
          basic(
            (material) =>
              (material.colorNode = storage(
                new StorageInstancedBufferAttribute(tints.slice(0, 4 * COUNT), 4),
                'vec4',
                COUNT,
              ).element(instanceIndex)),
          ),
        ),
      );
    });

    it.runIf(isTested)('with an instanced attribute that changes', async () => {
      const attributes: InstancedBufferAttribute[] = [];
      const twins = boxes(
        6,
        basic((material) => {
          const attribute = new InstancedBufferAttribute(tints.slice(0, 4 * COUNT), 4);
          attributes.push(attribute);
          material.colorNode = instancedBufferAttribute<'vec4'>(attribute);
        }),
      );
      await expectEqualFrames(twins);
      for (const attribute of attributes) {
        (attribute.array as Float32Array).reverse();
        attribute.needsUpdate = true;
      }
      await expectEqualFrames(twins);
    });

    it.runIf(isTested)('with shadows of places from instanceIndex, and with levels of detail', async () => {
      const twins = boxes(7, () => {
        const material = new MeshLambertNodeMaterial();
        material.positionNode = positionLocal.add(vec3(0, hash(instanceIndex).mul(6), 0));
        material.colorNode = vec3(hash(instanceIndex), hash(instanceIndex.add(1)), 0.5);
        return material;
      });
      addShadows(twins);
      twins.instances.addLevel(wideBox(), 20).shadowLevel = 0;
      await expectEqualFrames(twins);
    });

    it.runIf(isTested)(
      'with a material that an InstancedMesh in the same scene has too, drawn before and after',
      async () => {
        const material = new MeshBasicNodeMaterial();
        material.colorNode = vec3(hash(instanceIndex), hash(instanceIndex.add(1)), 0.5);
        const geometry = new BoxGeometry(2, 1, 3);
        const twins = boxes(
          8,
          () => material,
          () => geometry,
        );
        twins.each(({ scene }) => {
          for (const renderOrder of [-1, 1]) {
            const other = new InstancedMesh(geometry, material, 50);
            for (let id = 0; id < 50; id++)
              other.setMatrixAt(
                id,
                new Matrix4().makeTranslation(id % 10, Math.floor(id / 10) + 5 * renderOrder, 5 * renderOrder),
              );
            scene.add(Object.assign(other, { renderOrder }));
          }
        });
        await expectEqualFrames(twins);
      },
    );

    it.runIf(isTested)('with range()', async () => {
      const material = new MeshBasicNodeMaterial();
      material.colorNode = range(new Color(0), new Color(1, 1, 1));
      const twins = boxes(10, () => material);
      // The numbers depend on the id of the object too: this one draws the InstancedMesh with another id.
      const { id } = twins.instances;
      twins.plain.group.remove(twins.mesh).add(Object.create(twins.mesh, { id: { value: id } }) as InstancedMesh);
      await expectEqualFrames(twins);
    });

    it.runIf(isTested && !forceWebGL)('in a drawing pipeline that merges meshes, which leaves them out', async () => {
      const twins = boxes(9, () => {
        const material = new MeshLambertNodeMaterial();
        material.colorNode = vec3(hash(instanceIndex), hash(instanceIndex.add(1)), 0.5);
        return material;
      });
      twins.each(({ scene }) => scene.add(new DirectionalLight()));
      const pipeline = new MeshletDrawingPipeline();
      get().drawingPipeline = pipeline;
      for (const { scene } of [twins.plain, twins.octree]) await pipeline.prepareAsync(scene, cameras[0]);
      await expectEqualPictures(get(), twins, cameras[0]);
      get().drawingPipeline = new StandardDrawingPipeline();
    });
  },
);
