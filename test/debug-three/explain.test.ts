// What `explain` says, compared with what a pass really draws: in random scenes it must be right about each object, and
// undoing the reason that it names must lead to an object that is drawn.

import {
  ArrayCamera,
  Box3,
  BoxGeometry,
  Group,
  LOD,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  PointLight,
  Raycaster,
  Scene,
  Texture,
  Vector3,
  type Material,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { explain } from '../../src/debug-three/index.ts';
import { explainDrawing } from '../../src/debug-three/explain.ts';
import type { Explanation } from '../../src/debug-three/explanation.ts';
import { OcclusionCulling, OctreeGroup, OctreeInstances, StaticBatches } from '../../src/three.ts';
import { SLEEP } from '../../src/three/group/sleeping-children.ts';
import { poseSoon, setBatchLimits } from '../support/batch-limits.ts';
import { everything } from '../support/batched-meshes.ts';
import { cube as box, frame, row, sceneWith, slab } from '../support/explained-row.ts';
import { missingTriangles, trianglesOfObject } from '../support/drawn-triangles.ts';
import { at } from '../support/instance-passes.ts';
import { projectPass } from '../support/pass-lists.ts';
import { createRandom, type Random } from '../support/random.ts';
import { createObject, KINDS, place } from '../support/three-scenes.ts';

const REACH = 40;

class World {
  readonly scene = new Scene();
  readonly group = new OctreeGroup();
  readonly materials = [new MeshBasicMaterial(), new MeshBasicMaterial({ color: 'red' })];
  occlusion: OcclusionCulling | null = null;
  camera: PerspectiveCamera | OrthographicCamera | ArrayCamera = new PerspectiveCamera();

  constructor(random: Random) {
    this.scene.add(this.group);
    for (let k = 0; k < 70; k++) this.group.add(this.create(random));
  }

  create(random: Random): Object3D {
    const material = random.pick(this.materials);
    const object = random.below(3) === 0 ? createObject(random.below(KINDS), material) : new Mesh(box, material);
    if (random.below(20) === 0) object.add(new PointLight());
    place(object, random, REACH);
    if (random.below(10) === 0) object.scale.setScalar(6);
    object.traverse((node) => (node.name = `${node.type} ${random.below(2 ** 30)}`));
    return object;
  }

  get nodes(): Object3D[] {
    const nodes: Object3D[] = [];
    this.scene.traverse((node) => {
      if (node !== this.scene && node !== this.group) nodes.push(node);
    });
    return nodes;
  }

  /** Whether a pass draws an object: the renderer does, or a batch has its triangles. */
  isDrawn(object: Object3D): boolean {
    const drawn = projectPass(this.scene, this.camera).map((one) => one.object);
    if (drawn.includes(object)) return true;
    if (!(object instanceof Mesh) || !this.group.groupChildren.bodies.drawing) return false;
    const batches = (drawn.filter((one) => one.parent === null) as Mesh[]).filter(
      ({ material }) => [material].flat()[0].visible,
    );
    const triangles = batches.flatMap(trianglesOfObject);
    const own = trianglesOfObject(object);
    return batches.length > 0 && missingTriangles(triangles, own).length === 0;
  }

  /** Takes back the reason that an explanation names. */
  undo(object: Object3D, { kind, about }: Explanation): void {
    const mesh = object as Mesh<BoxGeometry, Material>;
    switch (kind) {
      case 'hidden':
        for (const one of about as Object3D[]) one.visible = true;
        break;
      case 'level':
        for (const one of about as Object3D[]) {
          one.visible = true;
          (one.parent as LOD).autoUpdate = false;
        }
        break;
      case 'layers':
        object.layers.mask |= this.camera.layers.mask;
        break;
      case 'culled':
      case 'frustum': {
        const { mask } = this.camera.layers;
        this.camera = everything.clone();
        this.camera.layers.mask = mask;
        break;
      }
      case 'size':
        this.group.minScreenSize = 0;
        break;
      case 'occlusion':
        for (const one of about as Mesh[]) this.occlusion!.setOccluder(one, null);
        break;
      case 'material':
        mesh.material.visible = true;
        break;
      default:
        throw new Error(`no way to undo ${kind}`);
    }
  }
}

const CHANGES: readonly ((world: World, random: Random) => void)[] = [
  ({ group }, random) => random.pick(group.children).removeFromParent(),
  (world, random) => world.group.add(world.create(random)),
  (world, random) =>
    world.group.addTree(
      new Group().add(world.create(random), new Object3D().add(world.create(random), world.create(random))),
      { isStatic: random.below(2) === 0 },
    ),
  ({ nodes }, random) => place(random.pick(nodes), random, REACH),
  ({ nodes }, random) => (random.pick(nodes).visible = false),
  ({ nodes }, random) => random.pick(nodes).layers.set(1),
  ({ nodes }, random) => random.pick(nodes).layers.set(random.below(2)),
  ({ nodes }, random) => (random.pick(nodes).frustumCulled = random.below(3) > 0),
  ({ materials }, random) => (random.pick(materials).visible = random.below(4) > 0),
  ({ group }, random) => (group.minScreenSize = random.pick([0, 0, 0.02, 0.2])),
  ({ group }, random) => (group.position.x = random.between(-5, 5)),
  ({ group }, random) => (group.renderOrder = Number(random.below(8) === 0)),
  ({ group }, random) => group.children.length > 0 && group.setStatic(random.pick(group.children), random.below(3) > 0),
  ({ nodes }, random) => random.pick(nodes).add(new Mesh(box, new MeshBasicMaterial())),
  ({ nodes }, random) => (random.pick(nodes).position.x = random.below(3) === 0 ? NaN : 0),
];

function randomCamera(random: Random): PerspectiveCamera | OrthographicCamera {
  const camera =
    random.below(4) === 0
      ? new OrthographicCamera(-15, 15, 15, -15, 0, 60)
      : new PerspectiveCamera(random.between(20, 80), 1, 0.1, random.between(30, 120));
  camera.position.set(random.between(-REACH, REACH), random.between(-REACH, REACH), random.between(-REACH, REACH));
  camera.lookAt(random.between(-REACH, REACH), random.between(-REACH, REACH), 0);
  camera.layers.mask = random.pick([1, 1, 3]);
  camera.updateMatrixWorld();
  return camera;
}

describe('explain in random scenes', () => {
  const kinds = new Set<string>();

  it.each([
    { seed: 1, features: '' },
    { seed: 3, features: 'batches' },
    { seed: 5, features: 'occlusion' },
    { seed: 7, features: 'batches occlusion' },
  ])(
    'says what a pass does, and undoing its reasons has the object drawn, seed $seed $features',
    async ({ seed, features }) => {
      vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      const random = createRandom(seed);
      const world = new World(random);
      const { group, scene } = world;
      if (features.includes('batches')) {
        for (const child of group.children) group.setStatic(child);
        const batches = new StaticBatches(group);
        setBatchLimits(batches, { minMembers: 2 });
        batches.finish();
      }
      for (let step = 0; step < 24; step++) {
        for (let k = 0; k < 3; k++) random.pick(CHANGES)(world, random);
        world.camera = randomCamera(random);
        if (features.includes('occlusion')) {
          world.occlusion?.dispose();
          world.occlusion = new OcclusionCulling(group, world.camera, { minRemoved: 0, minOccluderArea: 0 });
          world.occlusion.setOccluder(box, new Box3(new Vector3(-2, -2, -2), new Vector3(2, 2, 2)));
        }
        await Promise.resolve();
        if (random.below(4) > 0) frame(scene);
        for (let k = 0; k < 4; k++) {
          const camera: World['camera'] = world.camera;
          const object = random.pick(world.nodes);
          let found: Explanation | null = null;
          for (let tries = 0; tries < 12 && found?.isDrawn !== true; tries++) {
            found = explainDrawing(object, world.camera);
            kinds.add(found.kind);
            const isDrawn = world.isDrawn(object);
            // A batch may go over a gap in which it lies.
            const isBridged = isDrawn && features.includes('batches') && /frustum|size|occlusion/.test(found.kind);
            if (!isBridged) expect(isDrawn, `step ${step}: ${found.text}`).toBe(found.isDrawn);
            if (found.isDrawn || found.kind === 'nothing to draw') break;
            world.undo(object, found);
            const again = explainDrawing(object, world.camera);
            expect([again.kind, again.text], `step ${step}: ${found.text} | ${again.text}`).not.toEqual([
              found.kind,
              found.text,
            ]);
          }
          expect(found!.isDrawn || found!.kind === 'nothing to draw', found!.text).toBe(true);
          world.camera = camera;
        }
      }
    },
  );

  it('have met all reasons', () => {
    const all = ['drawn', 'batch', 'hidden', 'layers', 'frustum', 'culled', 'size', 'material', 'occlusion'];
    expect(all.filter((kind) => !kinds.has(kind))).toEqual([]);
    expect(kinds).not.toContain('unknown');
  });
});

describe('explain', () => {
  const camera = slab();
  const says = (object: Object3D): string => explain(object, camera);

  it('says that an object is in no scene', () => {
    const mesh = new Mesh();
    expect(says(mesh)).toBe(`The Mesh with id ${mesh.id} is not drawn: it is in no scene.`);
  });

  it('names the ancestor that hides an object, and the layers', () => {
    const group = row();
    const tree = new Group().add(new Group().add(new Mesh(box)));
    tree.name = 'tree';
    tree.visible = false;
    const mesh = tree.children[0].children[0];
    mesh.name = 'mesh';
    sceneWith(group.addTree(tree));
    expect(says(mesh)).toBe('The Mesh "mesh" is not drawn: visible of the Group "tree" is false.');
    tree.visible = true;
    mesh.layers.set(3);
    expect(says(mesh)).toBe('The Mesh "mesh" is not drawn: it shares no layer with the camera.');
    mesh.layers.set(0);
    expect(says(mesh)).toBe('The Mesh "mesh" is drawn on its own.');
    expect(says(tree)).toBe('The Group "tree" is not drawn: it has no geometry, and only holds 1 other objects.');
  });

  it('names the plane of the frustum, and the smallest size', () => {
    const group = row();
    sceneWith(group);
    expect(says(group.children[5])).toBe(
      'The Mesh "5" is not drawn: its bounds are outside the right plane of the frustum.',
    );
    group.minScreenSize = 0.5;
    expect(says(group.children[0])).toBe('The Mesh "0" is not drawn: it looks smaller than minScreenSize, 0.5.');
  });

  it('says what a pass draws without bounds: new, moved, not culled, NaN', () => {
    const group = row();
    const scene = sceneWith(group);
    const mesh = Object.assign(new Mesh(box), { name: 'new' });
    group.add(mesh);
    expect(says(mesh)).toContain('is drawn on its own: it is new, and every pass draws it until the next update');
    mesh.frustumCulled = false;
    frame(scene);
    expect(says(mesh)).toContain(
      'every pass draws it, because frustumCulled is false; bounds are looked for again in 1',
    );
    mesh.frustumCulled = true;
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    mesh.position.y = NaN;
    group.reportMove(mesh);
    frame(scene);
    expect(says(mesh)).toMatch(
      /^The Mesh "new" is drawn on its own: it shows nothing, because position\.y of the Mesh "new" is NaN; every pass draws it; bounds are looked for again in 1 update[;.]/,
    );
  });

  it('says that a static object has moved without a report', () => {
    const group = row();
    sceneWith(group);
    group.children[0].position.y = 1;
    expect(says(group.children[0])).toBe(
      'The Mesh "0" is drawn on its own: it is static and has moved without a report: it stays where it was until reportMove, or until it is found within 256 updates.',
    );
    group.setStatic(group.children[1], false);
    group.updateMatrixWorld();
    group.children[1].position.y = 1;
    expect(says(group.children[1])).toContain('it has moved since the last update, and is drawn where it was');
  });

  it('names batch and range, and why a batch does not draw an object', () => {
    const group = row();
    const material = new MeshBasicMaterial();
    for (const child of group.children) (child as Mesh).material = material;
    (group.children[1] as Mesh).material = new MeshBasicMaterial({ transparent: true });
    const scene = sceneWith(group);
    const batches = new StaticBatches(group).finish();
    expect(says(group.children[0])).toMatch(
      /^The Mesh "0" is drawn by batch 0, in its range 1 of 1 \(indices \d+ to \d+\)\.$/,
    );
    expect(says(group.children[1])).toContain('no batch draws it: ');
    group.children[0].position.y = 1;
    group.reportMove(group.children[0]);
    frame(scene);
    expect(says(group.children[0])).toContain('it has changed, and its batch draws it again after 30 updates');
    batches.leaveOut(group.children[0]);
    expect(says(group.children[0])).toContain('leaveOut keeps it out of its batch');
    batches.dispose();
    expect(says(group.children[0])).not.toContain('batch');
  });

  it('names the fields because of which a batch is not built', () => {
    const group = row();
    for (const child of group.children)
      (child as Mesh).material = new MeshStandardMaterial({ normalMap: new Texture() });
    sceneWith(group);
    new StaticBatches(group).finish();
    expect(says(group.children[0])).toContain(
      `its batch is not built, because too few others of its kind wait: MeshStandardMaterial.normalMap has ${group.children.length} values, and each needs a batch of its own`,
    );
  });

  it('names the nearest kind of which there are enough, and what differs', () => {
    const group = row();
    const camera = new OrthographicCamera(-10, 600, 50, -50, -50, 50);
    const [map, other] = [new MeshStandardMaterial({ map: new Texture() }), new MeshStandardMaterial()];
    const [first, second, third] = group.children as Mesh[];
    for (const child of group.children as Mesh[]) child.material = map;
    for (const child of group.children.slice(-3)) child.castShadow = child.receiveShadow = true;
    first.castShadow = true;
    first.geometry = box.clone().deleteAttribute('normal');
    second.material = other;
    sceneWith(group);
    new StaticBatches(group).finish();
    const count = group.children.length - 5;
    const wait = 'its batch is not built, because too few others of its kind wait';
    const fields =
      'MeshStandardMaterial.color has 2 values, MeshStandardMaterial.map has 2 values, and each needs a batch of its own';
    expect(explain(first, camera)).toContain(
      `${wait}: ${fields}; nearest are ${count} of the kind of the Mesh "2", which differ in castShadow, normal.`,
    );
    expect(explain(second, camera)).toContain(
      `which differ in MeshStandardMaterial.map, MeshStandardMaterial.color, uv.`,
    );
    expect(explain(third, camera)).toContain('is drawn by batch');
    expect(explain(group.children.at(-1)!, camera)).toContain(
      `the Mesh "2", which differ in castShadow, receiveShadow.`,
    );
  });

  it('names no kind that differs in nothing, as before a report of another material', () => {
    const group = row();
    const camera = new OrthographicCamera(-10, 600, 50, -50, -50, 50);
    const [map, other] = Array.from({ length: 2 }, () => new MeshStandardMaterial({ map: new Texture() }));
    const meshes = group.children as Mesh[];
    for (const [k, mesh] of meshes.entries()) mesh.material = k === 0 ? other : map;
    sceneWith(group);
    new StaticBatches(group).finish();
    const kind = '; nearest are 59 of the kind of the Mesh "1", which differ in ';
    expect(explain(meshes[0], camera)).toContain(`${kind}MeshStandardMaterial.map.`);
    meshes[0].material = map;
    expect(explain(meshes[0], camera)).toContain('too few others of its kind wait');
    expect(explain(meshes[0], camera)).not.toContain('nearest');
  });

  it('names the posed chunk that draws an object that moves', async () => {
    const group = row();
    for (const child of group.children) {
      (child as Mesh).material = new MeshBasicMaterial();
      group.setStatic(child, false);
    }
    const scene = sceneWith(group);
    const batches = new StaticBatches(group, { posesMovers: true });
    const move = async (updates: number): Promise<void> => {
      for (let k = 0; k < updates; k++) {
        for (const child of group.children) child.position.y = 0.1 * (k % 2);
        await Promise.resolve();
        frame(scene);
      }
    };
    await move(2);
    expect(says(group.children[0])).toContain(', or a posed chunk while 50 or more move');
    poseSoon(batches, 3);
    await move(60);
    expect(batches.report().posed).toBe(group.children.length);
    expect(says(group.children[0])).toMatch(
      /^The Mesh "0" is drawn by posed chunk 0 \(.*\), in its range 1 of 1 \(indices \d+ to \d+\)\.$/,
    );
    batches.dispose();
  });

  it('says with how many materials the material of an object is drawn as one', () => {
    const group = row();
    for (const [k, child] of group.children.entries())
      (child as Mesh).material = new MeshBasicMaterial({ color: 4096 * k });
    sceneWith(group);
    new StaticBatches(group).finish();
    const others = group.children.length - 1;
    expect(others).toBeGreaterThan(2);
    expect(says(group.children[0])).toMatch(
      new RegExp(
        `^The Mesh "0" is drawn by batch 0 \\(its material is drawn as one with ${others} others, which differ in values only\\), in its range`,
      ),
    );
  });

  it('says that a small group sleeps, and what three culls alone', () => {
    SLEEP.maxObjects = 48;
    const group = new OctreeGroup().add(Object.assign(new Mesh(box), { name: 'small' }));
    const plain = Object.assign(new Mesh(box), { name: 'plain' });
    plain.position.x = -30;
    const scene = sceneWith(group, plain);
    expect(says(group.children[0])).toBe(
      'The Mesh "small" is drawn on its own: its group is small, and is drawn as a plain Group.',
    );
    expect(says(plain)).toBe(
      'The Mesh "plain" is not drawn: its bounding sphere is outside the left plane of the frustum.',
    );
    plain.position.x = 0;
    frame(scene);
    expect(says(plain)).toBe('The Mesh "plain" is drawn on its own: it is in no OctreeGroup, so three culls it alone.');
    SLEEP.maxObjects = 0;
  });

  it('names the occluders of an object', () => {
    const group = row();
    const view = new PerspectiveCamera(20, 1, 1, 1000);
    view.position.set(-30, 0, 0);
    view.lookAt(0, 0, 0);
    view.updateMatrixWorld();
    sceneWith(group);
    const occlusion = new OcclusionCulling(group, view, { minRemoved: 0 }).setOccluder(box, true);
    expect(explain(group.children[3], view)).toBe('The Mesh "3" is not drawn: it is behind the Mesh "0".');
    expect(occlusion.visible.length).toBe(1);
  });

  it('takes each camera of an array', () => {
    const group = row();
    sceneWith(group);
    const views = [camera, slab()].map((one, k) => {
      one.position.x = 200 * k;
      one.updateMatrixWorld();
      return one;
    });
    const array = new ArrayCamera(views as unknown as PerspectiveCamera[]);
    expect(explain(group.children[20], array)).toContain('is drawn');
    expect(explain(group.children[10], array)).toContain('outside the right plane');
    camera.position.x = 0;
  });

  it('is right about instances', () => {
    const instances = new OctreeInstances(box, new MeshBasicMaterial(), 40);
    for (let id = 0; id < 40; id++) instances.setMatrixAt(id, at(10 * id));
    instances.name = 'trees';
    instances.setVisibleAt(1, false);
    sceneWith(instances);
    const said = (id: number): string => explain(instances, camera, id);
    expect(said(0)).toBe('The instance 0 of the OctreeInstances "trees" is drawn.');
    expect(said(1)).toBe('The instance 1 of the OctreeInstances "trees" is not drawn: setVisibleAt has hidden it.');
    expect(said(7)).toContain('is not drawn: its bounds are outside the right plane of the frustum.');
    instances.minScreenSize = 0.5;
    expect(said(0)).toContain('it looks smaller than minScreenSize, 0.5');
    instances.minScreenSize = 0;
    instances.addLevel(new BoxGeometry(), 5);
    instances.position.z = -20;
    instances.updateMatrixWorld();
    expect(said(0)).toContain('is drawn: at level 1 of detail.');
    instances.layers.set(4);
    expect(said(0)).toContain('it shares no layer with the camera');
    expect(() => said(99)).toThrow(RangeError);
  });

  it('says why a ray hits or misses', () => {
    const group = row();
    sceneWith(group);
    const ray = new Raycaster(new Vector3(-20, 0, 0), new Vector3(1, 0, 0));
    const said = (k: number): string => explain(group.children[k], ray);
    expect(said(0)).toBe('The Mesh "0" is hit at 18, the nearest hit.');
    expect(said(2)).toBe('The Mesh "2" is hit at 38, behind the Mesh "0" at 18.');
    group.children[0].visible = false;
    expect(said(2)).toContain('behind the Mesh "0" at 18, which is hidden: pick leaves that one out.');
    group.children[2].visible = false;
    expect(said(2)).toContain('it is hidden: rays hit it all the same, pick leaves it out.');
    ray.far = 30;
    expect(said(2)).toContain('is not hit: it is not between near and far, 0 and 30');
    ray.far = Infinity;
    group.children[3].layers.set(2);
    expect(said(3)).toContain('it shares no layer with the raycaster');
    group.children[4].raycast = () => undefined;
    expect(said(4)).toContain('is not hit');
    ray.ray.origin.y = 30;
    expect(said(5)).toBe('The Mesh "5" is not hit: the ray passes its bounding sphere at a distance of 26.54.');
    ray.ray.origin.y = 2.5;
    expect(said(5)).toBe('The Mesh "5" is not hit: the ray meets its bounding sphere, but no triangle of it.');
    ray.ray.origin.set(50, 0, 0);
    expect(said(5)).toBe('The Mesh "5" is not hit: the ray meets only the sides that its material does not draw.');
  });

  it('refuses other arguments', () => {
    expect(() => explain({} as Object3D, camera)).toThrow(TypeError);
    expect(() => explain(new Mesh(), {} as OrthographicCamera)).toThrow('view must be a Camera or a Raycaster');
    expect(() => explain(new Mesh(), camera, 1)).toThrow('object must be an OctreeInstances');
    expect(() => explain(new OctreeInstances(), camera)).toThrow(TypeError);
  });
});
