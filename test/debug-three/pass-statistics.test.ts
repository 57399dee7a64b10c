// The numbers of a pass, compared with loops and with what the pass draws.

import {
  ArrayCamera,
  Box3,
  BoxGeometry,
  DirectionalLight,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  Scene,
  type Camera,
  type Object3D,
} from 'three';
import { describe, expect, it } from 'vitest';
import { statisticsOf } from '../../src/debug-three/index.ts';
import { OcclusionCulling, OctreeGroup, OctreeInstances, StaticBatches } from '../../src/three.ts';
import { at } from '../support/instance-passes.ts';
import { frustumOf, projectPass } from '../support/pass-lists.ts';

const box = new BoxGeometry(4, 4, 4);
const material = new MeshBasicMaterial();

/** 60 static boxes along x, 10 apart. */
function row(): { scene: Scene; group: OctreeGroup } {
  const group = new OctreeGroup({ hasStaticChildren: true });
  for (let k = 0; k < 60; k++) {
    const mesh = new Mesh(box, material);
    mesh.position.x = 10 * k;
    group.add(mesh);
  }
  const scene = new Scene().add(group);
  scene.updateMatrixWorld();
  (scene.onBeforeRender as unknown as (renderer: object) => void)({});
  return { scene, group };
}

/** Sees the boxes up to x. */
function upTo(x: number): OrthographicCamera {
  const camera = new OrthographicCamera(-10, x + 3, 500, -500, -50, 50);
  camera.updateMatrixWorld();
  return camera;
}

const inView = (group: Object3D, camera: Camera): number =>
  group.children.filter((child) => frustumOf(camera).intersectsBox(new Box3().setFromObject(child))).length;

describe('statisticsOf', () => {
  it('counts what a pass of a camera sees, and what the query tests', () => {
    const { scene, group } = row();
    const camera = upTo(200);
    const statistics = statisticsOf(group, camera);
    expect(statistics).toMatchObject({ objects: 60, visible: 21, alone: 21, batched: 0, ranges: 0, hidden: 0 });
    expect(statistics.visible).toBe(inView(group, camera));
    expect(statistics.nodesVisited).toBeGreaterThan(0);
    expect(statistics.bodiesTested).toBeLessThan(60);
    expect(projectPass(scene, camera).length).toBe(21);
    (group.children[50] as Mesh).frustumCulled = false;
    group.reportMove(group.children[50]);
    scene.updateMatrixWorld();
    expect(statisticsOf(group, camera).visible).toBe(22);
  });

  it('counts what any camera of an ArrayCamera sees', () => {
    const { scene, group } = row();
    const far = new OrthographicCamera(297, 343, 500, -500, -50, 50);
    far.updateMatrixWorld();
    const views = [upTo(20), far] as unknown as PerspectiveCamera[];
    const instances = new OctreeInstances(box, material, 60);
    for (let id = 0; id < 60; id++) instances.setMatrixAt(id, at(10 * id));
    scene.add(instances);
    scene.updateMatrixWorld();
    const all = new ArrayCamera(views);
    for (const container of [group, instances]) {
      expect(statisticsOf(container, all)).toMatchObject({ objects: 60, visible: 8, tooSmall: 0, hidden: 0 });
      const [both, ...each] = [all, ...views].map((view) => statisticsOf(container, view));
      expect(both.nodesVisited).toBe(each[0].nodesVisited + each[1].nodesVisited);
      expect(both.bodiesTested).toBe(each[0].bodiesTested + each[1].bodiesTested);
    }
  });

  it('counts what is too small, and leaves the limit as it is', () => {
    const { scene, group } = row();
    const camera = upTo(200);
    group.children[3].scale.setScalar(300);
    group.reportMove(group.children[3]);
    scene.updateMatrixWorld();
    group.minScreenSize = 0.1;
    expect(statisticsOf(group, camera)).toMatchObject({ visible: 1, tooSmall: 20 });
    expect(group.minScreenSize).toBe(0.1);
    expect(projectPass(scene, camera).length).toBe(1);
  });

  it('counts what batches draw, and their draw calls', () => {
    const { group } = row();
    const batches = new StaticBatches(group).finish();
    const camera = upTo(200);
    expect(statisticsOf(group, camera)).toMatchObject({ visible: 21, alone: 0, batched: 21 });
    batches.leaveOut(group.children[5]);
    const { alone, batched, ranges } = statisticsOf(group, camera);
    expect([alone, batched, ranges]).toEqual([1, 20, batches.ranges.length]);
  });

  it.each([false, true])('counts what is drawn, not what is hidden or on another layer; batches: %s', (hasBatches) => {
    const { scene, group } = row();
    if (hasBatches) new StaticBatches(group).finish();
    const camera = upTo(200);
    const [first, second, third, parent] = group.children;
    first.visible = false;
    second.layers.set(3);
    // Of this one only what is below it is drawn.
    third.layers.set(3);
    third.add(new Mesh(box, material));
    parent.add(new Mesh(box, material));
    for (const object of group.children.slice(0, 4)) group.reportMove(object);
    scene.updateMatrixWorld();
    expect(statisticsOf(group, camera)).toMatchObject({ objects: 60, visible: 19, hidden: 0, tooSmall: 0 });
    camera.layers.set(3);
    expect(statisticsOf(group, camera)).toMatchObject({ visible: 2, alone: 2, batched: 0, ranges: 0 });
    camera.layers.set(0);
    group.visible = false;
    expect(statisticsOf(group, camera)).toMatchObject({ visible: 0, alone: 0, batched: 0, ranges: 0 });
  });

  it('counts what occluders hide', () => {
    const { group } = row();
    const camera = new PerspectiveCamera(20, 1, 1, 1000);
    camera.position.set(-30, 0, 0);
    camera.lookAt(0, 0, 0);
    camera.updateMatrixWorld();
    const occlusion = new OcclusionCulling(group, camera, { minRemoved: 0 }).setOccluder(box, true);
    expect(statisticsOf(group, camera)).toMatchObject({ visible: 1, hidden: 59, alone: 1 });
    expect(occlusion.visible.length).toBe(1);
  });

  it('counts the instances of a container, with a draw call for each level', () => {
    const instances = new OctreeInstances(box, material, 40);
    for (let id = 0; id < 40; id++) instances.setMatrixAt(id, at(10 * id));
    instances.setVisibleAt(3, false);
    new Scene().add(instances).updateMatrixWorld();
    const camera = upTo(200);
    expect(statisticsOf(instances, camera)).toMatchObject({
      objects: 39,
      visible: 20,
      alone: 0,
      batched: 20,
      ranges: 1,
    });
    instances.addLevel(new BoxGeometry(), 50);
    instances.updateMatrixWorld();
    expect(statisticsOf(instances, camera)).toMatchObject({ visible: 20, ranges: 2 });
  });

  it('counts what a shadow map sees', () => {
    const { scene, group } = row();
    const light = new DirectionalLight();
    light.position.set(0, 10, 0);
    light.shadow.camera.right = 53;
    light.shadow.camera.updateProjectionMatrix();
    scene.add(light);
    scene.updateMatrixWorld();
    light.shadow.updateMatrices(light);
    const { visible } = statisticsOf(group, light);
    expect(visible).toBe(inView(group, light.shadow.camera));
    expect(visible).toBeGreaterThan(0);
    expect(visible).toBeLessThan(60);
  });

  it('refuses other arguments', () => {
    const { group } = row();
    expect(() => statisticsOf(group, new DirectionalLight())).toThrow('whose shadow map was drawn; render a frame');
    expect(() => statisticsOf(new Mesh() as never, upTo(1))).toThrow(
      'container must be an OctreeGroup or OctreeInstances',
    );
    expect(() => statisticsOf(group, new Mesh() as never)).toThrow('view must be a Camera or a light with a shadow');
    expect(() => statisticsOf(group, null as never)).toThrow(TypeError);
  });
});
