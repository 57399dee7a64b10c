// What a detector keeps of the resources that members share: a record of each while any body uses it, its usual fields,
// its traits, and whether values show all of its changes.

import {
  BatchedMesh,
  BoxGeometry,
  Color,
  Group,
  InstancedMesh,
  Line,
  Mesh,
  MeshBasicMaterial,
  MeshDepthMaterial,
  MeshLambertMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  Points,
  SkinnedMesh,
  Sphere,
  Sprite,
  Texture,
  Vector3,
  type Material,
  type Object3D,
} from 'three';
import { ClippingGroup, VideoTexture } from 'three/webgpu';
import { describe, expect, it } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import * as bits from '../../../src/three/detector/change-bits.ts';
import { Detector } from '../../../src/three/detector/detector.ts';
import { MaterialRecord } from '../../../src/three/detector/material-record.ts';
import { isUnknownKind } from '../../../src/three/detector/object-words.ts';
import { SharedResources } from '../../../src/three/detector/shared-resources.ts';
import { Textures } from '../../../src/three/detector/texture-record.ts';
import { UsualRows } from '../../../src/three/detector/usual-fields.ts';
import { createRandom } from '../../support/random.ts';

describe('SharedResources', () => {
  const BODIES = 9;
  const PER_UPDATE = 3;

  it.each([1, 2, 3, 4, 5, 6])('equals lists of the resources of each body: seed %i', (seed) => {
    const random = createRandom(seed);
    const all = Array.from({ length: 7 }, (_, id) => ({ id, unread: 0 }));
    type Resource = (typeof all)[number];
    let forgotten: Resource[] = [];
    let changing = new Map<Resource, number>();
    const shared = new SharedResources(
      (resource: Resource) => {
        resource.unread = 0;
        return {
          takeChange(wants: number): number {
            const taken = resource.unread & wants;
            resource.unread &= ~wants;
            return taken;
          },
        };
      },
      PER_UPDATE,
      {
        changing: (resource, changed) => void changing.set(resource, changed),
        forgot: (resource) => void forgotten.push(resource),
      },
    );
    const used: Resource[][] = Array.from({ length: BODIES }, () => []);
    const isUsed = (resource: Resource): boolean => used.some((list) => list.includes(resource));
    /** Replaces the resources of a body, as a member that gets another material does. */
    const replace = (body: number, list: readonly Resource[]): void => {
      const before = all.filter(isUsed);
      if (list.length === 0) shared.remove(body);
      else {
        const released = shared.detach(body);
        for (const resource of list) shared.add(resource, body);
        shared.release(released);
      }
      used[body] = Array.from(list);
      expect(forgotten.sort((a, b) => a.id - b.id)).toEqual(before.filter((each) => !isUsed(each)));
      forgotten = [];
    };
    const update = (due: ReadonlySet<Resource>): void => {
      const unread = new Map(all.filter(isUsed).map((each) => [each, each.unread]));
      const told: [number, number][] = [];
      changing = new Map();
      shared.visitChanged((body, changed) => void told.push([body, changed]));
      for (const [resource, changed] of changing) expect(changed).toBe(unread.get(resource));
      for (const resource of due) expect(changing.get(resource) ?? 0).toBe(unread.get(resource) ?? 0);
      const expected = used.flatMap((list, body) => {
        const changed = list.reduce((sum, resource) => sum | (changing.get(resource) ?? 0), 0);
        return changed === 0 ? [] : [[body, changed]];
      });
      expect(told.sort(([a], [b]) => a - b)).toEqual(expected);
    };
    for (let step = 0; step < 400; step++) {
      const due = new Set<Resource>();
      const body = random.below(BODIES);
      const kind = random.below(5);
      if (kind < 2)
        replace(
          body,
          all.filter(() => random.next() < 0.25 && random.next() < 0.8),
        );
      else if (kind === 2) random.pick(all).unread |= 1 << random.below(3);
      else if (kind === 3) {
        shared.compareNext(body);
        for (const resource of used[body]) due.add(resource);
      } else if (random.next() < 0.1) {
        // Each comes in turn: two rounds see all, whatever was removed.
        for (let k = 0; k < 2 * Math.ceil((all.length + 1) / PER_UPDATE); k++) update(new Set());
        for (const resource of all.filter(isUsed)) expect(resource.unread).toBe(0);
      }
      if (kind >= 3) update(due);
      for (const resource of all) {
        expect(shared.get(resource) !== undefined).toBe(isUsed(resource));
        for (const [index, list] of used.entries())
          if (list.length > 0) expect(shared.isFirst(resource, index)).toBe(list[0] === resource);
          else expect([shared.isFirst(resource, index), shared.isFirst(null, index)]).toEqual([false, true]);
      }
    }
  });

  it('compares each of many resources within 256 updates', () => {
    let compared = 0;
    const shared = new SharedResources(
      () => ({
        takeChange(): number {
          compared++;
          return 0;
        },
      }),
      1,
    );
    for (let body = 0; body < 1000; body++) shared.add({ body }, body);
    for (let k = 0; k < 256; k++) shared.visitChanged(() => undefined);
    expect(compared).toBeGreaterThanOrEqual(1000);
  });
});

const recordOf = (material: Material): MaterialRecord => new MaterialRecord(material, new Textures());

/** Ten materials of a group, and what its subscribers are told of them. */
const manyOf = (
  subscribers: readonly { readonly wants: number; readonly materialsPerUpdate?: number }[],
): { group: OctreeGroup; materials: MeshLambertMaterial[]; told: Map<Material, number> } => {
  const group = new OctreeGroup();
  const materials = Array.from({ length: 10 }, () => new MeshLambertMaterial());
  for (const material of materials) group.add(new Mesh(new BoxGeometry(), material));
  group.updateMatrixWorld();
  const told = new Map<Material, number>();
  const changingMaterial = (material: Material, changed: number): void =>
    void told.set(material, (told.get(material) ?? 0) | changed);
  for (const each of subscribers) Detector.subscribe(group.groupChildren.bodies, { ...each, changingMaterial });
  for (let k = 0; k < 3; k++) group.updateMatrixWorld();
  return { group, materials, told };
};
describe('the usual fields of a material', () => {
  const physical = {
    clearcoat: 0.5,
    clearcoatRoughness: 0.5,
    sheen: 0.5,
    sheenRoughness: 0.5,
    specularIntensity: 0.5,
    sheenColor: new Color(0.1, 0.2, 0.3),
    specularColor: new Color(0.1, 0.2, 0.3),
  };
  const standard = { roughness: 0.5, metalness: 0.5, emissiveIntensity: 0.5, emissive: new Color(0.1, 0.2, 0.3) };
  const common = {
    color: new Color(0.1, 0.2, 0.3),
    visible: false,
    transparent: true,
    depthTest: false,
    depthWrite: false,
    colorWrite: false,
    polygonOffset: true,
    wireframe: true,
    side: 1,
    blending: 2,
    needsUpdate: true,
  };
  const kinds: [string, new () => Material, object][] = [
    ['MeshBasicMaterial', MeshBasicMaterial, common],
    ['MeshLambertMaterial', MeshLambertMaterial, { ...common, emissive: standard.emissive, emissiveIntensity: 0.5 }],
    ['MeshStandardMaterial', MeshStandardMaterial, { ...common, ...standard }],
    ['MeshPhysicalMaterial', MeshPhysicalMaterial, { ...common, ...standard, ...physical }],
  ];

  it.each(kinds)('are each noticed once, and by the record of the material too: %s', (_, Kind, fields) => {
    const rows = new UsualRows();
    for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
      const parts = value instanceof Color ? (['r', 'g', 'b'] as const) : [null];
      for (const part of parts) {
        const material = new Kind();
        const record = recordOf(material);
        rows.take(material, 2);
        expect([name, rows.take(material, 2)]).toEqual([name, false]);
        if (part === null) Reflect.set(material, name, value);
        else (Reflect.get(material, name) as Color)[part] = (value as Color)[part] + 0.125;
        expect([name, part, rows.take(material, 2)]).toEqual([name, part, true]);
        expect([name, rows.take(material, 2)]).toEqual([name, false]);
        expect([name, record.takeChange(~0) !== 0]).toEqual([name, true]);
        expect([name, record.takeChange(~0)]).toEqual([name, 0]);
      }
    }
  });

  it('of each material are apart from those of all others', () => {
    const materials = Array.from({ length: 100 }, (_, k) => new MeshPhysicalMaterial({ color: k, roughness: k / 100 }));
    const rows = new UsualRows();
    for (const [row, material] of materials.entries()) rows.take(material, row);
    materials[7].specularColor.b = 0.5;
    materials[8].needsUpdate = true;
    expect(materials.filter((material, row) => rows.take(material, row))).toEqual([materials[7], materials[8]]);
    expect(materials.filter((material, row) => rows.take(material, row))).toEqual([]);
  });

  const ofLook = { wants: bits.VALUES | bits.LOOK | bits.TRAITS, materialsPerUpdate: 1 };

  it('and traits are found at once where a subscriber reads traits, else in turn', () => {
    for (const [subscribers, isAtOnce] of [
      [[ofLook], false],
      [[ofLook, { wants: bits.TRAITS }], true],
    ] as const) {
      const { group, materials, told } = manyOf(subscribers);
      for (const material of materials) material.stencilWrite = true;
      group.updateMatrixWorld();
      expect(told.size === materials.length).toBe(isAtOnce);
      for (let k = 0; k <= materials.length; k++) group.updateMatrixWorld();
      expect(Array.from(told.values(), (changed) => changed & bits.TRAITS)).toEqual(materials.map(() => bits.TRAITS));
    }
  });

  it('of a new material are known from the start, also if another one had its number', () => {
    const { group, materials } = manyOf([ofLook]);
    const [mesh] = group.children as Mesh[];
    mesh.material = new MeshLambertMaterial();
    for (let k = 0; k < 3; k++) group.updateMatrixWorld();
    const material = new MeshLambertMaterial({ color: 0xff0000 });
    let reads = 0;
    // Read when all fields are compared.
    Object.defineProperty(material, 'name', { get: () => ((reads += 1), ''), enumerable: true });
    mesh.material = material;
    group.updateMatrixWorld();
    reads = 0;
    // Numbers begin with 1, and there is one more.
    for (let k = 0; k < 2 * (materials.length + 2); k++) group.updateMatrixWorld();
    // In its turn.
    expect(reads).toBe(2);
  });

  it('that change in their turn, and back in the next update, are told twice', () => {
    const { group, materials, told } = manyOf([ofLook]);
    for (let k = 0; k < 2 * materials.length + 2; k++) {
      for (const material of materials) material.color.set(k % 2 ? 0xffffff : 0xff0000);
      told.clear();
      group.updateMatrixWorld();
      expect([k, told.size]).toEqual([k, materials.length]);
    }
  });
});

const video = (): Texture => new VideoTexture({ addEventListener: () => undefined } as never);

describe('what may change without a change of a value:', () => {
  const rows: [string, () => Material, picture: boolean, shadow: boolean][] = [
    ['no texture', () => new MeshLambertMaterial(), false, false],
    ['a still map', () => new MeshLambertMaterial({ map: new Texture(), alphaTest: 0.5 }), false, false],
    ['a map', () => new MeshLambertMaterial({ map: video() }), true, false],
    ['a map that cuts', () => new MeshLambertMaterial({ map: video(), alphaTest: 0.5 }), true, true],
    ['an alpha map', () => new MeshLambertMaterial({ alphaMap: video() }), true, false],
    ['an alpha map that cuts', () => new MeshLambertMaterial({ alphaMap: video(), alphaTest: 0.5 }), true, true],
    [
      'an emissive map beside a cut',
      () => new MeshLambertMaterial({ emissiveMap: video(), alphaTest: 0.5 }),
      true,
      false,
    ],
    ['a displacement map', () => new MeshLambertMaterial({ displacementMap: video() }), true, true],
    ['a map of depths that cuts', () => new MeshDepthMaterial({ map: video(), alphaHash: true }), true, true],
  ];

  it.each(rows)('pictures and shadow maps of %s', (_, make, picture, shadow) => {
    const record = recordOf(make());
    expect([record.isUnknown, record.isUnknownCaster]).toEqual([picture, shadow]);
  });

  it('is said again when a texture comes and goes', () => {
    const material = new MeshLambertMaterial();
    const textures = new Textures();
    const record = new MaterialRecord(material, textures);
    const moving = video();
    for (const map of [moving, null, moving, new Texture()]) {
      material.map = map;
      textures.update++;
      expect(record.takeChange(~0) & bits.UNKNOWN).toBe(bits.UNKNOWN);
      expect(record.isUnknown).toBe(map === moving);
    }
  });

  it('kinds of objects', () => {
    const [geometry, material] = [new BoxGeometry(), new MeshBasicMaterial()];
    const objects: [Object3D, boolean][] = [
      [new Mesh(geometry, material), false],
      [new InstancedMesh(geometry, material, 2), false],
      [new SkinnedMesh(geometry, material), true],
      [new BatchedMesh(2, 24, 36, material), true],
      [new Line(geometry), false],
      [new Points(geometry), false],
      [new Sprite(), false],
      [new Group(), false],
      [new ClippingGroup(), true],
    ];
    for (const [object, isUnknown] of objects)
      expect([object.type, isUnknownKind(object)]).toEqual([object.type, isUnknown]);
  });
});

const worldOf = (): { group: OctreeGroup; meshes: Mesh[]; detector: Detector; told: Map<Object3D, number> } => {
  const group = new OctreeGroup({ hasStaticChildren: true });
  const meshes = Array.from({ length: 70 }, () => new Mesh(new BoxGeometry(), new MeshBasicMaterial()));
  for (const mesh of meshes) group.addTree(new Group().add(mesh));
  group.updateMatrixWorld();
  const told = new Map<Object3D, number>();
  const changing = ({ object }: { object: Object3D }, changed: number): void =>
    void told.set(object, (told.get(object) ?? 0) | changed);
  const detector = Detector.subscribe(group.groupChildren.bodies, { wants: ~0, changing });
  for (let k = 0; k < 3; k++) group.updateMatrixWorld();
  return { group, meshes, detector, told };
};

describe('a member that was changed after an update is not as told, and the next update tells it:', () => {
  const changes: [string, number, (mesh: Mesh) => void][] = [
    ['visible', bits.SHOWN, (mesh) => (mesh.visible = false)],
    ['an ancestor that is hidden', bits.SHOWN, (mesh) => (mesh.parent!.visible = false)],
    ['castShadow', bits.CASTS, (mesh) => (mesh.castShadow = true)],
    ['receiveShadow', bits.RECEIVES, (mesh) => (mesh.receiveShadow = true)],
    ['layers', bits.LAYERS, (mesh) => mesh.layers.set(3)],
    ['the last layer', bits.LAYERS, (mesh) => mesh.layers.set(31)],
    ['renderOrder', bits.ORDER, (mesh) => (mesh.renderOrder = 1)],
    ['renderOrder -0', bits.ORDER, (mesh) => (mesh.renderOrder = -0)],
    ['geometry', bits.GEOMETRY, (mesh) => (mesh.geometry = new BoxGeometry())],
    ['material', bits.MATERIAL, (mesh) => (mesh.material = new MeshBasicMaterial())],
    ['an array of materials', bits.MATERIAL, (mesh) => (mesh.material = [new MeshBasicMaterial()])],
  ];
  it.each(changes)('%s', (_, bit, change) => {
    const { group, meshes, detector, told } = worldOf();
    const mesh = meshes[60];
    const isAsTold = (each: Mesh): boolean => detector.isAsTold(group.bodyOf(each)!.index);
    expect(meshes.every(isAsTold)).toBe(true);
    change(mesh);
    expect(meshes.filter((each) => !isAsTold(each))).toEqual([mesh]);
    group.updateMatrixWorld();
    expect([Array.from(told.keys()), told.get(mesh)! & bit]).toEqual([[mesh], bit]);
    expect(meshes.every(isAsTold)).toBe(true);
  });

  it('layers, in turn, also if a set was shown in the update after the change', () => {
    const group = new OctreeGroup({ hasStaticChildren: true });
    const meshes = Array.from({ length: 70 }, () => new Mesh(new BoxGeometry(), new MeshBasicMaterial()));
    group.add(...meshes);
    let told = 0;
    const changing = ({ object }: { object: Object3D }, changed: number): void => {
      if (object === meshes[60]) told |= changed;
    };
    Detector.subscribe(group.groupChildren.bodies, { wants: ~0, changing });
    for (let k = 0; k < 3; k++) group.updateMatrixWorld();
    const { bodies } = group.groupChildren;
    const show = (isShown: boolean): void => {
      meshes[60].visible = isShown;
      bodies.recheck(bodies.memberAt(group.bodyOf(meshes[60])!.index), true);
    };
    show(false);
    for (let k = 0; k < 3; k++) group.updateMatrixWorld();
    meshes[60].layers.set(3);
    show(true);
    told = 0;
    for (let k = 0; k < 256; k++) group.updateMatrixWorld();
    expect(told & (bits.LAYERS | bits.SHOWN)).toBe(bits.LAYERS | bits.SHOWN);
  });

  it('in turn, of a static member that gets other bounds in each update', () => {
    const group = new OctreeGroup({ hasStaticChildren: true });
    const meshes = Array.from({ length: 70 }, () => new Mesh(new BoxGeometry(), new MeshBasicMaterial()));
    group.add(...meshes);
    let told = 0;
    const mesh = meshes[60];
    const changing = ({ object }: { object: Object3D }, changed: number): void => {
      if (object === mesh) told |= changed;
    };
    Detector.subscribe(group.groupChildren.bodies, { wants: ~0, changing });
    for (let k = 0; k < 3; k++) group.updateMatrixWorld();
    mesh.castShadow = true;
    told = 0;
    for (let k = 0; k < 256; k++) {
      mesh.geometry.attributes.position.setX(0, k);
      mesh.geometry.attributes.position.needsUpdate = true;
      group.updateMatrixWorld();
    }
    expect(told & bits.CASTS).toBe(bits.CASTS);
  });

  it('only members that may change without a change of a value are in the lists of those', () => {
    const { group, meshes, detector } = worldOf();
    const listed = (): Object3D[][] =>
      [detector.unknown, detector.unknownCasters].map((list) => Array.from(list, ({ object }) => object));
    expect(listed()).toEqual([[], []]);
    const [first, second, parent] = meshes.slice(60);
    first.onBeforeRender = () => undefined;
    (second.material as MeshBasicMaterial).onBeforeRender = () => undefined;
    const child = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
    child.onAfterShadow = () => undefined;
    parent.add(child);
    for (const mesh of [first, second, parent]) group.reportMove(mesh);
    group.updateMatrixWorld();
    expect(listed().map((list) => new Set(list))).toEqual([new Set([first, second, parent]), new Set([first, parent])]);
    Reflect.deleteProperty(first, 'onBeforeRender');
    parent.clear();
    for (const mesh of [first, parent]) group.reportMove(mesh);
    group.updateMatrixWorld();
    expect(listed()).toEqual([[second], []]);
  });

  it('other bounds are told as another place, also a sphere that has only another radius', () => {
    const { group, meshes, told } = worldOf();
    const sphere = new Sphere(new Vector3(), 2);
    meshes[60].geometry.boundingSphere = sphere;
    const child = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
    meshes[61].add(child);
    for (const mesh of [meshes[60], meshes[61]]) group.reportMove(mesh);
    group.updateMatrixWorld();
    for (const change of [() => (sphere.radius = 3), () => sphere.center.set(1, 0, 0)]) {
      told.clear();
      change();
      group.updateMatrixWorld();
      group.updateMatrixWorld();
      expect(told.get(meshes[60])! & bits.PLACE).toBe(bits.PLACE);
    }
  });
});
