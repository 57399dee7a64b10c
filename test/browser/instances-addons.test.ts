// What the addons of three do with an OctreeInstances must equal what they do with an InstancedMesh.

import {
  BoxGeometry,
  Color,
  DirectionalLight,
  Layers,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  RenderTarget,
  SphereGeometry,
  Vector3,
  type Material,
  type Object3D,
} from 'three';
import { OutlineEffect } from 'three/addons/effects/OutlineEffect.js';
import { GLTFExporter } from 'three/addons/exporters/GLTFExporter.js';
import { OBJExporter } from 'three/addons/exporters/OBJExporter.js';
import { PLYExporter } from 'three/addons/exporters/PLYExporter.js';
import { STLExporter } from 'three/addons/exporters/STLExporter.js';
import { SelectionBox } from 'three/addons/interactive/SelectionBox.js';
import { SVGRenderer } from 'three/addons/renderers/SVGRenderer.js';
import { outline as outlineNode } from 'three/addons/tsl/display/OutlineNode.js';
import { pass } from 'three/tsl';
import { RenderPipeline } from 'three/webgpu';
import { describe, expect, it } from 'vitest';
import { composeOutline } from '../support/compose.ts';
import {
  colorInstances,
  createInstanceTwins,
  scatterInstances,
  type InstanceTwins,
} from '../support/instance-twins.ts';
import { compare, createCamera, expectEqual, useRenderer } from '../support/three-pictures.ts';
import type { Twin } from '../support/three-scenes.ts';
import { BACKENDS, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const EDGE = 128;
const COUNT = 60;
const REACH = 16;
const camera = createCamera([-30, 0, 0], [0, 0, 0], 100);
const renderer = useRenderer();

/** Coloured boxes, and a ball before them that belongs to neither container. */
function boxes(seed: number): InstanceTwins {
  const twins = createInstanceTwins(COUNT, () => ({
    geometry: new BoxGeometry(2, 1, 3),
    material: new MeshStandardMaterial(),
  }));
  twins.change(seed, (instances, random) => {
    scatterInstances(instances, random, COUNT, REACH);
    colorInstances(instances, random, COUNT);
  });
  twins.each(({ scene, group }) => {
    const ball = new Mesh(new SphereGeometry(3, 16, 12), new MeshStandardMaterial({ color: 0xff0000 }));
    ball.name = 'ball';
    ball.position.x = -18;
    group.children[0].name = 'boxes';
    scene.add(ball, new DirectionalLight(0xffffff, 2));
    scene.updateMatrixWorld();
  });
  return twins;
}

/** Draws a scene with an outline around the objects of these names. */
function outline(twin: Twin, names: readonly string[]): void {
  const selected = names.map((name) => twin.scene.getObjectByName(name)!);
  composeOutline(renderer, twin, camera, selected);
}

/** The materials of the meshes that are not on a layer are replaced while `draw` runs, as in selective bloom. */
function withBlackMeshes(scene: Object3D, draw: () => void): void {
  const bright = new Layers();
  bright.set(1);
  const kept = new Map<Mesh, Material | Material[]>();
  const black = new MeshBasicMaterial({ color: 0 });
  scene.traverse((object) => {
    const mesh = object as Mesh;
    if (!mesh.isMesh || bright.test(mesh.layers)) return;
    kept.set(mesh, mesh.material);
    mesh.material = black;
  });
  draw();
  for (const [mesh, material] of kept) mesh.material = material;
}

const countDifferent = (a: Uint32Array, b: Uint32Array): number => a.filter((pixel, k) => pixel !== b[k]).length;

/** What an addon makes of the plain scene and of the other one. */
const both = <Result>({ plain, octree }: InstanceTwins, use: (scene: Object3D) => Result): [Result, Result] => [
  use(plain.scene),
  use(octree.scene),
];

describe('the picture of an OctreeInstances equals that of an InstancedMesh', () => {
  it.each([[['ball']], [['boxes']], [['ball', 'boxes']]])('through an OutlinePass around %s', (names) => {
    const twins = boxes(1);
    expectEqual(compare(renderer, twins, (twin) => outline(twin, names)));
    // The outline is visible: without it the picture differs.
    const without = compare(renderer, twins, (twin) => outline(twin, twin === twins.plain ? [] : names));
    expect(without.differingPixels).toBeGreaterThan(20);
    twins.each(({ scene }) => scene.traverse(({ visible }) => expect(visible).toBe(true)));
  });

  it('through an OutlineEffect', () => {
    const effect = new OutlineEffect(renderer, { defaultThickness: 0.02 });
    const twins = boxes(2);
    expectEqual(compare(renderer, twins, ({ scene }) => effect.render(scene, camera)));
    const without = compare(renderer, twins, ({ scene }) =>
      (scene === twins.plain.scene ? renderer : effect).render(scene, camera),
    );
    expect(without.differingPixels).toBeGreaterThan(20);
  });

  it('while code that looks for meshes replaces their materials', () => {
    const twins = boxes(3);
    twins.each(({ scene }) => (scene.background = new Color(0x335577)));
    const { differingPixels, colors } = compare(renderer, twins, ({ scene }) =>
      withBlackMeshes(scene, () => renderer.render(scene, camera)),
    );
    expect({ differingPixels, colors }).toEqual({ differingPixels: 0, colors: 2 });
  });

  it('as SVG', () => {
    const [plain, octree] = both(boxes(4), (scene) => {
      const svg = new SVGRenderer();
      svg.setSize(EDGE, EDGE);
      svg.render(scene as never, camera);
      return svg.domElement.innerHTML;
    });
    expect(octree).toBe(plain);
    expect(plain.length).toBeGreaterThan(100);
  });
});

describe('what addons read of an OctreeInstances equals what they read of an InstancedMesh', () => {
  it('GLTFExporter', async () => {
    const twins = boxes(5);
    const [plain, octree] = await Promise.all(both(twins, (scene) => new GLTFExporter().parseAsync(scene.children[0])));
    expect(octree).toEqual(plain);
    expect(JSON.stringify(plain)).toContain('EXT_mesh_gpu_instancing');
  });

  it('GLTFExporter, after instances were hidden and deleted: from toInstancedMesh', async () => {
    const { instances } = boxes(6);
    instances.setVisibleAt(3, false).deleteInstance(7);
    const json = (await new GLTFExporter().parseAsync(instances.toInstancedMesh())) as {
      nodes: { extensions: { EXT_mesh_gpu_instancing: { attributes: Record<string, number> } } }[];
      accessors: { count: number }[];
    };
    const { attributes } = json.nodes[0].extensions.EXT_mesh_gpu_instancing;
    expect(Object.values(attributes).map((accessor) => json.accessors[accessor].count)).toEqual(
      Array.from({ length: 4 }, () => COUNT - 2),
    );
  });

  it.each<[string, (scene: Object3D) => unknown]>([
    ['OBJExporter', (scene) => new OBJExporter().parse(scene)],
    ['PLYExporter', (scene) => new PLYExporter().parse(scene, () => undefined)],
    ['STLExporter', (scene) => new STLExporter().parse(scene)],
    [
      'SelectionBox',
      (scene) => {
        const box = new SelectionBox(camera, scene as never);
        const meshes = box.select(new Vector3(-0.5, 0.5, 0.5), new Vector3(0.5, -0.5, 0.5));
        return [meshes.map(({ name }) => name), Object.values(box.instances as object)];
      },
    ],
  ])('%s', (_, use) => {
    const [plain, octree] = both(boxes(7), use);
    expect(octree).toEqual(plain);
  });

  it('WebGLRenderer.compile: the first frame needs no other program', () => {
    const { octree } = boxes(8);
    renderer.compile(octree.scene, camera);
    const { length } = renderer.info.programs!;
    renderer.render(octree.scene, camera);
    expect(renderer.info.programs!.length).toBe(length);
  });
});

describe.each(BACKENDS)('through an OutlineNode of WebGPURenderer with the %s backend', (name, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);

  async function pictureOf({ scene }: Twin, selected: readonly string[]): Promise<Uint32Array> {
    const target = new RenderTarget(EDGE, EDGE);
    const selectedObjects = selected.map((each) => scene.getObjectByName(each)!);
    const { visibleEdge, hiddenEdge } = outlineNode(scene, camera, { selectedObjects });
    const pipeline = new RenderPipeline(get(), pass(scene, camera).add(visibleEdge.add(hiddenEdge) as never));
    get().setRenderTarget(target);
    for (let frame = 0; frame < 2; frame++) pipeline.render();
    const pixels = (await get().readRenderTargetPixelsAsync(target, 0, 0, EDGE, EDGE)) as Uint8Array;
    get().setRenderTarget(null);
    pipeline.dispose();
    target.dispose();
    return new Uint32Array(pixels.slice().buffer);
  }

  it.runIf(isTested)('the picture equals that of an InstancedMesh if another object is selected', async () => {
    const twins = boxes(9);
    const plain = await pictureOf(twins.plain, ['ball']);
    expect(countDifferent(plain, await pictureOf(twins.octree, ['ball']))).toBe(0);
    expect(countDifferent(plain, await pictureOf(twins.plain, []))).toBeGreaterThan(20);
  });

  // The recipe of the guide: the addon knows the objects that are drawn, and those of a container are its views.
  it.runIf(isTested)('a selected instance is outlined if a mesh is drawn in its place', async () => {
    const twins = boxes(10);
    const { mesh, instances } = twins;
    const chosen = 5;
    const stand = new Mesh(instances.geometry, instances.material);
    instances.getMatrixAt(chosen, stand.matrix);
    stand.matrix.setPosition(-15, 4, -4);
    stand.matrixAutoUpdate = false;
    stand.name = 'stand';
    instances.setVisibleAt(chosen, false);
    const plain = stand.clone();
    mesh.setMatrixAt(chosen, plain.matrix.clone().makeScale(0, 0, 0));
    mesh.instanceMatrix.needsUpdate = true;
    twins.plain.group.add(plain);
    twins.octree.group.add(stand);
    const outlined = await pictureOf(twins.octree, ['stand']);
    expect(countDifferent(await pictureOf(twins.plain, ['stand']), outlined)).toBe(0);
    expect(countDifferent(await pictureOf(twins.octree, []), outlined)).toBeGreaterThan(20);
  });
});
