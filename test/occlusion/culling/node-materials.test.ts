// Shader nodes may discard fragments: what has any hides nothing, whatever its class, and whenever the node is set.

import { BoxGeometry, Mesh, MeshBasicMaterial } from 'three';
import { MeshBasicNodeMaterial, MeshStandardNodeMaterial, NodeMaterial } from 'three/webgpu';
import { float } from 'three/tsl';
import { describe, expect, it } from 'vitest';
import { solidSideOf } from '../../../src/three.ts';
import { NODE_MATERIALS } from '../../support/node-materials.ts';
import { addBehind, occluded, type Occluded } from '../../support/occluded-scene.ts';

/** What a WebGPURenderer draws. */
const drawnBy = ({ drawn, camera }: Occluded): string[] => drawn(camera, { backend: {} });

const nodeFieldsOf = (material: NodeMaterial): string[] =>
  Object.keys(material).filter((name) => name.endsWith('Node') && Reflect.get(material, name) === null);

const shared = new Set([...nodeFieldsOf(new NodeMaterial()), 'emissiveNode']);

describe.each(NODE_MATERIALS.map((classes) => [classes[0].name, ...classes] as const))(
  '%s',
  (_, NodeClass, Classic) => {
    const fields = nodeFieldsOf(new NodeClass());

    it('without nodes is solid and hides, as its classic counterpart', () => {
      const scene = occluded();
      const { wall } = scene;
      for (const create of [NodeClass, Classic]) {
        if (create === null) continue;
        const material = new create();
        expect(solidSideOf(new Mesh(wall.geometry, material))).toBe('front');
        wall.material = material as never;
        drawnBy(scene);
        expect(drawnBy(scene)).toEqual(['wall']);
      }
    });

    it('with a node in any field hides nothing in that very frame, also if it is set before the first shader', () => {
      expect(fields.length).toBeGreaterThanOrEqual(23);
      const scene = occluded();
      const { wall } = scene;
      for (const create of [NodeClass, Classic])
        for (const field of create === null ? [] : fields) {
          const material = new create!();
          wall.material = material as never;
          drawnBy(scene);
          expect(drawnBy(scene)).toEqual(['wall']);
          Reflect.set(material, field, float(0.5));
          // The fields of few classes are read again with a new version only.
          if (!shared.has(field)) material.needsUpdate = true;
          expect([field, drawnBy(scene)]).toEqual([field, ['small', 'wall']]);
          expect(solidSideOf(new Mesh(wall.geometry, material))).toBeNull();
        }
    });
  },
);

it('WebGLRenderer reads the nodes of node materials only', () => {
  const { wall, drawn } = occluded();
  for (const material of [new MeshBasicMaterial(), new MeshBasicNodeMaterial()]) {
    wall.material = material as MeshBasicMaterial;
    Reflect.set(material, 'maskNode', float(0));
    drawn();
    expect(drawn()).toEqual(material instanceof MeshBasicNodeMaterial ? ['small', 'wall'] : ['wall']);
  }
});

describe('a subclass of a node material', () => {
  const methods = Object.getOwnPropertyNames(NodeMaterial.prototype).filter((name) => /^(setup|build)/.test(name));

  it('hides nothing, and is never hidden, whatever it overrides', async () => {
    expect(methods.length).toBeGreaterThanOrEqual(20);
    for (const method of methods)
      for (const hasType of [false, true]) {
        class Own extends MeshStandardNodeMaterial {}
        if (hasType) Object.defineProperty(Own, 'type', { get: () => 'OwnNodeMaterial' });
        Object.defineProperty(Own.prototype, method, { value: () => null });
        expect(solidSideOf(new Mesh(new BoxGeometry(), new Own()))).toBeNull();
        const scene = occluded();
        addBehind(scene, new Mesh(new BoxGeometry(), new Own()));
        await Promise.resolve();
        expect([method, drawnBy(scene)]).toEqual([method, ['added', 'wall']]);
        scene.wall.material = new Own() as never;
        expect([method, drawnBy(scene)]).toEqual([method, ['added', 'small', 'wall']]);
      }
  });

  it('and one with a method of its own hide nothing', () => {
    const scene = occluded();
    const { wall } = scene;
    for (const method of methods) {
      const material = Object.assign(new MeshStandardNodeMaterial(), { [method]: () => null });
      expect([method, solidSideOf(new Mesh(wall.geometry, material))]).toEqual([method, null]);
      wall.material = material as never;
      expect([method, drawnBy(scene)]).toEqual([method, ['small', 'wall']]);
    }
  });
});
