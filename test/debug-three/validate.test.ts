// `validate` finds faults that are planted into the structures of containers, and nothing in right ones.

import { Box3, BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { validate } from '../../src/debug-three/index.ts';
import type { GroupOccluders } from '../../src/occlusion/culling/group-occluders.ts';
import type { Detector } from '../../src/three/detector/detector.ts';
import type { Member } from '../../src/three/group/member.ts';
import { rowOfInstances, viewsOf } from '../support/instance-passes.ts';
import { slab } from '../support/three-passes.ts';
import { OcclusionCulling, OctreeGroup, OctreeInstances, StaticBatches } from '../../src/three.ts';

const box = new BoxGeometry();
const material = new MeshBasicMaterial();

/** 60 static meshes with batches and occlusion culling. */
function rig(): { group: OctreeGroup; batches: StaticBatches; occlusion: OcclusionCulling } {
  const group = new OctreeGroup({ hasStaticChildren: true });
  for (let k = 0; k < 60; k++) {
    const mesh = new Mesh(box, material);
    mesh.name = String(k);
    mesh.position.x = 2 * k;
    group.add(mesh);
  }
  new Scene().add(group).updateMatrixWorld();
  const batches = new StaticBatches(group).finish();
  const whole = new Box3(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
  const occlusion = new OcclusionCulling(group, new PerspectiveCamera()).setOccluder(box, whole).finish();
  return { group, batches, occlusion };
}

describe('validate', () => {
  it('finds nothing in right containers', () => {
    expect(validate(rig().group)).toEqual([]);
    expect(validate(new OctreeGroup())).toEqual([]);
    const instances = new OctreeInstances(box, material, 20);
    instances.setVisibleAt(3, false);
    instances.deleteInstance(4);
    expect(validate(instances)).toEqual([]);
  });

  it('finds a member with another state than its body', () => {
    const { group } = rig();
    group.groupChildren.memberOf(group.children[7])!.bounds = 'unculled';
    const faults = validate(group);
    expect(faults[0]).toContain('the Mesh "7": unculled, but should be culled');
  });

  it('finds a slot of a batch that draws another mesh', () => {
    const { group, batches } = rig();
    const chunk = batches.members.chunks.find((one) => one !== null)!;
    [chunk.members[2], chunk.members[3]] = [chunk.members[3], chunk.members[2]];
    expect(validate(group).filter((fault) => fault.includes('its slot is of another mesh')).length).toBe(2);
    chunk.usedCount--;
    expect(validate(group).some((fault) => fault.includes('counts 59 meshes, not 60'))).toBe(true);
  });

  it('finds a body that is another occluder', () => {
    const { group, occlusion } = rig();
    const { occluders } = occlusion.pass.bodies as GroupOccluders;
    [occluders[0], occluders[1]] = [occluders[1], occluders[0]];
    expect(validate(group).filter((fault) => fault.includes('is an occluder as body')).length).toBe(2);
  });

  it('finds an instance without a body', () => {
    const instances = new OctreeInstances(box, material, 20);
    expect(validate(instances)).toEqual([]);
    const { bodyOf } = instances.bodies.map;
    [bodyOf[2], bodyOf[5]] = [bodyOf[5], bodyOf[2]];
    expect(validate(instances).filter((fault) => fault.includes('is of another instance')).length).toBe(2);
  });

  it('finds a member that the detector compares as another one, and a resource with other users', () => {
    const { group } = rig();
    const detector = group.groupChildren.bodies.detector as Detector<Member>;
    [detector.objects[2], detector.objects[3]] = [detector.objects[3], detector.objects[2]];
    expect(validate(group).filter((fault) => fault.includes('is compared as another object')).length).toBe(2);
    detector.objects[5] = null;
    expect(validate(group)).toContain('the Mesh "5": is compared 0 times');
    detector.geometries.all[1]!.users++;
    expect(validate(group)).toContain('geometries: 1 counts 61 users, not 60');
  });

  it('finds a draw slot with another matrix, and one whose instance is drawn twice', () => {
    const instances = rowOfInstances(20);
    const [drawn] = viewsOf(instances, slab(500));
    expect(validate(instances)).toEqual([]);
    drawn.instanceMatrix.array[12 + 3 * 16] += 1;
    expect(validate(instances)).toEqual(['instance 3: is drawn with another matrix']);
    const [[pass]] = [...instances.views.passes.shadows.values()];
    pass.views[0].slots.idAt[4] = 5;
    expect(validate(instances)).toContain('level 0 of a pass: draws an instance twice');
  });

  it('refuses other arguments', () => {
    expect(() => validate(new Mesh() as never)).toThrow('container must be an OctreeGroup or OctreeInstances');
  });
});
