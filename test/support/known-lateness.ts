/**
 * Changes that are found later than the rule says, as of today: by mode, feature and lateness, the kinds (see
 * change-kinds.ts). The test also fails if a line is no longer true: whoever mends one deletes it.
 */

const MOVES = [
  'position',
  'rotation',
  'scale',
  'matrix written by hand',
  'pivot',
  'a pivot, later',
  'an ancestor moved',
  'a child moved',
];
const OTHER_MOVES = ['moved out of view', 'moved into view', 'position, computed by other code'];
const CALLBACKS = ['onBeforeRender', 'onAfterRender', 'onBeforeShadow', 'onAfterShadow'];

export const KNOWN_LATENESS: Readonly<Record<string, readonly string[]>> = {
  // Documented: reported only.
  'watched, bounds: never': ['intersectsFrustum of its own'],
  'watched, occlusion: never': ['intersectsFrustum of its own'],
  'watched, hits: never': ['raycast of its own'],

  'not reported, bounds: never': [
    ...MOVES,
    ...CALLBACKS,
    'position, computed by other code',
    'customDepthMaterial that moves vertices',
    'matrixWorld written by hand',
    'frustumCulled',
    'intersectsFrustum of its own',
    'another geometry',
    'vertices written',
    'morph targets',
    'instances of a child',
    'the centre of a sprite',
    'onBeforeCompile of a material',
    'onBeforeRender of a material',
    'material.positionNode',
    'a displacement map',
  ],
  'not reported, hits: never': [
    ...MOVES,
    ...OTHER_MOVES,
    'matrixWorld written by hand',
    'another geometry',
    'raycast of its own',
  ],
  'not reported, batches: never': [...MOVES, ...OTHER_MOVES, 'boundingSphere NaN'],
  'not reported, occlusion: never': [
    ...MOVES,
    ...OTHER_MOVES,
    'boundingSphere NaN',
    'frustumCulled',
    'intersectsFrustum of its own',
  ],
  'not reported, views: never': [
    ...MOVES,
    ...OTHER_MOVES,
    'matrixWorld written by hand',
    'a field of a material for another one',
  ],
  'not reported, shadows: never': [...MOVES, ...OTHER_MOVES, 'matrixWorld written by hand'],
  // Values are compared, not the names of fields.
  'watched, views: never': ['a field of a material for another one'],
  // A NaN equals nothing.
  ...Object.fromEntries(
    ['watched', 'reported', 'not reported'].flatMap((mode) =>
      ['views', 'shadows'].map((feature) => [`${mode}, ${feature}: does not rest`, ['renderOrder NaN']]),
    ),
  ),
  // Needless maps.
  'watched, shadows: told without a change': ['renderOrder', 'receiveShadow', 'normals written'],
  'not reported, shadows: told without a change': ['renderOrder', 'receiveShadow', 'normals written'],
};

/** As `KNOWN_LATENESS`, in groups of more members than some feature compares in an update. */
export const KNOWN_LATENESS_IN_TURNS: Readonly<Record<string, readonly string[]>> = {
  'watched, bounds: late': ['intersectsFrustum of its own', 'onBeforeRender', 'onAfterShadow'],
  'watched, occlusion: late': [
    'intersectsFrustum of its own',
    'static',
    'occlusionTest',
    'renderOrder',
    'count',
    'onBeforeRender',
    'onAfterShadow',
  ],
  'not reported, bounds: after 256 updates': ['onBeforeShadow'],
  'not reported, views: after 256 updates': ['onBeforeShadow'],
  'not reported, shadows: after 256 updates': ['onBeforeShadow'],
};
