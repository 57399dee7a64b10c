import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as core from '../../src/core.ts';
import * as debug from '../../src/debug/index.ts';
import * as library from '../../src/index.ts';
import * as react from '../../src/react/index.ts';
import * as save from '../../src/save/index.ts';
import * as three from '../../src/three.ts';
import * as tiles from '../../src/tiles/index.ts';
import * as triangles from '../../src/triangles/index.ts';
import * as tsl from '../../src/tsl.ts';

/** The type checker compares these lists with the classes: an extra or a missing name does not compile. */
const OCTREE = {
  [Symbol.iterator]: true,
  bodyAt: true,
  clear: true,
  dataAt: true,
  getBoxAt: true,
  getSphereAt: true,
  has: true,
  insert: true,
  insertMany: true,
  moveMany: true,
  region: true,
  remove: true,
  removeMany: true,
  setMaskMany: true,
  size: true,
  statistics: true,
  update: true,
  visitNodes: true,
  walk: true,
  collectBox: true,
  collectFrustum: true,
  collectPoint: true,
  collectRay: true,
  collectSphere: true,
  firstHit: true,
  firstHitIndex: true,
  hasHit: true,
  intersectBox: true,
  intersectFrustum: true,
  intersectPoint: true,
  intersectRay: true,
  intersectSphere: true,
} satisfies Record<Exclude<keyof library.Octree, 'internals'>, true>;
const BODY = {
  data: true,
  getBox: true,
  getSphere: true,
  index: true,
  isStatic: true,
  kind: true,
  mask: true,
  remove: true,
  setBox: true,
  setCenter: true,
  setMask: true,
  setSphere: true,
} satisfies Record<Exclude<keyof library.Body<unknown>, 'belongsTo' | 'indexIn' | 'markRemoved' | 'storeMask'>, true>;
const RECORD = {
  alongRay: true,
  body: true,
  distance: true,
  inside: true,
  node: true,
  normal: true,
  other: true,
  position: true,
  ray: true,
  time: true,
} satisfies Record<Exclude<keyof library.IntersectionRecord<unknown>, 'isSingle'>, true>;

/** Where the public types are declared that depend on the objects in results. */
const declarations = ['src/octree', 'src/features', 'src/occlusion']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(name, 'utf8'))
  .join('');

/** The types that an entry point exports by name, in alphabetical order. */
function typesOf(file: string): string[] {
  const lists = [...readFileSync(file, 'utf8').matchAll(/export type \{([^}]*)\}/g)];
  return lists
    .flatMap(([, names]) => names.split(',').map((name) => name.trim()))
    .filter((name) => name !== '')
    .sort();
}

describe('scene-octree', () => {
  it('exports exactly these values', () => {
    expect(Object.keys(library).sort()).toEqual([
      'Body',
      'Capsule',
      'Convex',
      'CustomVolume',
      'IndexList',
      'IntersectionRecord',
      'Octree',
      'OctreeNode',
      'OrientedBox',
      'RayRange',
      'Segment',
      'SolidBoxQueue',
      'VolumeOverlap',
      'WalkSignal',
      'assignBands',
      'castBox',
      'castBoxAll',
      'castRays',
      'castSphere',
      'castSphereAll',
      'collect',
      'collectBoxCast',
      'collectNearest',
      'collectPairs',
      'collectSphereCast',
      'collectVisible',
      'idOf',
      'idsOf',
      'indexOfId',
      'intersect',
      'intersectPairs',
      'intersectVisible',
      'moveManyById',
      'nearest',
      'onIntersection',
      'removeManyById',
      'setMaskManyById',
      'setOccluder',
      'solidBoxes',
      'sortByDistance',
      'trackContacts',
      'translate',
      'visitCast',
      'visitNearest',
      'visitRay',
      'watch',
      'watchDistances',
    ]);
  });

  it('exports the types of scene-octree/core, those that depend on three by name', () => {
    expect(readFileSync('src/index.ts', 'utf8')).toContain("export type * from './core.ts';");
    const dependent = typesOf('src/core.ts').filter((name) =>
      new RegExp(`(interface|class|type) ${name}<T(?: = unknown)?, M extends MathTypes`).test(declarations),
    );
    expect(dependent.length).toBeGreaterThan(4);
    expect(typesOf('src/index.ts')).toEqual([...dependent, 'ThreeMath'].sort());
  });

  it('names every other export: no `export *`', () => {
    for (const file of [
      'src/index.ts',
      'src/core.ts',
      'src/three.ts',
      'src/save/index.ts',
      'src/tiles/index.ts',
      'src/triangles/index.ts',
      'src/react/index.ts',
      'src/debug/index.ts',
      'src/debug-three/index.ts',
    ])
      expect(readFileSync(file, 'utf8')).not.toMatch(/export \*/);
  });

  it('gives octree, body and record exactly these public members', () => {
    const octree = new library.Octree();
    const body = octree.insert({ center: { x: 0, y: 0, z: 0 }, radius: 1 }, null);
    expect(Object.keys(OCTREE).filter((name) => !(name in octree))).toEqual([]);
    expect(Object.keys(BODY).filter((name) => !(name in body))).toEqual([]);
    expect(
      Object.keys(RECORD).filter((name) => !(name in library.nearest(octree, { x: 0, y: 0, z: 0 }, 1)[0])),
    ).toEqual([]);
  });

  it('has named signals for the walk', () => {
    expect(Object.keys(library.WalkSignal)).toEqual(['Continue', 'Prune', 'Stop']);
  });
});

describe('scene-octree/core', () => {
  it('exports the values of scene-octree', () => {
    expect(Object.keys(core).sort()).toEqual(Object.keys(library).sort());
  });

  it('exports exactly these types beside them', () => {
    expect(typesOf('src/core.ts')).toMatchInlineSnapshot(`
      [
        "AttributeLike",
        "BandOptions",
        "BodyOptions",
        "BoundsKind",
        "BoxLike",
        "BulkOptions",
        "CapsuleLike",
        "ContactOptions",
        "Contacts",
        "DistanceBands",
        "FrustumLike",
        "FrustumOptions",
        "GeometryLike",
        "HitVisitor",
        "IndexSet",
        "MathTypes",
        "MatrixLike",
        "NearestOptions",
        "NearestShape",
        "NearestStart",
        "OctreeOptions",
        "OctreeStatistics",
        "OrientedBoxLike",
        "OutsideRule",
        "PairOptions",
        "PlainBox",
        "PlainMath",
        "PlainPoint",
        "PlainRay",
        "PlainSphere",
        "PlaneLike",
        "PointLike",
        "QueryOptions",
        "QueryStats",
        "RayBundleOptions",
        "RayHits",
        "RayLike",
        "RayOptions",
        "Region",
        "SegmentLike",
        "Sensor",
        "SensorOptions",
        "SensorShape",
        "SolidBox",
        "SolidBoxLike",
        "SolidBoxQueueOptions",
        "SolidBoxesOptions",
        "SolidSide",
        "SphereLike",
        "TickStatistics",
        "TriangleArrays",
        "ViewLike",
        "VisibleOptions",
        "VisibleStats",
        "Volume",
        "VolumeTest",
      ]
    `);
  });

  it('is an entry point of the package', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> };
    expect(exports['./core']).toEqual({ types: './dist/core.d.ts', default: './dist/core.js' });
  });
});

describe('scene-octree/three', () => {
  it('exports exactly these values', () => {
    expect(Object.keys(three).sort()).toEqual([
      'BoxLines',
      'InstanceChanges',
      'ObjectBounds',
      'ObjectStyles',
      'OcclusionCulling',
      'OctreeGroup',
      'OctreeHelper',
      'OctreeInstances',
      'OctreeTiles',
      'PoseBounds',
      'ShadowUpdates',
      'StaticBatches',
      'TileOcclusion',
      'ViewChanges',
      'boundedRaycasts',
      'boundsOf',
      'pick',
      'pickWithin',
      'readOcclusionDepth',
      'solidBoxesOf',
      'solidSideOf',
    ]);
  });

  it('exports exactly these types beside them', () => {
    expect(typesOf('src/three.ts')).toEqual([
      'AddTreeOptions',
      'BatchRange',
      'BatchReport',
      'ChangeContainer',
      'ClippingRenderer',
      'DrawnNode',
      'ElementLike',
      'HasWalkableOctree',
      'HelperColoring',
      'HelperOutline',
      'HitFilter',
      'InstanceContainer',
      'InstanceFilter',
      'NodePainter',
      'OcclusionDepth',
      'OcclusionOptions',
      'OcclusionReport',
      'OctreeGroupOptions',
      'OctreeHelperOptions',
      'OctreeInstancesOptions',
      'PickOptions',
      'PickWithinOptions',
      'Pickable',
      'PickedObject',
      'PointerLike',
      'RaycastOptions',
      'ReadOnlyMath',
      'ReadOnlyOctree',
      'ShadowRenderer',
      'ShownQuery',
      'SolidFinder',
      'SolidParts',
      'SolidSource',
      'StaticBatchesOptions',
      'TileHit',
      'TileLike',
      'TileObject',
      'TileOcclusionOptions',
      'TilesRendererLike',
      'ViewRenderer',
      'VisitResult',
      'WalkableOctree',
    ]);
  });

  it('is an entry point of the package', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> };
    expect(exports['./three']).toEqual({ types: './dist/three.d.ts', default: './dist/three.js' });
    expect(readFileSync('vite.config.ts', 'utf8')).toContain("three: 'src/three.ts'");
  });
});

describe('scene-octree/tsl', () => {
  it('exports one node', () => {
    expect(Object.keys(tsl)).toEqual(['instanceId']);
  });

  it('is an entry point of the package', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> };
    expect(exports['./tsl']).toEqual({ types: './dist/tsl.d.ts', default: './dist/tsl.js' });
    expect(readFileSync('vite.config.ts', 'utf8')).toContain("tsl: 'src/tsl.ts'");
  });
});

describe('scene-octree/save', () => {
  it('exports exactly these values and types', () => {
    expect(Object.keys(save).sort()).toEqual([
      'BodySet',
      'ChangeJournal',
      'SavedBodiesError',
      'decodeBodies',
      'encodeBodies',
      'readBodies',
      'readBoxes',
      'readMasks',
      'trackChanges',
    ]);
    expect(typesOf('src/save/index.ts')).toEqual([
      'BodyChanges',
      'BodyGroup',
      'ChangeOptions',
      'DataCodec',
      'OctreeWithData',
      'ReadBodyGroup',
      'ReadOptions',
      'SavedBodiesFault',
    ]);
  });

  it('is an entry point of the package', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> };
    expect(exports['./save']).toEqual({ types: './dist/save/index.d.ts', default: './dist/save.js' });
    expect(readFileSync('vite.config.ts', 'utf8')).toContain("save: 'src/save/index.ts'");
  });
});

describe('scene-octree/triangles', () => {
  it('exports exactly these values and types', () => {
    expect(Object.keys(triangles).sort()).toEqual([
      'MeshDistance',
      'TriangleHit',
      'TriangleScene',
      'castShape',
      'castTriangleRays',
      'distanceBetween',
      'firstTriangle',
      'intersectMeshPairs',
      'intersectMeshPairsAsync',
      'intersectTriangles',
      'nearestPoint',
      'prepareTriangles',
      'selectWithin',
      'snap',
      'solveContacts',
    ]);
    expect(typesOf('src/triangles/index.ts').join(' ')).toBe(
      'ContactPlane DistanceBetweenOptions MeshPairOptions MeshReader MeshSource MeshTarget MeshTree ' +
        'MeshTreeClass MeshTreeWorker NearestPointOptions PrepareOptions QueriedMesh SelectOptions ' +
        'SliceOptions SnapKind SnapOptions SnapPoint TriangleContainer TriangleOptions TrianglePoint ' +
        'TriangleRayHits TriangleRayOptions TriangleSceneOptions TriangleShape TriangleStats',
    );
  });

  it('is an entry point of the package', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> };
    expect(exports['./triangles']).toEqual({ types: './dist/triangles/index.d.ts', default: './dist/triangles.js' });
    expect(readFileSync('vite.config.ts', 'utf8')).toContain("triangles: 'src/triangles/index.ts'");
  });
});

describe('scene-octree/tiles', () => {
  it('exports exactly these values and types', () => {
    expect(Object.keys(tiles).sort()).toEqual(['objectsOf', 'writeTiles']);
    expect(typesOf('src/tiles/index.ts')).toEqual([
      'EncodeImage',
      'LoadedScene',
      'MeshEncoderLike',
      'MeshSimplifierLike',
      'ObjectsOfOptions',
      'SceneObject',
      'SolidBoxLike',
      'TileFile',
      'TileImage',
      'TileProgress',
      'WriteTilesOptions',
    ]);
  });

  it('is an entry point of the package', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> };
    expect(exports['./tiles']).toEqual({ types: './dist/tiles/index.d.ts', default: './dist/tiles.js' });
    expect(readFileSync('vite.config.ts', 'utf8')).toContain("tiles: 'src/tiles/index.ts'");
  });
});

describe('scene-octree/react', () => {
  it('exports exactly these components and hooks', () => {
    expect(Object.keys(react).sort()).toEqual([
      'OctreeGroup',
      'OctreeInstances',
      'reportMove',
      'useFramesOnDemand',
      'useNear',
      'useOctree',
      'useVisible',
    ]);
    expect(typesOf('src/react/index.ts')).toEqual([
      'ChangeSource',
      'HasOctree',
      'ObjectSource',
      'OctreeGroupProps',
      'OctreeInstancesProps',
      'OctreeSource',
      'Place',
      'PlaceSource',
      'VisibleOptions',
    ]);
  });

  it('is an entry point of the package', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> };
    expect(exports['./react']).toEqual({ types: './dist/react/index.d.ts', default: './dist/react.js' });
    expect(readFileSync('vite.config.ts', 'utf8')).toContain("react: 'src/react/index.ts'");
  });
});

describe('scene-octree/debug', () => {
  it('exports the reference implementation', () => {
    expect(Object.keys(debug)).toEqual(expect.arrayContaining(['BruteForce', 'validate']));
  });
});

/** The text of a source file without the examples in its doc comments. */
const withoutExamples = (text: string): string => text.replaceAll(/^ *\* ```tsx?\n[\s\S]*?```$/gm, '');

describe('source files', () => {
  const files = ['src', 'test', 'examples', 'scripts'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|tsx|mts|mjs|js)$/.test(file) && !file.includes('node_modules'))
      .map((file) => `${folder}/${file}`),
  );

  it('have at most 520 lines each', () => {
    const long = files
      .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
      .filter(({ lines }) => lines > 520);
    expect(long).toEqual([]);
  });

  it('have names in kebab-case', () => {
    expect(files.filter((file) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(file.split('/').at(-1)!))).toEqual([]);
  });

  it('of src do not write to the console and hold no disabled lint rule', () => {
    const others = files.filter((file) => file !== 'src/three/passes/warnings.ts');
    const offending = others.filter(
      (file) =>
        file.startsWith('src') &&
        /console\.|oxlint-disable|eslint-disable|@ts-ignore|@ts-expect-error/.test(
          withoutExamples(readFileSync(file, 'utf8')),
        ),
    );
    expect(offending).toEqual([]);
  });
});
