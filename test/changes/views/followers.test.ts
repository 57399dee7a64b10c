// Features that begin and end to follow a group at any time, and what they may not lose of it.

import {
  BoxGeometry,
  Group,
  type InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Scene,
  Sprite,
  SpriteMaterial,
  type Object3D,
} from 'three';
import { describe, expect, it } from 'vitest';
import { InstanceChanges, OctreeGroup, OctreeInstances, ShadowUpdates, ViewChanges } from '../../../src/three.ts';
import { Detector } from '../../../src/three/detector/detector.ts';
import { drawn } from '../../support/batched-meshes.ts';
import { FakeRenderer } from '../../support/change-towns.ts';
import { stripeCamera } from '../../support/pass-lists.ts';
import { createCamera } from '../../support/three-pictures.ts';

const camera = createCamera([0, 0, 20], [0, 0, 0], 60);
const renderer = new FakeRenderer() as never;
const beside = stripeCamera(4, 2);

function worldWith(...objects: Object3D[]): { scene: Scene; group: OctreeGroup } {
  const scene = new Scene();
  const group = new OctreeGroup();
  scene.add(group.add(...objects));
  scene.updateMatrixWorld();
  return { scene, group };
}

const box = (): Mesh => new Mesh(new BoxGeometry(), new MeshBasicMaterial());
const follow = (scene: Scene, ...groups: OctreeGroup[]): ViewChanges => new ViewChanges(scene, renderer, groups);
const hasDetector = ({ groupChildren }: OctreeGroup): boolean => groupChildren.bodies.detector instanceof Detector;

describe('a feature', () => {
  it('that is disposed of twice takes nothing from another', () => {
    const mesh = box();
    const { scene, group } = worldWith(mesh);
    const first = follow(scene, group);
    first.dispose();
    const second = follow(scene, group);
    first.dispose();
    for (let k = 0; k < 2; k++) second.changedIn(camera);
    mesh.renderOrder = 1;
    expect(second.changedIn(camera)).toBe(true);
  });

  it('that cannot be created does not follow its groups', () => {
    const { scene, group } = worldWith(box());
    const first = new ShadowUpdates(scene, renderer, [group]);
    expect(() => new ShadowUpdates(scene, renderer, [group])).toThrow('has one already');
    first.dispose();
    expect(hasDetector(group)).toBe(false);
    const views = follow(scene, group, group);
    views.dispose();
    expect(hasDetector(group)).toBe(false);
  });

  it.each(['begins', 'ends'])('that %s to follow loses no change of bounds since the last update', (moment) => {
    const changes: Record<string, [Object3D, (object: Object3D) => void]> = {
      vertices: [
        box(),
        (mesh) => {
          const { position } = (mesh as Mesh).geometry.attributes;
          position.setX(0, 5);
          position.needsUpdate = true;
        },
      ],
      'a callback': [box(), (mesh) => void (mesh.onBeforeRender = () => {})],
      'moved vertices': [
        box(),
        (mesh) => void ((mesh as Mesh<BoxGeometry, MeshBasicMaterial>).material.onBeforeCompile = () => {}),
      ],
      'the centre of a sprite': [new Sprite(new SpriteMaterial()), (sprite) => (sprite as Sprite).center.set(-4.5, 0)],
    };
    for (const [name, [object, change]] of Object.entries(changes)) {
      const { scene, group } = worldWith(object);
      const views = moment === 'ends' ? follow(scene, group) : null;
      group.updateMatrixWorld();
      const plain = new Group();
      expect(drawn(group, beside), name).toEqual([]);
      change(object);
      if (views === null) follow(scene, group);
      else views.dispose();
      const found = drawn(group, beside);
      plain.add(object);
      expect(found, name).toEqual(drawn(plain as OctreeGroup, beside));
    }
  });
});

describe('a watched member is bounded anew', () => {
  it('if a part of a closed child gets a test of its own', () => {
    const child = new Group().add(box(), box());
    const { scene, group } = worldWith(child);
    follow(scene, group);
    expect(drawn(group, beside)).toEqual([]);
    child.children[0].intersectsFrustum = () => true;
    expect(drawn(group, beside)).toEqual([child.children[0]]);
  });

  it('if the centre of a sprite that is drawn several times changes', () => {
    const sprite = Object.assign(new Sprite(new SpriteMaterial()), { count: 2 });
    const { scene, group } = worldWith(sprite);
    follow(scene, group);
    expect(drawn(group, beside)).toEqual([]);
    sprite.center.set(-4.5, 0);
    expect(drawn(group, beside)).toEqual([sprite]);
  });
});

describe('a picture', () => {
  it('stays the same with all layers', () => {
    const mesh = box();
    mesh.layers.mask = 0xff_ff_ff_ff;
    const { scene, group } = worldWith(mesh);
    const views = follow(scene, group);
    for (let k = 0; k < 3; k++) views.changedIn(camera);
    expect(views.changedIn(camera)).toBe(false);
  });

  it('differs if the materials of instances are exchanged', () => {
    const geometry = new BoxGeometry();
    const [first, second] = [0xff0000, 0x00ff00].map((color) => new MeshBasicMaterial({ color }));
    for (const exchange of [
      (trees: InstancedMesh) => void (trees.material = [second, first]),
      (trees: InstancedMesh) => void (trees.material as MeshBasicMaterial[]).splice(0, 2, second, first),
    ]) {
      const scene = new Scene();
      const trees = new OctreeInstances(geometry, [first, second], 2);
      trees.addInstance(new Matrix4());
      scene.add(trees);
      const views = new ViewChanges(scene, renderer, [new InstanceChanges(trees)]);
      for (let k = 0; k < 3; k++) views.changedIn(camera);
      expect(views.changedIn(camera)).toBe(false);
      exchange(trees);
      expect(views.changedIn(camera)).toBe(true);
    }
  });
});
