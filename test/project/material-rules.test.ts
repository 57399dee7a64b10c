// Every trait of a material x every rule about materials: which rules refuse it, and in which words.

import {
  AdditiveBlending,
  AlwaysDepth,
  BackSide,
  BoxGeometry,
  DoubleSide,
  EqualDepth,
  LessDepth,
  Material,
  Mesh,
  MeshBasicMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  NeverDepth,
  NoBlending,
  ObjectSpaceNormalMap,
  Plane,
  ShaderMaterial,
  Texture,
} from 'three';
import * as core from 'three';
import { MeshStandardNodeMaterial } from 'three/webgpu';
import { float } from 'three/tsl';
import { describe, expect, it } from 'vitest';
import { solidSideOf } from '../../src/three.ts';
import { MaterialTraits, showsOrder } from '../../src/batches/mergeable.ts';
import { SharedMaterials } from '../../src/batches/shared-materials.ts';
import { MaterialRecord, mayCast } from '../../src/three/detector/material-record.ts';
import { Textures } from '../../src/three/detector/texture-record.ts';
import {
  BREAKS_DEPTH,
  BREAKS_WEBGPU_DEPTH,
  materialHideableFault,
  materialOccluderFault,
} from '../../src/occlusion/culling/occluder-rules.ts';
import { fieldTraitsOf, reasonOf, refusesBox, SHOWS_ORDER, traitsOf } from '../../src/three/bounds/material-traits.ts';
import { createRandom } from '../support/random.ts';
import { NODE_MATERIALS } from '../support/node-materials.ts';

/** Materials are not drawn as one. */
const ALONE = new SharedMaterials(false, () => true);

const texture = new Texture();
const geometry = new BoxGeometry();
const noop = (): void => undefined;

/**
 * What the rules say about a material: `box` no bounds by its vertex box, `batch` not merged, `show` shows the order of
 * opaque meshes, `hide` never hidden, `deep` and `gpu` break depth (`gpu` on WebGPU only), `solid` hides nothing on
 * WebGPU, `gl` neither on WebGL, `order` instances are drawn in the order of ids, `caster` its shadows may change at
 * any time; and the side that hides.
 */
function verdictOf(material: Material): string {
  const hideable = materialHideableFault(material);
  const levels = [new Mesh(geometry, material)];
  const refused: [string, boolean][] = [
    ['box', refusesBox(material)],
    ['batch', new MaterialTraits(material, ALONE).fault !== null],
    ['show', showsOrder(material)],
    ['hide', hideable !== null && hideable !== BREAKS_DEPTH && hideable !== BREAKS_WEBGPU_DEPTH],
    ['deep', hideable === BREAKS_DEPTH],
    ['gpu', hideable === BREAKS_WEBGPU_DEPTH],
    ['solid', materialOccluderFault(material) !== null],
    ['gl', materialOccluderFault(material, false) !== null],
    ['order', levels.some(({ material }) => (fieldTraitsOf(material) & SHOWS_ORDER) !== 0)],
    ['caster', new MaterialRecord(material, new Textures()).isUnknownCaster],
  ];
  const names = refused.filter(([, is]) => is).map(([name]) => name);
  return [...names, solidSideOf({ geometry, material }) ?? 'none'].join(' ');
}

class OwnClass extends MeshStandardNodeMaterial {
  season = 'summer';
}
class OwnSetup extends MeshStandardNodeMaterial {
  override setupOutput(): never {
    throw new Error('not called');
  }
}
class OwnVertices extends MeshStandardNodeMaterial {
  override setupPosition(): never {
    throw new Error('not called');
  }
}
const Standard = MeshStandardMaterial;
const NodeStandard = MeshStandardNodeMaterial;

/** A material, what the rules say, and its traits in words. */
const TABLE: [string, () => Material, string, string?][] = [
  ['usual', () => new Standard(), 'front'],
  ['uniforms', () => new Standard({ color: 3, opacity: 0.5, map: texture, polygonOffsetFactor: 2 }), 'front'],
  ['no blending', () => new Standard({ blending: NoBlending }), 'front'],
  ['transparent', () => new Standard({ transparent: true }), 'batch solid gl order none', 'transparent: drawn by'],
  ['transmission', () => new MeshPhysicalMaterial({ transmission: 0.1 }), 'batch solid gl order none', 'transmission:'],
  ['invisible', () => new Standard({ visible: false }), 'batch solid gl none', 'an invisible material'],
  [
    'invisible, without a depth test',
    () => new Standard({ visible: false, depthTest: false }),
    'batch hide solid gl order none',
    'an invisible',
  ],
  ['blending', () => new Standard({ blending: AdditiveBlending }), 'batch show deep solid gl order none', 'blending:'],
  [
    'blending, transparent',
    () => new Standard({ blending: AdditiveBlending, transparent: true }),
    'batch solid gl order none',
    'transparent',
  ],
  [
    'blending, without depth',
    () => new Standard({ blending: AdditiveBlending, depthWrite: false }),
    'batch show solid gl order none',
    'blending',
  ],
  ['no colour', () => new Standard({ colorWrite: false }), 'batch show deep solid gl none', 'no colour'],
  ['no depth test', () => new Standard({ depthTest: false }), 'batch show gpu solid gl order none', 'no depth test'],
  ['no depth', () => new Standard({ depthWrite: false }), 'batch show solid gl order none', 'no depth is written'],
  [
    'neither depth nor test',
    () => new Standard({ depthWrite: false, depthTest: false }),
    'batch show hide solid gl order none',
    'no depth test',
  ],
  ['LessDepth', () => new Standard({ depthFunc: LessDepth }), 'batch show order front', 'LessDepth'],
  [
    'EqualDepth',
    () => new Standard({ depthFunc: EqualDepth }),
    'batch show hide solid gl order none',
    'a depth test for equal depths',
  ],
  [
    'NeverDepth',
    () => new Standard({ depthFunc: NeverDepth }),
    'batch show hide solid gl order none',
    'a depth test for equal',
  ],
  [
    'AlwaysDepth',
    () => new Standard({ depthFunc: AlwaysDepth }),
    'batch show deep solid gl order none',
    'a depth test for farther depths',
  ],
  ['stencil', () => new Standard({ stencilWrite: true }), 'batch show hide solid gl order none', 'a stencil'],
  ['offset', () => new Standard({ polygonOffset: true }), 'hide solid gl none', 'a polygon offset'],
  ['wireframe', () => new Standard({ wireframe: true }), 'batch hide solid gl none', 'wireframe'],
  ['alphaTest', () => new Standard({ alphaTest: 0.5 }), 'solid gl none', 'an alpha test'],
  ['alphaMap', () => new Standard({ alphaMap: texture }), 'none', 'an alpha map'],
  ['alphaHash', () => new Standard({ alphaHash: true }), 'batch solid gl none', 'alphaHash'],
  ['coverage', () => new Standard({ alphaToCoverage: true }), 'batch solid gl order none', 'alphaToCoverage'],
  ['clipped', () => new Standard({ clippingPlanes: [new Plane()] }), 'solid gl none', 'clipping planes'],
  ['no planes', () => new Standard({ clippingPlanes: [] }), 'front'],
  ['ShaderMaterial', () => new ShaderMaterial(), 'box batch hide solid gl caster none', 'shader code'],
  [
    'onBeforeCompile',
    () => Object.assign(new Standard(), { onBeforeCompile: noop }),
    'box batch hide solid gl caster none',
    'shader code',
  ],
  [
    'onBeforeRender',
    () => Object.assign(new Standard(), { onBeforeRender: noop }),
    'box batch hide solid gl none',
    'a callback of the material',
  ],
  [
    'displacement',
    () => new Standard({ displacementMap: texture }),
    'box batch hide solid gl none',
    'vertices that a shader moves',
  ],
  ['normals', () => new Standard({ normalMap: texture }), 'front'],
  [
    'normals of the object',
    () => new Standard({ normalMap: texture, normalMapType: ObjectSpaceNormalMap }),
    'batch front',
    'a normal map in the space of the object',
  ],
  ['vertex colours', () => new Standard({ vertexColors: true }), 'front', 'vertex colours'],
  ['back', () => new Standard({ side: BackSide }), 'solid gl back', 'only back faces'],
  ['double', () => new Standard({ side: DoubleSide }), 'double', 'both faces'],
  ['a function', () => Object.assign(new Standard(), { log: noop }), 'solid none', 'fields that are functions'],
  ['a node', () => Object.assign(new Standard(), { maskNode: float(1) }), 'batch solid caster none', 'shader nodes'],
  [
    'a node that moves',
    () => Object.assign(new Standard(), { positionNode: float(1) }),
    'box batch hide solid gl caster none',
    'vertices that a shader moves',
  ],
  ['a node material', () => new NodeStandard(), 'caster front', 'a node material'],
  [
    'a depth node',
    () => Object.assign(new NodeStandard(), { depthNode: float(1) }),
    'batch hide solid gl caster none',
    'a node material',
  ],
  ['an own class', () => new OwnClass(), 'hide solid gl caster none', 'a node material'],
  ['an own setup', () => new OwnSetup(), 'batch hide solid gl caster none', 'a node material'],
  ['own vertices', () => new OwnVertices(), 'box batch hide solid gl caster none', 'vertices that a shader moves'],
];

describe('the rules about materials', () => {
  it.each(TABLE)('%s', (_, create, verdict, reason) => {
    const material = create();
    expect(verdictOf(material)).toBe(verdict);
    if (reason === undefined) expect(reasonOf(traitsOf(material))).toBeNull();
    else expect(reasonOf(traitsOf(material))).toMatch(new RegExp(`^${reason}`));
  });

  it('have a material in the table for each trait, and a sentence that begins as no other', () => {
    let all = 0;
    for (const [, create] of TABLE) all |= traitsOf(create());
    expect(all).toBe(0x7fffffff);
    const reasons = Array.from({ length: 31 }, (_, bit) => reasonOf(1 << bit));
    expect(new Set(reasons).size).toBe(31);
    expect(reasonOf(0)).toBeNull();
  });

  it('of several materials, of which some are missing, are those of any', () => {
    const glass = new MeshBasicMaterial({ transparent: true });
    const moving = new MeshStandardMaterial({ displacementMap: texture });
    expect(traitsOf([glass, undefined as never, moving])).toBe(traitsOf(glass) | traitsOf(moving));
    expect([traitsOf(null), traitsOf(undefined), traitsOf([])]).toEqual([0, 0, 0]);
  });
});

describe('histories of one material', () => {
  /** Each field with values; the first is the usual one. */
  const fields: [string, readonly unknown[]][] = [
    ['transparent', [false, true]],
    ['visible', [true, false]],
    ['blending', [1, 0, 2]],
    ['colorWrite', [true, false]],
    ['depthTest', [true, false]],
    ['depthWrite', [true, false]],
    ['depthFunc', [3, 1, 2, 4]],
    ['stencilWrite', [false, true]],
    ['polygonOffset', [false, true]],
    ['wireframe', [false, true]],
    ['alphaTest', [0, 0.5]],
    ['alphaMap', [null, texture]],
    ['alphaHash', [false, true]],
    ['alphaToCoverage', [false, true]],
    ['clippingPlanes', [null, [], [new Plane()]]],
    ['onBeforeCompile', [Reflect.get(Material.prototype, 'onBeforeCompile'), noop]],
    ['onBeforeRender', [Reflect.get(Material.prototype, 'onBeforeRender'), noop]],
    ['displacementMap', [null, texture]],
    ['normalMap', [null, texture]],
    ['normalMapType', [0, 1]],
    ['side', [0, 1, 2]],
    ['vertexColors', [false, true]],
    ['maskNode', [null, float(1)]],
    ['positionNode', [null, float(1)]],
    ['depthNode', [null, float(1)]],
  ];

  it.each([MeshStandardMaterial, MeshPhysicalMaterial, MeshStandardNodeMaterial, OwnClass])(
    'of %o: its word is that of a new material with the same fields, after each of 300 changes',
    (Class) => {
      const random = createRandom(7);
      const material = new Class();
      const values: Record<string, unknown> = {};
      for (let step = 0; step < 300; step++) {
        const [name, choices] = fields[Math.floor(random.next() * fields.length)];
        values[name] = choices[Math.floor(random.next() ** 2 * choices.length)];
        Object.assign(material, { [name]: values[name] });
        // With a new version only: whether a method is set, and whether a node is removed.
        if (/^on|Node$/.test(name)) material.needsUpdate = true;
        const fresh = Object.assign(new Class(), values);
        expect([step, name, traitsOf(material)]).toEqual([step, name, traitsOf(fresh)]);
        expect(verdictOf(material)).toBe(verdictOf(fresh));
      }
    },
  );
});

describe('mayCast', () => {
  const classes = Object.entries(core).filter(([name]) => /.Material$/.test(name)) as [string, new () => Material][];
  const known = new Set(classes.flatMap(([, Class]) => Object.keys(new Class())));
  /** Those of three that change no shadow map. Whether a new one does has to be decided here. */
  const UNSHADOWED =
    'anisotropyMap anisotropyRotation aoMap aoMapIntensity attenuationColor attenuationDistance blendAlpha blendColor blendDst blendDstAlpha blendEquation blendEquationAlpha blendSrc blendSrcAlpha blending bumpMap bumpScale clearcoatMap clearcoatNormalMap clearcoatNormalScale clearcoatRoughness clearcoatRoughnessMap color colorWrite combine defines depthFunc depthTest depthWrite dithering emissive emissiveIntensity emissiveMap envMap envMapIntensity envMapRotation flatShading fog gradientMap ior iridescenceIOR iridescenceMap iridescenceThicknessMap iridescenceThicknessMaximum iridescenceThicknessMinimum iridescenceThicknessRange lightMap lightMapIntensity matcap metalness metalnessMap normalMap normalMapType normalScale premultipliedAlpha reflectivity refractionRatio roughness roughnessMap sheenColor sheenColorMap sheenRoughness sheenRoughnessMap shininess specular specularColor specularColorMap specularIntensity specularIntensityMap specularMap stencilFail stencilFunc stencilFuncMask stencilRef stencilWrite stencilWriteMask stencilZFail stencilZPass thickness thicknessMap toneMapped transmission transmissionMap vertexColors _anisotropy _clearcoat _dispersion _iridescence _sheen _transmission';

  it('is false for the fields of three that change no shadow map', () => {
    expect(classes.length).toBeGreaterThan(15);
    const names = new Set([...known, ...UNSHADOWED.split(' ')]);
    expect(Array.from(names, (name) => `${name} ${mayCast(name)}`).sort()).toEqual(
      Array.from(names, (name) => `${name} ${!UNSHADOWED.split(' ').includes(name)}`).sort(),
    );
  });

  it('is true for a name that three does not have, or that is a node', () => {
    const nodes = NODE_MATERIALS.flatMap(([Class]) => Object.keys(new Class()).filter((name) => name.endsWith('Node')));
    for (const name of ['season', 'uniforms', 'version', ...nodes]) expect([name, mayCast(name)]).toEqual([name, true]);
  });

  it('tells nothing of fields that change no picture', () => {
    for (const name of ['uuid', 'name', 'userData', '_listeners']) {
      const material = new MeshBasicMaterial();
      Object.assign(material, { [name]: { a: 1 } });
      const record = new MaterialRecord(material, new Textures());
      Object.assign(material, { [name]: { a: 2 } });
      expect([name, record.takeChange(~0)]).toEqual([name, 0]);
    }
  });
});
