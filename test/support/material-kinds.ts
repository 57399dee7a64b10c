/** Changes of materials and textures, by kind: a part of change-kinds.ts. */

import { AlwaysDepth, DoubleSide, MeshLambertMaterial, Plane, Sprite, SpriteMaterial, type Texture } from 'three';
import {
  ofMesh,
  ofAll,
  ofView,
  picture,
  caster,
  LATE,
  NEVER,
  ANY,
  type Change,
  type Kind,
  type Subject,
} from './kind-of-change.ts';

const textured =
  (name: 'map' | 'alphaMap' | 'emissiveMap' | 'displacementMap', values: object = {}): Change =>
  ({ material }) =>
    void Object.assign(material, { [name]: picture() }, values);
const cutOut = textured('alphaMap', { alphaTest: 0.5 });
const colored = textured('map', { needsUpdate: true });

/** Fields of materials, by whether the shadow map reads them. */
const casterFields: Record<string, unknown> = {
  visible: false,
  side: DoubleSide,
  shadowSide: DoubleSide,
  wireframe: true,
  wireframeLinewidth: 2,
  opacity: 0.5,
  transparent: true,
  alphaTest: 0.5,
  alphaToCoverage: true,
  alphaHash: true,
  displacementScale: 3,
  displacementBias: 3,
  polygonOffset: true,
  polygonOffsetFactor: 2,
  polygonOffsetUnits: 2,
  linewidth: 3,
  size: 4,
  sizeAttenuation: false,
  rotation: 1,
};
const viewFields: Record<string, unknown> = {
  fog: false,
  flatShading: true,
  reflectivity: 0.2,
  emissiveIntensity: 3,
  depthTest: false,
  depthWrite: false,
  colorWrite: false,
  dithering: true,
  toneMapped: false,
  blending: 2,
  stencilWrite: true,
  premultipliedAlpha: true,
};

/** A material for each side of the box. */
const withArray: Change = ({ mesh }) =>
  void (mesh.material = Array.from({ length: 6 }, () => new MeshLambertMaterial({ name: 'side' })) as never);

/** Changes of materials and textures. */
export const materialKinds: Record<string, Kind> = {
  // Materials.
  ...Object.fromEntries(
    Object.entries(casterFields).map(([name, value]) => [
      `material.${name}`,
      ofAll(({ material }) => void Object.assign(material, { [name]: value }), {
        make: ({ material }) => void Object.assign(material, { polygonOffsetUnits: 0, alphaTest: 0 }),
      }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(viewFields).map(([name, value]) => [
      `material.${name}`,
      ofView(({ material }) => void Object.assign(material, { [name]: value })),
    ]),
  ),
  'material.depthFunc': ofView(({ material }) => void (material.depthFunc = AlwaysDepth)),
  'material.transmission': ofView(({ material }) => void Object.assign(material, { transmission: 0.5 })),
  'material.vertexColors': ofView(({ material }) => void (material.vertexColors = true)),
  'material.defines': ofView(({ material }) => void Object.assign(material, { defines: { X: 1 } })),
  // A field that three does not have may change a shadow map.
  'a field of a material for another one': {
    ...ofView(
      ({ material }) => {
        delete (material as { custom?: number }).custom;
        Object.assign(material, { other: 1 });
      },
      { make: ({ material }) => void Object.assign(material, { custom: 1 }) },
    ),
    shadows: ANY,
  },
  'clipping planes': ofView(({ material }) => void (material.clippingPlanes = [new Plane()])),
  'material.needsUpdate': ofAll(({ material }) => void (material.needsUpdate = true)),
  colour: ofView(({ material }) => void material.color.setHex(0x123456)),
  'onBeforeCompile of a material': ofAll(({ material }) => void (material.onBeforeCompile = () => {}), {
    isUnknown: true,
  }),
  'onBeforeRender of a material': {
    ...ofView(({ material }) => void (material.onBeforeRender = () => {}), { isUnknown: true }),
    shadows: ANY,
  },
  'another material, of nodes': ofMesh(
    ({ mesh }) => void (mesh.material = Object.assign(new MeshLambertMaterial(), { isNodeMaterial: true })),
    { isUnknown: true },
  ),
  'a node that the shadow map reads': ofAll(
    ({ material }) => void Object.assign(material, { maskNode: { isNode: true } }),
    { isUnknown: true },
  ),
  ...Object.fromEntries(
    ['positionNode', 'depthNode', 'colorNode'].map((name) => [
      `material.${name}`,
      ofAll(({ material }) => void Object.assign(material, { [name]: { isNode: true } }), { isUnknown: true }),
    ]),
  ),
  ...Object.fromEntries(
    ['opacityNode', 'alphaTestNode'].map((name) => [
      `material.${name}`,
      {
        ...ofView(({ material }) => void Object.assign(material, { [name]: { isNode: true } }), { isUnknown: true }),
        // A map may be drawn without need.
        shadows: ANY,
      },
    ]),
  ),
  'a clipping plane': ofView(({ material }) => void (material.clippingPlanes![0].constant = 7), {
    make: ({ material }) => void (material.clippingPlanes = [new Plane()]),
  }),
  'a clipping plane that clips shadows': ofAll(({ material }) => void (material.clippingPlanes![0].constant = 7), {
    make: ({ material }) => void Object.assign(material, { clippingPlanes: [new Plane()], clipShadows: true }),
  }),
  clipIntersection: ofAll(({ material }) => void (material.clipIntersection = true), {
    make: ({ material }) => void Object.assign(material, { clippingPlanes: [new Plane()], clipShadows: true }),
  }),
  'a material of an array': {
    ...ofAll(({ mesh }) => (mesh.material as unknown as MeshLambertMaterial[])[0].color.setHex(0x123456)),
    shadows: NEVER,
    make: withArray,
  },
  'a caster field of a material of an array': ofAll(
    ({ mesh }) => void ((mesh.material as unknown as MeshLambertMaterial[])[1].side = DoubleSide),
    { make: withArray },
  ),
  'an element of an array of materials': ofMesh(
    ({ mesh }) => void ((mesh.material as unknown as MeshLambertMaterial[])[0] = new MeshLambertMaterial()),
    { make: withArray },
  ),
  'the material of a child': ofAll(({ mesh }) => void ((mesh.children[0] as Subject).material.wireframe = true), {
    make: ({ mesh }) => void mesh.add(caster()),
  }),
  'the material of a sprite': ofView(({ mesh }) => (mesh.children[0] as Sprite).material.color.setHex(0x123456), {
    make: ({ mesh }) => void mesh.add(new Sprite(new SpriteMaterial())),
  }),
  'the centre of a sprite': {
    ...ofView(({ mesh }) => void (mesh.children[0] as Sprite).center.set(0, 0.5), {
      make: ({ mesh }) => void mesh.add(new Sprite(new SpriteMaterial())),
    }),
    shadows: ANY,
    unreported: LATE,
  },

  // Textures.
  'a map': ofAll(colored),
  'a texture that only the picture shows': ofView(textured('emissiveMap')),
  'version of a map': ofView(({ material }) => void (material.map!.needsUpdate = true), { make: colored }),
  'version of a map that cuts holes': ofAll(({ material }) => void (material.alphaMap!.needsUpdate = true), {
    make: cutOut,
  }),
  'version of the source': ofAll(({ material }) => void (material.alphaMap!.source.needsUpdate = true), {
    make: cutOut,
  }),
  ...Object.fromEntries(
    (
      [
        ['offset', (texture) => void (texture.offset.x = 0.5)],
        ['repeat', (texture) => void (texture.repeat.x = 0.5)],
        ['center', (texture) => void (texture.center.x = 0.5)],
        ['rotation', (texture) => void (texture.rotation = 0.5)],
        ['channel', (texture) => void (texture.channel = 1)],
        ['pmremVersion', (texture) => void (texture.needsPMREMUpdate = true)],
        ['image', (texture) => void (texture.image = { data: new Uint8Array(4), width: 1, height: 1 } as never)],
      ] as [string, (texture: Texture) => void][]
    ).map(([name, change]) => [
      `texture.${name}`,
      ofAll(({ material }) => change(material.alphaMap!), { make: cutOut }),
    ]),
  ),
  'matrix of a texture': ofAll(({ material }) => void material.alphaMap!.matrix.makeTranslation(1, 1), {
    make: (world) => {
      cutOut(world);
      world.material.alphaMap!.matrixAutoUpdate = false;
    },
  }),
  'a displacement map': ofAll(textured('displacementMap'), { isUnknown: false }),
  'version of a displacement map': ofAll(({ material }) => void (material.displacementMap!.needsUpdate = true), {
    make: textured('displacementMap'),
  }),
  'a texture with a render target': ofView(
    ({ material }) => void (material.emissiveMap = Object.assign(picture(), { renderTarget: {} as never })),
    { isUnknown: true },
  ),
  'a texture of a render target': ofView(
    ({ material }) => void (material.emissiveMap = Object.assign(picture(), { isRenderTargetTexture: true })),
    { isUnknown: true },
  ),
};
