// OcclusionCulling of an OctreeGroup: which passes leave something out, what counts as an occluder in a pass, and what
// may be hidden. The pictures are compared in test/browser/occlusion.test.ts.

import {
  AdditiveBlending,
  AlwaysDepth,
  ArrayCamera,
  BackSide,
  Box3,
  BoxGeometry,
  BufferGeometry,
  DoubleSide,
  FrontSide,
  Group,
  Line,
  LOD,
  Matrix3,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  OrthographicCamera,
  Plane,
  Points,
  Scene,
  ShaderMaterial,
  Sprite,
  Texture,
  Vector3,
  type Material,
} from 'three';
import { modelPosition, mrt, output } from 'three/tsl';
import { describe, expect, it } from 'vitest';
import { addBehind, namesInShadow, occluded, perspective, type Occluded } from '../../support/occluded-scene.ts';
import { nextTask } from '../../support/next-task.ts';

const HIDDEN = ['wall'];
const BOTH = ['small', 'wall'];
/** A part of the wall. */
const box = (x0: number, x1: number): Box3 => new Box3(new Vector3(x0, -9, -0.4), new Vector3(x1, 9, 0.4));

describe('passes', () => {
  it('leave out what stands behind an occluder, of the camera only', () => {
    const { drawn, occlusion, camera } = occluded();
    expect(drawn()).toEqual(HIDDEN);
    expect(occlusion.reason).toBe('');
    expect(occlusion.visible.map(({ name }) => name)).toEqual(['wall']);
    expect(occlusion.occluders.map(({ name }) => name)).toEqual(['wall']);
    expect(occlusion.stats).toMatchObject({ isPaused: false, bodiesHidden: 1, occludersRasterised: 1 });
    expect(drawn(camera.clone())).toEqual(BOTH);
    const beside = perspective(0, 0, -30);
    expect(drawn(beside)).toEqual([]);
    occlusion.camera = beside;
    beside.rotation.y = Math.PI;
    expect(drawn(beside)).toEqual(BOTH);
    expect(occlusion.camera).toBe(beside);
    expect(drawn()).toEqual(BOTH);
  });

  it('of shadow maps, and rays, are as without', () => {
    const { scene, group, camera, drawn } = occluded();
    expect(drawn()).toEqual(HIDDEN);
    expect(namesInShadow(scene, camera).sort()).toEqual(BOTH);
    expect(group.octree.size).toBe(2);
  });

  it.each<[string, string, (scene: Occluded) => object | void]>([
    [
      'the scene overrides the material',
      'the scene overrides',
      ({ scene }) => {
        scene.overrideMaterial = new MeshBasicMaterial();
      },
    ],
    ['the renderer clips', 'the renderer clips', () => ({ clippingPlanes: [new Plane()] })],
    [
      'the pass has motion vectors',
      'motion vectors',
      () => ({
        getMRT: () => ({
          get: () => ({ traverse: (visit: (node: object) => void) => visit({ previousModelWorldMatrix: 1 }) }),
        }),
      }),
    ],
    [
      'the container is in a ClippingGroup',
      'ClippingGroup',
      ({ group, scene }) => {
        const clipping = Object.assign(new Group(), { isClippingGroup: true, enabled: true, clippingPlanes: [] });
        scene.add(clipping.add(group));
      },
    ],
    [
      'the camera is orthographic',
      'orthographic',
      ({ camera }) => {
        const plain = new OrthographicCamera(-30, 30, 30, -30, 0.1, 100);
        camera.projectionMatrix.copy(plain.projectionMatrix);
        camera.projectionMatrixInverse.copy(plain.projectionMatrixInverse);
      },
    ],
    ...[
      [-1, 1],
      [1, -1],
    ].map(([x, y]): [string, string, (scene: Occluded) => void] => [
      `the projection mirrors by ${x}, ${y}`,
      'mirrors',
      ({ camera }) => void camera.projectionMatrix.premultiply(new Matrix4().makeScale(x, y, 1)),
    ]),
    [
      'the view is mirrored by hand',
      'mirrors',
      ({ camera }) => {
        camera.updateMatrixWorld();
        camera.matrixWorldInverse.premultiply(new Matrix4().makeScale(1, -1, 1));
        camera.updateMatrixWorld = () => undefined;
      },
    ],
    [
      'the projection flattens the world',
      'the projection cannot be inverted',
      ({ camera }) => void camera.projectionMatrix.premultiply(new Matrix4().makeScale(1, 0, 1)),
    ],
    ['the renderer draws no opaque objects', 'no opaque objects', () => ({ opaque: false })],
    ['the target has no depths', 'no depth buffer', () => ({ getRenderTarget: () => ({ depthBuffer: false }) })],
    [
      'the canvas has no depths',
      'no depth buffer',
      () => ({ getRenderTarget: () => null, getContextAttributes: () => ({ depth: false }) }),
    ],
    ['the canvas of a WebGPURenderer has no depths', 'no depth buffer', () => ({ depth: false })],
    ['a function draws each object', 'a function of the renderer', () => ({ getRenderObjectFunction: () => () => {} })],
    [
      'a context node changes the output',
      'a context node',
      () => ({ contextNode: { getFlowContextData: () => ({ getOutput: () => null }) } }),
    ],
    ['an output may read the object', 'an output', () => ({ getMRT: () => mrt({ output, id: modelPosition }) })],
    [
      'the camera has several',
      'array of cameras',
      ({ camera }) => {
        Object.assign(camera, { cameras: new ArrayCamera([camera.clone()]).cameras });
      },
    ],
  ])('leave nothing out while %s', (_, reason, change) => {
    const scene = occluded();
    expect(scene.drawn()).toEqual(HIDDEN);
    const renderer = change(scene) ?? {};
    expect(scene.drawn(scene.camera, renderer)).toEqual(BOTH);
    expect(scene.occlusion.reason).toContain(reason);
    expect(scene.occlusion.visible).toEqual([]);
  });

  it('leave nothing out where the renderer, or the scene, is not known', () => {
    const { group, camera, occlusion } = occluded();
    const names = (): string[] => {
      group.updateMatrixWorld();
      group.layers.test(camera.layers);
      return group.children.length > 0 ? [occlusion.reason] : [];
    };
    group.removeFromParent();
    names();
    new Scene().add(group);
    expect(names()).toHaveLength(1);
  });

  it('look through the space of a group that has moved, and follow it', () => {
    const { scene, group, camera, drawn } = occluded();
    const parent = new Group();
    scene.add(parent.add(group));
    for (let k = 0; k < 20; k++) {
      parent.position.set(3 * k, -k, 2 * k);
      parent.rotation.set(0.1 * k, 0.3 * k, 0.05 * k);
      parent.scale.setScalar(1 + 0.1 * k);
      parent.updateMatrixWorld();
      camera.position.set(0, 0, 20).applyMatrix4(parent.matrixWorld);
      camera.quaternion.copy(parent.quaternion);
      expect(drawn()).toEqual(HIDDEN);
      // Beside the wall.
      camera.position.set(19, 0, -4).applyMatrix4(parent.matrixWorld);
      camera.lookAt(new Vector3(0, 0, -10).applyMatrix4(parent.matrixWorld));
      expect(drawn()).toContain('small');
    }
  });

  it('draw what looks large enough only, and an occluder that looks too small hides nothing', () => {
    const { group, camera, wall, drawn } = occluded();
    const dot = new Mesh(new BoxGeometry(0.02, 0.02, 0.02), wall.material);
    dot.name = 'dot';
    dot.position.z = 5;
    group.add(dot);
    expect(drawn()).toEqual(['dot', 'wall']);
    group.minScreenSize = 0.01;
    expect(drawn()).toEqual(HIDDEN);
    // The wall looks smaller than the whole picture, and so does all else.
    camera.position.z = 60;
    group.minScreenSize = 0.9;
    expect(drawn()).toEqual([]);
    group.minScreenSize = 0.01;
    expect(drawn()).toContain('wall');
    expect(drawn()).toEqual(HIDDEN);
  });

  it('switch it off for some frames while it removes too little', () => {
    const { group, occlusion, drawn, small } = occluded({ minRemoved: 0.4 });
    expect(drawn()).toEqual(HIDDEN);
    for (let k = 0; k < 20; k++) {
      const before = new Mesh(small.geometry, small.material);
      before.position.set(k - 10, 0, 8);
      group.add(before);
    }
    occlusion.finish();
    let paused = 0;
    for (let k = 0; k < 60; k++) {
      drawn();
      if (occlusion.stats.isPaused === true) paused++;
    }
    expect(paused).toBeGreaterThan(30);
    expect(occlusion.reason).toContain('switched off');
    expect(drawn()).toContain('small');
  });
});

/** Changes of a wall after which it hides nothing, and back. */
const NO_OCCLUDERS: [string, (wall: Mesh<BufferGeometry, MeshBasicMaterial>) => void, ((wall: Mesh) => void)?][] = [
  ['hidden', (wall) => (wall.visible = false), (wall) => (wall.visible = true)],
  ['on another layer', (wall) => wall.layers.set(3), (wall) => wall.layers.set(0)],
  ['transparent', ({ material }) => (material.transparent = true), restore('transparent', false)],
  ['alpha-tested', ({ material }) => (material.alphaTest = 0.5), restore('alphaTest', 0)],
  ['alpha-hashed', ({ material }) => (material.alphaHash = true), restore('alphaHash', false)],
  ['alpha to coverage', ({ material }) => (material.alphaToCoverage = true), restore('alphaToCoverage', false)],
  ['blended', ({ material }) => (material.blending = AdditiveBlending), restore('blending', 1)],
  ['of an invisible material', ({ material }) => (material.visible = false), restore('visible', true)],
  ['without depth', ({ material }) => (material.depthWrite = false), restore('depthWrite', true)],
  ['without colour', ({ material }) => (material.colorWrite = false), restore('colorWrite', true)],
  ['without depth test', ({ material }) => (material.depthTest = false), restore('depthTest', true)],
  ['with another depth test', ({ material }) => (material.depthFunc = AlwaysDepth), restore('depthFunc', 3)],
  ['with a stencil', ({ material }) => (material.stencilWrite = true), restore('stencilWrite', false)],
  ['with a polygon offset', ({ material }) => (material.polygonOffset = true), restore('polygonOffset', false)],
  ['a wireframe', ({ material }) => (material.wireframe = true), restore('wireframe', false)],
  ['of back faces', ({ material }) => (material.side = BackSide), restore('side', FrontSide)],
  ['clipped', ({ material }) => (material.clippingPlanes = [new Plane()]), restore('clippingPlanes', null)],
  ['drawn with callbacks', (wall) => (wall.onBeforeRender = () => undefined)],
  ['of a render order', (wall) => (wall.renderOrder = 1), (wall) => (wall.renderOrder = 0)],
  ['of several materials', (wall) => Object.assign(wall, { material: [wall.material] })],
  ['of a shader material', (wall) => Object.assign(wall, { material: new ShaderMaterial() })],
  ['transmissive', (wall) => Object.assign(wall, { material: new MeshPhysicalMaterial({ transmission: 1 }) })],
  [
    'displaced',
    (wall) => Object.assign(wall, { material: new MeshStandardMaterial({ displacementMap: new Texture() }) }),
  ],
  [
    'of a draw range',
    ({ geometry }) => geometry.setDrawRange(0, 6),
    ({ geometry }) => geometry.setDrawRange(0, Infinity),
  ],
  ['elsewhere', (wall) => (wall.position.x = 30), (wall) => (wall.position.x = 0)],
  ['flat', (wall) => wall.scale.setScalar(0), (wall) => wall.scale.setScalar(1)],
  ['flat along one axis', (wall) => (wall.scale.z = 0), (wall) => (wall.scale.z = 1)],
  ['with a child', (wall) => wall.add(new Mesh(wall.geometry, wall.material))],
  ['in a LOD', (wall) => wall.parent!.add(new LOD().addLevel(wall, 0))],
  ['removed', (wall) => wall.removeFromParent()],
];

function restore(field: keyof MeshBasicMaterial, value: unknown): (wall: Mesh) => void {
  return ({ material }) => void Reflect.set(material as Material, field, value);
}

describe('an occluder', () => {
  it.each(NO_OCCLUDERS)('that is %s hides nothing in that very frame', async (_, change, undo) => {
    const { wall, drawn, group } = occluded();
    expect(drawn()).toEqual(HIDDEN);
    change(wall);
    expect(drawn()).toContain('small');
    if (undo === undefined) return;
    undo(wall);
    await nextTask();
    drawn();
    expect(drawn()).toEqual(HIDDEN);
    // In a static group, a change of what is drawn is found without a report too.
    group.setStatic(wall);
    await nextTask();
    expect(drawn()).toEqual(HIDDEN);
  });

  it('that was moved after the update of the matrices hides nothing where it was', () => {
    const { wall, drawn, scene } = occluded();
    expect(drawn()).toEqual(HIDDEN);
    scene.onBeforeRender = () => {
      wall.position.x = 30;
      wall.updateMatrixWorld();
    };
    expect(drawn()).toContain('small');
  });

  it('whose matrix was written without a report hides where it is drawn', () => {
    const { wall, drawn, group } = occluded();
    group.setStatic(wall);
    expect(drawn()).toEqual(HIDDEN);
    const update = group.updateMatrixWorld.bind(group);
    group.updateMatrixWorld = (force) => {
      update(force);
      wall.matrixWorld.makeTranslation(30, 0, 0);
    };
    expect(drawn()).toContain('small');
  });

  it('follows its mesh: moved, scaled, turned by right angles', async () => {
    const { wall, small, drawn, group, camera } = occluded();
    const turn = new Group();
    for (const [x, angle] of [
      [5, 0],
      [0, Math.PI],
      [-4, Math.PI / 2],
      [0, -Math.PI / 2],
    ]) {
      wall.position.set(x, 0, 0);
      wall.rotation.set(0, angle, 0);
      wall.scale.set(1, 1.5, 1);
      turn.rotation.y = angle;
      turn.updateMatrixWorld();
      camera.position.set(0, 0, 20).applyMatrix4(turn.matrixWorld).setX(camera.position.x);
      camera.position.set(x, 0, 0).addScaledVector(new Vector3(0, 0, 1).applyMatrix4(turn.matrixWorld), 20);
      camera.rotation.set(0, angle, 0);
      small.position.set(x, 0, 0).addScaledVector(new Vector3(0, 0, -1).applyMatrix4(turn.matrixWorld), 10);
      await nextTask();
      expect(drawn()).toEqual(HIDDEN);
      expect(group.octree.size).toBe(2);
    }
  });

  it('hides with several boxes, turned ones, and those of its geometry; null takes it back', async () => {
    const { wall, drawn, occlusion } = occluded();
    occlusion.setOccluder(wall, null);
    expect(drawn()).toEqual(BOTH);
    occlusion.setOccluder(wall, [box(-9, 0.5), box(-0.5, 9)]).finish();
    expect(drawn()).toEqual(HIDDEN);
    occlusion.setOccluder(wall, box(3, 9)).finish();
    expect(drawn()).toEqual(BOTH);
    const rotation = new Matrix3().set(0, 0, 1, 0, 1, 0, -1, 0, 0);
    occlusion.setOccluder(wall, { center: new Vector3(), halfSize: new Vector3(0.4, 9, 9), rotation }).finish();
    expect(drawn()).toEqual(HIDDEN);
    occlusion.setOccluder(wall, null).setOccluder(wall.geometry, true).finish();
    expect(drawn()).toEqual(BOTH);
    const other = occluded({}, false);
    other.occlusion.setOccluder(other.wall.geometry, true).finish();
    await nextTask();
    expect(other.drawn()).toEqual(HIDDEN);
  });

  it('may be named before it is added, and keeps its name', async () => {
    const { wall, drawn, group, occlusion } = occluded();
    group.remove(wall);
    drawn();
    group.add(wall);
    await nextTask();
    expect(drawn()).toEqual(HIDDEN);
    expect(occlusion.report()).toMatchObject({ occluders: 1, waiting: 0 });
  });

  it('with other vertices hides nothing, unless all of it is solid', async () => {
    const named = occluded();
    named.occlusion.setOccluder(named.wall, new Box3(new Vector3(-9, -9, -0.4), new Vector3(9, 9, 0.4))).finish();
    const whole = occluded();
    for (const { wall, drawn } of [named, whole]) {
      expect(drawn()).toEqual(HIDDEN);
      const { position } = wall.geometry.attributes;
      for (let k = 0; k < position.count; k++) position.setX(k, position.getX(k) * 1.1);
      position.needsUpdate = true;
      await nextTask();
      drawn();
    }
    expect(named.drawn()).toEqual(BOTH);
    expect(whole.drawn()).toEqual(HIDDEN);
  });

  it('in a tree hides, unless an ancestor is hidden', async () => {
    const { wall, drawn, group } = occluded();
    const tree = new Group().add(new Group().add(wall));
    group.addTree(tree);
    await nextTask();
    drawn();
    expect(drawn()).toEqual(HIDDEN);
    tree.visible = false;
    expect(drawn()).toEqual(['small']);
  });
});

describe('what stands behind a wall', () => {
  const behind: [string, () => Mesh | Line | Points | Sprite | Group | LOD, boolean][] = [
    ['a mesh', () => new Mesh(new BoxGeometry(), new MeshBasicMaterial()), true],
    ['a transparent mesh', () => new Mesh(new BoxGeometry(), new MeshBasicMaterial({ transparent: true })), true],
    ['a group of meshes', () => new Group().add(new Mesh(new BoxGeometry(), new MeshBasicMaterial())), true],
    ['an LOD', () => new LOD().addLevel(new Mesh(new BoxGeometry(), new MeshBasicMaterial()), 0), true],
    ['a line', () => new Line(new BoxGeometry()), false],
    ['points', () => new Points(new BoxGeometry()), false],
    ['a sprite', () => new Sprite(), false],
    ['a group with a line', () => new Group().add(new Line(new BoxGeometry())), false],
    [
      'a mesh without depth test',
      () => new Mesh(new BoxGeometry(), new MeshBasicMaterial({ depthTest: false })),
      false,
    ],
    ['a shader', () => new Mesh(new BoxGeometry(), new ShaderMaterial()), false],
    ['a mesh with a render order', () => Object.assign(new Mesh(new BoxGeometry()), { renderOrder: 1 }), false],
    ['a mesh with a callback', () => Object.assign(new Mesh(new BoxGeometry()), { onBeforeRender: () => {} }), false],
    [
      'a morphing mesh',
      () => {
        const geometry = new BoxGeometry();
        geometry.morphAttributes.position = [geometry.attributes.position.clone()];
        return new Mesh(geometry, new MeshBasicMaterial());
      },
      false,
    ],
  ];

  it.each(behind)('%s: hidden %s', async (_, create, isHidden) => {
    const scene = occluded();
    const object = create();
    // Renderers draw the mesh in a group under its own name.
    for (const child of object.children) child.name = 'added';
    addBehind(scene, object, 'added');
    await nextTask();
    scene.drawn();
    expect(scene.drawn().includes('added')).toBe(!isHidden);
  });

  it('is drawn once its material, or it, can be seen through walls', async () => {
    const { small, drawn, occlusion } = occluded();
    expect(drawn()).toEqual(HIDDEN);
    small.material.depthTest = false;
    expect(drawn()).toEqual(BOTH);
    small.material.depthTest = true;
    expect(drawn()).toEqual(HIDDEN);
    small.renderOrder = 2;
    drawn();
    expect(drawn()).toEqual(BOTH);
    expect(occlusion.report().alwaysDrawn).toBe(1);
    small.renderOrder = 0;
    drawn();
    drawn();
    expect(drawn()).toEqual(HIDDEN);
  });

  it('is culled by the frustum, if there is much that is always drawn', async () => {
    const scene = occluded();
    const { group, drawn } = scene;
    const material = new MeshBasicMaterial({ depthTest: false });
    for (let k = 0; k < 200; k++) {
      const mesh = new Mesh(new BoxGeometry(), material);
      mesh.position.set(0, 0, k < 100 ? -10 - k : 30 + k);
      mesh.name = 'x-ray';
      group.add(mesh);
    }
    await nextTask();
    expect(drawn().filter((name) => name === 'x-ray')).toHaveLength(100);
    expect(drawn()).not.toContain('small');
  });
});

describe('solid parts', () => {
  it('end when triangles are taken out of the index, and auto is asked again', async () => {
    const asked: number[] = [];
    const { wall, drawn, occlusion } = occluded(
      {
        auto: ({ geometry, name }) => {
          if (name === 'small') return null;
          asked.push(geometry.index!.count);
          return geometry.index!.count === 36 ? box(-9, 9) : null;
        },
      },
      false,
    );
    const frame = async (): Promise<string[]> => {
      await nextTask();
      return drawn();
    };
    expect(drawn()).toEqual(HIDDEN);
    wall.geometry.setIndex([...wall.geometry.index!.array].slice(0, 24));
    for (let k = 0; k < 3; k++) expect(await frame()).toEqual(BOTH);
    expect(asked).toContain(24);
    occlusion.setOccluder(wall, box(-9, 9));
    expect(await frame()).toEqual(HIDDEN);
    wall.geometry.index!.needsUpdate = true;
    for (let k = 0; k < 3; k++) expect(await frame()).toEqual(BOTH);
  });

  it('are found anew for another side of the material, also of meshes that share a geometry', async () => {
    const { group, wall, drawn } = occluded(
      { auto: (mesh) => (mesh.name === 'small' || (mesh.material as Material).side === FrontSide ? null : box(-9, 9)) },
      false,
    );
    const frame = async (): Promise<string[]> => {
      await nextTask();
      return drawn();
    };
    expect(await frame()).toEqual(BOTH);
    const double = new Mesh(wall.geometry, new MeshBasicMaterial({ side: DoubleSide }));
    double.name = 'wall';
    group.remove(wall).add(double);
    await frame();
    expect(await frame()).toEqual(HIDDEN);
    double.material.side = FrontSide;
    for (let k = 0; k < 3; k++) expect(await frame()).toEqual(BOTH);
  });

  it('are not looked for in an array of materials with gaps, which three draws', () => {
    const { small, drawn } = occluded();
    small.material = [small.material, null, undefined] as never;
    expect(drawn()).toEqual(HIDDEN);
  });
});
