// Code in a renderer that decides for each object: functions that draw objects, outputs that read them, functions that
// sort them. With batches and occlusion culling the picture is that of a plain Group, and both say why they stand back.

import {
  AmbientLight,
  BoxGeometry,
  Color,
  DirectionalLight,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  NearestFilter,
  PerspectiveCamera,
  RenderTarget,
  Scene,
  type Object3D,
} from 'three';
import { outline } from 'three/addons/tsl/display/OutlineNode.js';
import { retroPass } from 'three/addons/tsl/display/RetroPassNode.js';
import {
  context,
  Fn,
  If,
  Discard,
  metalness,
  modelPosition,
  mrt,
  normalView,
  objectPosition,
  output,
  packNormalToRGB,
  pass,
  positionGeometry,
  positionLocal,
  screenCoordinate,
  toonOutlinePass,
  uniform,
  userData,
  uv,
  vec4,
  velocity,
} from 'three/tsl';
import { RenderPipeline, type Node, type WebGPURenderer } from 'three/webgpu';
import { describe, expect, it } from 'vitest';
import { OcclusionCulling, OctreeGroup, StaticBatches } from '../../src/three.ts';
import { createRandom } from '../support/random.ts';
import { sampleFrom } from '../support/sampled.ts';
import { readPicture, useRenderer } from '../support/three-pictures.ts';
import { nextFrame, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const EDGE = 64;
const COUNT = 120;
const box = new BoxGeometry(1, 1, 1);

interface Town {
  readonly scene: Scene;
  readonly group: Group;
  readonly camera: PerspectiveCamera;
  readonly batches: StaticBatches | null;
  readonly occlusion: OcclusionCulling | null;
}

/** Boxes before and behind a wall, which is the first child. With batches and occlusion culling in an OctreeGroup. */
function townOf(group: Group): Town {
  const random = createRandom(7);
  const colors = [0xff8800, 0x2288ff, 0x88dd44];
  const materials = colors.map((color) => new MeshLambertMaterial({ color }));
  for (let k = 0; k <= COUNT; k++) {
    const mesh = new Mesh(box, materials[k % 3]);
    if (k === 0) mesh.scale.set(24, 24, 1);
    else
      mesh.position.set(
        random.between(-14, 14),
        random.between(-9, 9),
        random.between(k < 30 ? 1 : -25, k < 30 ? 6 : -2),
      );
    mesh.userData = { id: k / COUNT, order: { layer: k % 5 } };
    group.add(mesh);
  }
  const scene = new Scene().add(group, new AmbientLight(0xffffff, 1), new DirectionalLight(0xffffff, 2));
  scene.background = new Color(0x334455);
  const camera = new PerspectiveCamera(60, 1, 0.1, 100);
  camera.position.set(3, 0, 16);
  camera.updateMatrixWorld();
  const octree = group instanceof OctreeGroup ? group : null;
  if (octree === null) return { scene, group, camera, batches: null, occlusion: null };
  for (const child of group.children) octree.setStatic(child);
  const batches = new StaticBatches(octree).finish();
  const occlusion = new OcclusionCulling(octree, camera, { minRemoved: 0 });
  return { scene, group, camera, batches, occlusion: occlusion.setOccluder(group.children[0], true).finish() };
}

type Draw = (renderer: WebGPURenderer, town: Town) => void;

const tagged = (object: Object3D): boolean => (object.userData as { id: number }).id > 0.5;

/** Sets a function of the renderer while it draws. */
function byFunction(renderer: WebGPURenderer, { scene, camera }: Town, isDrawn: (object: Object3D) => boolean): void {
  renderer.setRenderObjectFunction((object, ...rest) => {
    if (isDrawn(object)) renderer.renderObject(object, ...rest);
  });
  renderer.render(scene, camera);
  renderer.setRenderObjectFunction(null);
}

function byOutput(node: Node): Draw {
  return (renderer, { scene, camera }) => {
    renderer.setMRT(mrt({ output, second: node }));
    renderer.render(scene, camera);
    renderer.setMRT(null);
  };
}

/** The result of a pipeline. */
function byPipeline(nodeOf: (town: Town) => Node): Draw {
  return (renderer, town) => {
    const pipeline = new RenderPipeline(renderer, nodeOf(town));
    pipeline.render();
    pipeline.dispose();
  };
}

/** Nothing but the wall and what stands before it is opaque: what is behind it can be seen, without it. */
const byOpaque: Draw = (renderer, { scene, camera, group }) => {
  for (const child of group.children.slice(30) as Mesh<BoxGeometry, MeshLambertMaterial>[])
    if (!child.material.transparent) child.material = glass;
  renderer.opaque = false;
  renderer.render(scene, camera);
  renderer.opaque = true;
};
const glass = new MeshLambertMaterial({ color: 0xffffff, transparent: true });

const idOf = uniform(0).onObjectUpdate(({ object }) => (object!.userData as { id: number }).id);

/** How a frame is drawn, and the reason why batches and occlusion culling stand back. */
const DRAWS: [string, Draw, RegExp][] = [
  ['a function that draws some objects', (r, town) => byFunction(r, town, tagged), /a function/],
  [
    'a function that draws what is no Mesh of a batch',
    (r, town) => byFunction(r, town, (o) => o.parent !== null),
    /a function/,
  ],
  ['an output with a uniform of the object', byOutput(vec4(idOf)), /an output/],
  ['an output with modelPosition', byOutput(vec4(modelPosition.mul(0.05).add(0.5), 1)), /an output/],
  [
    'an output with the place of an object',
    byOutput(vec4(objectPosition(new Mesh()).mul(0).add(modelPosition.mul(0.04)), 1)),
    /an output/,
  ],
  ['an output with userData', byOutput(vec4(userData('id', 'float') as unknown as Node<'float'>)), /an output/],
  ['an output with positionLocal', byOutput(vec4(positionLocal.add(0.5), 1)), /an output/],
  ['an output with positionGeometry', byOutput(vec4(positionGeometry.add(0.5), 1)), /an output/],
  ['an output with texture coordinates', byOutput(vec4(uv(), 0, 1)), /an output/],
  ['an output of a function', byOutput(Fn(() => vec4(modelPosition.mul(0.05).add(0.5), 1))()), /an output/],
  [
    'an output that discards',
    byOutput(
      Fn(() => {
        If(screenCoordinate.x.mod(4).lessThan(2), () => Discard());
        return vec4(1);
      })(),
    ),
    /an output/,
  ],
  [
    'a context node that discards',
    (renderer, { scene, camera }) => {
      const before = renderer.contextNode;
      renderer.contextNode = context({
        getOutput: (node: Node) =>
          Fn(() => {
            If(screenCoordinate.x.mod(4).lessThan(2), () => Discard());
            return node;
          })(),
      });
      renderer.render(scene, camera);
      renderer.contextNode = before;
    },
    /a context node/,
  ],
  [
    'OutlineNode',
    byPipeline(({ scene, camera, group }) => {
      const node = outline(scene, camera, { selectedObjects: group.children.filter((_, k) => k % 9 === 4) });
      return vec4(node.visibleEdge.mul(4), node.hiddenEdge.mul(4), 0, 1);
    }),
    /a function/,
  ],
  ['RetroPassNode', byPipeline(({ scene, camera }) => retroPass(scene, camera)), /a function/],
  ['toonOutlinePass', byPipeline(({ scene, camera }) => toonOutlinePass(scene, camera)), /a function/],
];

/** Pixels of each output that differ between two towns. */
const differing = ([plain, octree]: Uint32Array[][]): number[] =>
  plain.map((picture, at) => picture.reduce((sum, pixel, k) => sum + Number(pixel !== octree[at][k]), 0));

const createTowns = (): Town[] => [new Group(), new OctreeGroup()].map(townOf);

describe('WebGPURenderer', () => {
  // What is tested does not depend on the backend, and this one is faster in software.
  const { get } = useWebGPURenderer('WebGL', true);
  const shared = createTowns();

  async function picturesOf(
    draw: Draw,
    count = 2,
    towns = shared,
  ): Promise<{ pictures: Uint32Array[][]; octree: Town }> {
    const renderer = get();
    const pictures: Uint32Array[][] = [];
    for (const town of towns) {
      const target = new RenderTarget(EDGE, EDGE, { count, magFilter: NearestFilter });
      target.textures.forEach((texture, k) => (texture.name = ['output', 'second'][k]));
      for (let frame = 0; frame < 2; frame++) {
        await nextFrame();
        renderer.setRenderTarget(target);
        draw(renderer, town);
        renderer.setRenderTarget(null);
      }
      const list: Uint32Array[] = [];
      for (let k = 0; k < count; k++) {
        const pixels = (await renderer.readRenderTargetPixelsAsync(target, 0, 0, EDGE, EDGE, k)) as Uint8Array;
        list.push(new Uint32Array(pixels.slice().buffer));
      }
      pictures.push(list);
      target.dispose();
    }
    return { pictures, octree: towns[1] };
  }

  it.each(sampleFrom(DRAWS, 2))('%s', async (title, draw, reason) => {
    const { pictures, octree } = await picturesOf(draw, title.startsWith('an output') ? 2 : 1);
    for (const picture of pictures[0]) expect(new Set(picture).size).toBeGreaterThan(1);
    expect(differing(pictures)).toEqual(pictures[0].map(() => 0));
    expect(octree.batches!.reason).toMatch(reason);
    expect(octree.occlusion!.reason).toMatch(reason);
  });

  it('draws batches, and hides, with outputs that all objects have', async () => {
    const draw = byOutput(vec4(packNormalToRGB(normalView), metalness));
    const { pictures, octree } = await picturesOf(draw);
    expect(octree.batches!.reason).toBe('');
    expect(octree.batches!.ranges.length).toBeGreaterThan(0);
    expect(octree.occlusion!.reason).toBe('');
    expect(Math.max(...differing(pictures))).toBeLessThan(EDGE);
    const moving = await picturesOf(byOutput(velocity));
    expect(moving.octree.batches!.reason).toBe('');
  });

  it.each<[string, Draw]>([
    ['opaque = false', byOpaque],
    [
      'a pass with opaque = false',
      (renderer, town) => {
        const draw = byPipeline(({ scene, camera }) => Object.assign(pass(scene, camera), { opaque: false }));
        byOpaque({ render: () => draw(renderer, town) } as never, town);
      },
    ],
  ])('shows what stands behind walls with %s', async (_, draw) => {
    const { pictures, octree } = await picturesOf(draw, 1, createTowns());
    expect(differing(pictures)).toEqual([0]);
    expect(pictures[0][0].filter((pixel) => pixel !== pictures[0][0][0]).length).toBeGreaterThan(300);
    expect(octree.occlusion!.reason).toMatch(/no opaque objects/);
  });

  it('shows what stands behind a classic material with a mask node, as three does', async () => {
    const holes = new MeshBasicMaterial({ color: 0x808080 });
    Reflect.set(holes, 'maskNode', screenCoordinate.x.mod(4).lessThan(2));
    const towns = createTowns();
    for (const { group } of towns) (group.children[0] as Mesh).material = holes;
    const { pictures } = await picturesOf((renderer, { scene, camera }) => renderer.render(scene, camera), 1, towns);
    expect(differing(pictures)[0]).toBeLessThan(EDGE);
  });

  it('gives sort functions the user data of members', async () => {
    const renderer = get();
    const seen = new Set<unknown>();
    const byLayer = (a: { object: Object3D }, b: { object: Object3D }): number => {
      seen.add(a.object);
      return layerOf(a.object) - layerOf(b.object);
    };
    renderer.setOpaqueSort(byLayer as never);
    renderer.setTransparentSort(byLayer as never);
    const { pictures } = await picturesOf((_, { scene, camera }) => renderer.render(scene, camera), 1);
    renderer.setOpaqueSort(null);
    renderer.setTransparentSort(null);
    expect(seen.size).toBeGreaterThan(COUNT / 4);
    expect(differing(pictures)[0]).toBeLessThan(EDGE);
  });
});

const layerOf = (object: Object3D): number => (object.userData as { order: { layer: number } }).order.layer;

describe('WebGLRenderer', () => {
  const renderer = useRenderer();

  it('gives sort functions the user data of members, merged and instanced', () => {
    for (const each of ['merged', 'instanced']) {
      const pictures = [new Group(), new OctreeGroup()].map((group) => {
        if (each === 'instanced') for (let k = 0; k < 300; k++) group.add(small(k));
        const { scene, camera } = townOf(group);
        renderer.setOpaqueSort((a, b) => {
          // Code may also write them.
          a.object.userData = { ...a.object.userData, isSorted: true };
          return layerOf(a.object) - layerOf(b.object);
        });
        return readPicture(renderer, () => renderer.render(scene, camera));
      });
      renderer.setOpaqueSort(null);
      expect(pictures[0].filter((pixel, k) => pixel !== pictures[1][k]).length).toBeLessThan(128);
    }
  });
});

const red = new MeshBasicMaterial({ color: 0xff0000 });
function small(k: number): Mesh {
  const mesh = new Mesh(box, red);
  mesh.position.set((k % 20) - 10, Math.floor(k / 20) - 8, 8);
  mesh.scale.setScalar(0.5);
  mesh.userData = { id: 0, order: { layer: 3 } };
  return mesh;
}
