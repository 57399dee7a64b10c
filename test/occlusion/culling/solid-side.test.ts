import {
  AdditiveBlending,
  AlwaysDepth,
  BackSide,
  BoxGeometry,
  DoubleSide,
  ExtrudeGeometry,
  Mesh,
  MeshBasicMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  Plane,
  PlaneGeometry,
  Points,
  ShaderMaterial,
  Shape,
  SkinnedMesh,
  Texture,
  Vector3,
  type Material,
} from 'three';
import { MeshBasicNodeMaterial } from 'three/webgpu';
import { float } from 'three/tsl';
import { describe, expect, it } from 'vitest';
import { solidBoxes } from '../../../src/core.ts';
import { solidBoxesOf, solidSideOf } from '../../../src/three.ts';

const geometry = new BoxGeometry();
const sideOf = (material: Material | Material[]): string | null => solidSideOf(new Mesh(geometry, material));

describe('solidSideOf', () => {
  it('is the side of an opaque material', () => {
    expect(sideOf(new MeshBasicMaterial())).toBe('front');
    expect(sideOf(new MeshStandardMaterial({ side: BackSide, map: new Texture(), opacity: 0.5 }))).toBe('back');
    expect(sideOf(new MeshPhysicalMaterial({ side: DoubleSide, clearcoat: 1 }))).toBe('double');
    expect(sideOf(new MeshBasicNodeMaterial())).toBe('front');
    expect(solidSideOf({ geometry, material: new MeshBasicMaterial() })).toBe('front');
  });

  it.each([
    ['transparent', new MeshBasicMaterial({ transparent: true })],
    ['tested for alpha', new MeshBasicMaterial({ alphaTest: 0.5 })],
    ['alpha hash', new MeshBasicMaterial({ alphaHash: true })],
    ['alpha to coverage', new MeshBasicMaterial({ alphaToCoverage: true })],
    ['an alpha map', new MeshBasicMaterial({ alphaMap: new Texture() })],
    ['transmission', new MeshPhysicalMaterial({ transmission: 0.1 })],
    ['blending', new MeshBasicMaterial({ blending: AdditiveBlending })],
    ['hidden', new MeshBasicMaterial({ visible: false })],
    ['no colour', new MeshBasicMaterial({ colorWrite: false })],
    ['no depth', new MeshBasicMaterial({ depthWrite: false })],
    ['no depth test', new MeshBasicMaterial({ depthTest: false })],
    ['another depth test', new MeshBasicMaterial({ depthFunc: AlwaysDepth })],
    ['an offset', new MeshBasicMaterial({ polygonOffset: true })],
    ['a stencil', new MeshBasicMaterial({ stencilWrite: true })],
    ['a wireframe', new MeshBasicMaterial({ wireframe: true })],
    ['clipped', new MeshBasicMaterial({ clippingPlanes: [new Plane(new Vector3(1, 0, 0))] })],
    ['displaced', new MeshStandardMaterial({ displacementMap: new Texture() })],
    ['a shader', new ShaderMaterial()],
    ['changed code', Object.assign(new MeshBasicMaterial(), { onBeforeCompile: () => undefined })],
    ['a callback', Object.assign(new MeshBasicMaterial(), { onBeforeRender: () => undefined })],
    ['a node', Object.assign(new MeshBasicNodeMaterial(), { opacityNode: float(0.5) })],
  ] as const)('is null with %s', (_, material) => {
    expect(sideOf(material)).toBeNull();
  });

  it('is null for skins, morph targets, callbacks, and what is no mesh', () => {
    const material = new MeshBasicMaterial();
    expect(solidSideOf(new SkinnedMesh(geometry, material))).toBeNull();
    expect(solidSideOf(Object.assign(new Mesh(geometry, material), { onBeforeRender: () => undefined }))).toBeNull();
    expect(solidSideOf(new Points(geometry, material) as never)).toBeNull();
    const morphing = new BoxGeometry();
    morphing.morphAttributes.position = [morphing.attributes.position.clone()];
    expect(solidSideOf(new Mesh(morphing, material))).toBeNull();
  });

  it('of several materials is the one that all of them show, if they cover all triangles', () => {
    const [front, back, double] = [0, 1, 2].map((side) => new MeshBasicMaterial({ side: side as 0 | 1 | 2 }));
    const solid = new ExtrudeGeometry(new Shape([new Vector3(), new Vector3(1, 0), new Vector3(0, 1)] as never), {
      bevelEnabled: false,
    });
    const of = (...materials: Material[]): string | null => solidSideOf(new Mesh(solid, materials));
    expect(of(front, front)).toBe('front');
    expect(of(double, back)).toBe('back');
    expect(of(front, double)).toBe('front');
    expect(of(double, double)).toBe('double');
    expect(of(front, back)).toBeNull();
    expect(of(front, new MeshBasicMaterial({ transparent: true }))).toBeNull();
    expect(of(front)).toBeNull();
    // three draws no group without an index.
    delete solid.groups[0].materialIndex;
    expect(of(front, front)).toBeNull();
    solid.groups[0].materialIndex = 0;
    solid.groups.pop();
    expect(of(front, front)).toBeNull();
  });

  it.each([null, undefined, 3, {}, { geometry }])('throws a sentence for %o', (value) => {
    expect(() => solidSideOf(value as never)).toThrow(
      /^solidSideOf: mesh must have a geometry and a material, but is /,
    );
  });
});

describe('solidBoxesOf', () => {
  it('finds boxes for the sides that are drawn, in local space', () => {
    const mesh = new Mesh(new BoxGeometry(2, 4, 6), new MeshBasicMaterial());
    mesh.position.x = 100;
    mesh.updateMatrixWorld();
    expect(solidBoxesOf(mesh)).toEqual(solidBoxes(mesh.geometry, { side: 'front' }));
    expect(solidBoxesOf(mesh)![0].halfSize.z).toBeCloseTo(3, 2);
    mesh.material.side = BackSide;
    expect(solidBoxesOf(mesh)).toEqual([]);
    expect(solidBoxesOf(new Mesh(new PlaneGeometry(), new MeshBasicMaterial()), { hasGround: true })).toEqual([]);
  });

  it('is null for what may have holes', () => {
    expect(solidBoxesOf(new Mesh(geometry, new MeshBasicMaterial({ transparent: true })))).toBeNull();
    expect(solidBoxesOf(new Points(geometry) as never)).toBeNull();
  });

  it('names itself in errors of options', () => {
    expect(() => solidBoxesOf(new Mesh(geometry), { maxBoxes: 9 })).toThrow('solidBoxesOf: options.maxBoxes must be');
  });

  it.each(['side', 'matrix', 'axisAligned'])('refuses the option %s of solidBoxes', (option) => {
    const call = (): unknown => solidBoxesOf(new Mesh(geometry), { [option]: undefined });
    expect(call).toThrow(/solidBoxesOf: .*unknown/);
  });
});
