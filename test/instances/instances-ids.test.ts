// Which materials get the ids of instances, which are changed to read them, and the warning for those that read the
// draw slot.

import {
  BoxGeometry,
  Color,
  InstancedBufferAttribute,
  Material,
  MeshBasicMaterial,
  MeshDepthMaterial,
  PerspectiveCamera,
  ShaderMaterial,
  type BufferGeometry,
  type InstancedMesh,
} from 'three';
import { Fn, hash, instanceIndex, instancedBufferAttribute, mrt, range, storage, vec3, vec4 } from 'three/tsl';
import { MeshBasicNodeMaterial, StorageInstancedBufferAttribute, type Node } from 'three/webgpu';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { OctreeInstances } from '../../src/three.ts';
import type { ViewMesh } from '../../src/instances/views/view-mesh.ts';
import { instanceId } from '../../src/tsl.ts';
import { at, drawnMatrices, viewsOf, viewsOfCamera } from '../support/instance-passes.ts';
import { slab } from '../support/three-passes.ts';

function rowWith(material: Material, count = 4, geometry: BufferGeometry = new BoxGeometry()): OctreeInstances {
  const instances = new OctreeInstances(geometry, material, count);
  for (let id = 0; id < count; id++) instances.setMatrixAt(id, at(10 * id));
  Object.assign(instances, { name: 'row', castShadow: true });
  instances.updateMatrixWorld();
  return instances;
}

function viewOf(instances: OctreeInstances, reach = 1000): InstancedMesh {
  return viewsOf(instances, slab(reach))[0];
}

/** The ids that the shader gets, and those of the drawn matrices. */
function idsIn(view: InstancedMesh): [number[], number[]] {
  const { instanceId: ids } = view.geometry.attributes;
  return [
    Array.from({ length: view.count }, (_, slot) => ids.getX(slot)),
    drawnMatrices([view]).map(({ elements }) => elements[12] / 10),
  ];
}

function shader(vertexShader: string): ShaderMaterial {
  return new ShaderMaterial({ vertexShader });
}

function compiledWith(code: (shader: { vertexShader: string }) => void): Material {
  return Object.assign(new MeshBasicMaterial(), { onBeforeCompile: code });
}

function withColor(colorNode: Node): MeshBasicNodeMaterial {
  return Object.assign(new MeshBasicNodeMaterial(), { colorNode });
}

/** Whether a drawing pipeline may merge the view of a material: it leaves out meshes with callbacks. */
function isMerged(colorNode: Node): boolean {
  return !Object.hasOwn(viewOf(rowWith(withColor(colorNode))), 'onBeforeRender');
}

let warn: MockInstance<typeof console.warn>;
const warnings = (): unknown[] => warn.mock.calls.flat();
beforeEach(() => void (warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)));
afterEach(() => warn.mockRestore());

describe('the attribute instanceId', () => {
  it.each<[string, Material]>([
    ['a vertex shader mentions it', shader('attribute uint instanceId; void main() {}')],
    [
      'onBeforeCompile mentions it',
      compiledWith((one) => (one.vertexShader = `attribute uint instanceId; ${one.vertexShader}`)),
    ],
  ])('is there if %s, and follows the instances', (_, material) => {
    const instances = rowWith(material);
    expect(idsIn(viewOf(instances))).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ]);
    instances.deleteInstance(1).setVisibleAt(2, false);
    expect(idsIn(viewOf(instances))).toEqual([
      [0, 3],
      [0, 3],
    ]);
    for (let k = 0; k < 100; k++) {
      const id = instances.addInstance(at(0));
      instances.setMatrixAt(id, at(10 * id));
    }
    const [ids, places] = idsIn(viewOf(instances));
    expect(ids.length).toBeGreaterThan(95);
    expect(ids).toEqual(places);
  });

  it('is there if a depth material mentions it, or with providesInstanceId, which may change at any time', () => {
    const instances = rowWith(new MeshBasicMaterial());
    expect(viewOf(instances).geometry).toBe(instances.geometry);
    instances.providesInstanceId = true;
    expect(idsIn(viewOf(instances))[0]).toEqual([0, 1, 2, 3]);
    expect(instances.clone().providesInstanceId).toBe(true);
    instances.providesInstanceId = false;
    expect(viewOf(instances).geometry).toBe(instances.geometry);
    const depth = new MeshDepthMaterial();
    depth.onBeforeCompile = () => 'instanceId';
    instances.customDepthMaterial = depth;
    expect(idsIn(viewOf(instances))[0]).toEqual([0, 1, 2, 3]);
    expect('instanceId' in instances.geometry.attributes).toBe(false);
  });

  it('is that of the geometry, if it has one', () => {
    const geometry = new BoxGeometry().setAttribute(
      'instanceId',
      new InstancedBufferAttribute(Uint32Array.of(7, 8, 9, 10), 1),
    );
    const instances = rowWith(shader('attribute uint instanceId; void main() {}'), 4, geometry);
    expect(idsIn(viewOf(instances, 15))).toEqual([
      [7, 8],
      [0, 1],
    ]);
  });

  it('appears when a material begins to mention it', () => {
    const material = shader('void main() {}');
    const instances = rowWith(material);
    expect(viewOf(instances).geometry).toBe(instances.geometry);
    material.vertexShader = 'attribute uint instanceId; void main() {}';
    material.needsUpdate = true;
    expect(idsIn(viewOf(instances))[0]).toEqual([0, 1, 2, 3]);
  });
});

describe('node materials', () => {
  it('get a node in place of each that reads the draw slot, once', () => {
    const attribute = instancedBufferAttribute(new InstancedBufferAttribute(new Float32Array(16), 4)) as Node;
    for (const node of [
      vec3(hash(instanceIndex)),
      vec4(attribute as never),
      hash(instanceIndex.add(1)).mul(2),
      range(new Color(0), new Color(1, 1, 1)).mul(2),
    ] as Node[]) {
      const material = withColor(node);
      const { version } = material;
      const instances = rowWith(material);
      const replaced = material.colorNode as Node | null;
      expect(replaced).not.toBe(node);
      expect(material.version).toBe(version + 1);
      instances.updateMatrixWorld();
      viewOf(instances);
      material.needsUpdate = true;
      rowWith(material);
      expect([material.colorNode, material.version]).toEqual([replaced, version + 2]);
    }
    expect(warnings()).toEqual([]);
  });

  it('stay as they are if they read none, or the id', () => {
    for (const node of [vec3(1), vec3(hash(instanceId)), Fn(() => vec3(hash(instanceId)))()] as Node[]) {
      const material = withColor(node);
      rowWith(material);
      expect([material.colorNode, material.version]).toEqual([node, 0]);
    }
  });

  it('give a view a callback, so that no drawing pipeline merges it, only if they read the id', () => {
    expect([isMerged(vec3(1)), isMerged(vec3(hash(instanceId))), isMerged(vec3(hash(instanceIndex)))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('an instanced attribute that a node reads', () => {
  it('shows a change that comes between the first frame and the next update', () => {
    const instances = rowWith(new MeshBasicMaterial(), 3);
    const heat = new InstancedBufferAttribute(Float32Array.of(1, 2, 3), 1);
    const camera = new PerspectiveCamera();
    camera.position.set(10, 0, 50);
    // What a node calls when its shader is built.
    const { array } = (viewsOfCamera(instances, camera)[0] as ViewMesh).slotItems(heat);
    expect([...array.subarray(0, 3)]).toEqual([1, 2, 3]);
    for (const value of [20, 30]) {
      heat.setX(1, value).needsUpdate = true;
      instances.updateMatrixWorld();
      viewsOfCamera(instances, camera);
      expect([...array.subarray(0, 3)]).toEqual([1, value, 3]);
    }
  });
});

describe('a material that reads the draw slot', () => {
  const sentence =
    'OctreeInstances: a material of the OctreeInstances "row" must not read the draw slot of an instance, because the slot differs from pass to pass, but reads ';

  it.each<[string, Material, string]>([
    [
      'gl_InstanceID',
      shader('void main() { gl_Position = vec4(gl_InstanceID); }'),
      'gl_InstanceID; declare "attribute uint instanceId;" in the vertex shader, and read that.',
    ],
    [
      'gl_InstanceID in onBeforeCompile',
      compiledWith((one) => (one.vertexShader += 'gl_InstanceID')),
      'gl_InstanceID; declare "attribute uint instanceId;" in the vertex shader, and read that.',
    ],
    [
      'storage as an attribute',
      withColor(
        (
          storage(new StorageInstancedBufferAttribute(new Float32Array(16), 4), 'vec4', 4) as unknown as {
            toAttribute(): Node;
          }
        ).toAttribute(),
      ),
      'a storage buffer as an attribute in its colorNode; read the buffer by element(instanceIndex).',
    ],
    [
      'instanceIndex, in a version of three that cannot override nodes,',
      withColor(Object.assign(vec3(hash(instanceIndex)), { overrideNodes: undefined })),
      'instanceIndex or an instanced attribute in its colorNode; update three to r187 or newer, where it can be replaced.',
    ],
    [
      'mrtNode',
      Object.assign(new MeshBasicNodeMaterial(), { mrtNode: mrt({ output: vec4(instanceIndex as never) }) }),
      'instanceIndex or an instanced attribute in its mrtNode; read instanceId of scene-octree/tsl.',
    ],
  ])('%s causes one warning', (_, material, reads) => {
    const instances = rowWith(material);
    for (let frame = 0; frame < 3; frame++) instances.updateMatrixWorld();
    expect(warnings()).toEqual([sentence + reads]);
  });

  it('causes none if it reads the id too, for example in its comments', () => {
    rowWith(shader('attribute uint instanceId; // not gl_InstanceID'));
    expect(warnings()).toEqual([]);
  });
});
