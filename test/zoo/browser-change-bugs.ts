/** Faults of shadow maps, of the lines of the helper and of sizes on screen, which only a browser can see. */
import { faultsOf, type BrowserBug } from './bug.ts';

export const CHANGE_BUGS: readonly BrowserBug[] = [
  ...faultsOf(
    'changes/shadows/shadow-light.ts',
    [
      'light-camera-ignored',
      'Another projection of a light draws no map.',
      'shadow-updates shadow-histories',
      'values.push(...own.projectionMatrix.elements)',
      'undefined',
    ],
    [
      'light-place-ignored',
      'A light that moves draws no map.',
      'shadow-updates shadow-histories',
      'values.push(...light.matrixWorld.elements)',
      'undefined',
    ],
    [
      'target-ignored',
      'A light that turns draws no map.',
      'shadow-updates shadow-histories',
      'values.push(...light.target.matrixWorld.elements)',
      'undefined',
    ],
    [
      'map-size-ignored',
      'Another map size draws no map.',
      'shadow-updates shadow-histories',
      'values.push(focus, aspect, ...mapSize, shadow.map, shadow.mapType)',
      'undefined',
    ],
    [
      'blur-ignored',
      'Another blur radius draws no map.',
      'shadow-updates shadow-histories',
      'values.push(shadow.radius, shadow.blurSamples)',
      'undefined',
    ],
    [
      'lost-map-ignored',
      'A map that was freed stays empty.',
      'shadow-updates shadow-histories',
      'this.snapshot.take((values) => this.read(camera, isBlurred, values)) || isMapLost',
      'this.snapshot.take((values) => this.read(camera, isBlurred, values))',
    ],
    [
      'near-and-far-ignored',
      'Another distance of a light draws no map.',
      'shadow-updates shadow-histories',
      'values.push(near, far, (light as SpotLight).distance, (light as SpotLight).angle)',
      'undefined',
    ],
  ),
  ...faultsOf(
    'changes/shadows/shadow-updates.ts',
    [
      'type-of-maps-ignored',
      'Another type of shadow maps draws no map.',
      'shadow-updates shadow-histories',
      'values.push(renderer, shadowMap, type, transmitted, localClippingEnabled)',
      'values.push(renderer, shadowMap)',
    ],
    [
      'changes-in-sight-ignored',
      'A caster that moves draws no map.',
      'shadow-updates shadow-histories',
      'frustum === null || seesUnknown || state.sawUnknown || showsChange(frustum)',
      'frustum === null || seesUnknown || state.sawUnknown',
    ],
    [
      'blurred-receivers-ignored',
      'Receivers change no map of variances.',
      'shadow-updates shadow-histories',
      'isBlurred ? bits.CASTS | bits.RECEIVES : bits.CASTS',
      'bits.CASTS',
    ],
  ),
  ...faultsOf(
    'helper/box-lines.ts',
    [
      'boxes-without-width',
      'The lines of a box lie in one plane.',
      'octree-helper',
      'corner & 1 ? max.x : min.x',
      'min.x',
    ],
    [
      'line-colors-swapped',
      'Lines have other colours.',
      'octree-helper',
      'colors.setXYZW(at, r, g, b, opacity)',
      'colors.setXYZW(at, b, g, r, opacity)',
    ],
  ),
  ...faultsOf('three/passes/min-screen-size.ts', [
    'screen-size-doubled',
    'Objects of the minimum size are left out.',
    'instances',
    '(2 * this.min) / Math.abs(projectionMatrix.elements[SCALE_Y])',
    '(8 * this.min) / Math.abs(projectionMatrix.elements[SCALE_Y])',
  ]),
];
