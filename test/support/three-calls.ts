/** Every public function of scene-octree/three with valid arguments, for tests that spoil them. */

import {
  BoxGeometry,
  Color,
  Frustum,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Box3,
  Vector3,
  type InstancedMesh,
} from 'three';
import { validate } from '../../src/debug/index.ts';
import {
  boundsOf,
  BoxLines,
  InstanceChanges,
  ObjectBounds,
  OcclusionCulling,
  OctreeGroup,
  OctreeHelper,
  OctreeInstances,
  OctreeTiles,
  pick,
  pickWithin,
  ObjectStyles,
  PoseBounds,
  TileOcclusion,
  readOcclusionDepth,
  ShadowUpdates,
  solidBoxesOf,
  solidSideOf,
  StaticBatches,
  ViewChanges,
} from '../../src/three.ts';
import { FakeRenderer } from './change-towns.ts';
import { projectPass } from './pass-lists.ts';

/** A call with valid arguments, in a world of its own. */
export interface ThreeCall {
  readonly arguments: readonly unknown[];
  readonly call: (...values: never[]) => unknown;
  /** All that the call may change, as text: equal before and after a call that throws. */
  readonly state: () => string;
  /** What contradicts in the octree of the instances. */
  readonly faults: () => string[];
  /** What a pass draws, and what a ray hits, after an update. */
  readonly picture: () => string;
}

export class World {
  readonly scene = new Scene();
  readonly group = new OctreeGroup();
  readonly mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
  readonly instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 4);
  readonly camera = new PerspectiveCamera();
  readonly renderer = new FakeRenderer();
  readonly raycaster = new Raycaster(new Vector3(0, 0, 9), new Vector3(0, 0, -1));
  readonly element = {
    getBoundingClientRect: () => ({ left: 0, top: 0, width: 100, height: 100, right: 100, bottom: 100 }),
  };

  constructor() {
    const { camera, group, instances, mesh, scene } = this;
    for (const x of [3, 6, 9]) {
      const other = new Mesh(mesh.geometry, mesh.material);
      other.position.x = x;
      group.add(other);
    }
    group.add(mesh);
    for (const id of [0, 1, 2, 3]) instances.setMatrixAt(id, new Matrix4().makeTranslation(id * 2, 0, 0));
    camera.position.z = 9;
    scene.add(group, instances, camera);
    scene.updateMatrixWorld();
    // Bodies are inserted by the first question.
    this.state();
  }

  state(): string {
    const { group, instances } = this;
    const ids = Array.from({ length: instances.instanceCount }, (_, id) => id).filter((id) => instances.has(id));
    return JSON.stringify([
      [group, instances].map(({ octree }) => [
        validate(octree as never),
        octree.size,
        octree.intersectBox(EVERYWHERE).map(({ body, position }) => [body.index, position.toArray()]),
      ]),
      group.children.map((child) => [group.isStatic(child), child.matrixWorld.elements]),
      [group.hasStaticChildren, group.minScreenSize, instances.minScreenSize],
      ids.map((id) => [id, instances.getVisibleAt(id), instances.getMatrixAt(id, new Matrix4()).elements]),
      instances.children.length,
    ]);
  }

  faults(): string[] {
    return validate(this.instances.octree as never);
  }

  picture(): string {
    const { camera, raycaster, scene } = this;
    scene.updateMatrixWorld();
    const drawn = projectPass(scene, camera).map(({ object }) => {
      const { count, instanceMatrix } = object as InstancedMesh;
      return [object.id, count, ...(instanceMatrix?.array.slice(0, 16 * count) ?? [])].join();
    });
    const hits = raycaster.intersectObject(scene).map(({ distance, instanceId }) => `${distance} ${instanceId}`);
    return `${drawn.length} ${drawn.map((text) => text.replace(/^\d+/, '')).join()} | ${hits.join()}`;
  }
}
const EVERYWHERE = new Box3(new Vector3(-1e9, -1e9, -1e9), new Vector3(1e9, 1e9, 1e9));

/** Makes the arguments of a call, the call, and where it may change more than the world, that as text. */
export type Create = (
  world: World,
) => readonly [values: readonly unknown[], call: (...given: never[]) => unknown, own?: () => string];

/** Calls that need no world, because they have no parameters or only such as three defines, with the reason. */
export const NO_ROW: Readonly<Record<string, string>> = {
  'OctreeGroup.updateMatrixWorld': 'a method of three, which is called by renderers',
  'OctreeGroup.updateWorldMatrix': 'a method of three, which is called by renderers',
  'OctreeGroup.raycast': 'a method of three, which is called by Raycaster',
  'OctreeGroup.copy': 'a method of three: reads its source as three does',
  'OctreeInstances.updateMatrixWorld': 'a method of three, which is called by renderers',
  'OctreeInstances.updateWorldMatrix': 'a method of three, which is called by renderers',
  'OctreeInstances.raycast': 'a method of three, which is called by Raycaster',
  'OctreeInstances.copy': 'a method of three: reads its source as three does',
  'OctreeInstances.toJSON': 'a method of three, which is called by exporters',
  'OctreeInstances.getVertexPosition': 'a method of three: reads a vertex as three does',
  'OctreeTiles.init': 'called by the renderer of tiles',
  'OctreeTiles.setTileVisible': 'called by the renderer of tiles',
  'BoxLines.addBox': 'called for each node of a tree; BoxLines are drawn for debugging',
  'OctreeHelper.addBox': 'called for each node of a tree; a helper is drawn for debugging',
};

/** A plugin with a tile of one mesh. */
function tilesIn({ scene }: World): OctreeTiles {
  const plugin = new OctreeTiles(new OctreeGroup());
  const group = new Group();
  scene.add(group);
  const settings = { displayActiveTiles: false, autoDisableRendererCulling: true };
  const methods = { addEventListener() {}, removeEventListener() {}, setTileVisible() {} };
  plugin.init({ group, visibleTiles: new Set(), ...settings, ...methods });
  const content = new Group().add(new Mesh(new BoxGeometry(), new MeshBasicMaterial()));
  plugin.setTileVisible({ geometricError: 0, engineData: { scene: content, metadata: null } }, true);
  if (plugin.objects.size !== 1) throw new Error('the tile has no object');
  return plugin;
}

const ROWS: Readonly<Record<string, Create>> = {
  'new StaticBatches': ({ group }) => [
    [group, { mergesMaterials: true, posesMovers: false }],
    (...given) => new StaticBatches(...(given as unknown as [never])),
  ],
  'StaticBatches.leaveOut': ({ group, mesh }) => {
    group.setStatic(mesh, true);
    const batches = new StaticBatches(group);
    return [[mesh, true], (...given) => batches.leaveOut(...(given as [never, never]))];
  },
  boundsOf: ({ mesh }) => [[mesh, new ObjectBounds()], (...given) => boundsOf(...(given as [never, never]))],
  solidBoxesOf: ({ mesh }) => [
    [
      { geometry: mesh.geometry, material: mesh.material },
      { maxBoxes: 2, resolution: 16, hasGround: false, up: 'y' },
    ],
    (...given) => solidBoxesOf(...(given as [never, never])),
  ],
  solidSideOf: ({ mesh }) => [[{ geometry: mesh.geometry, material: mesh.material }], (source) => solidSideOf(source)],
  'new BoxLines': () => [[4], (limit) => new BoxLines(limit)],
  'new OctreeGroup': () => [
    [
      {
        hasStaticChildren: false,
        region: { min: { x: -64, y: -64, z: -64 }, edge: 128 },
        minCellSize: 1,
        looseness: 2,
        leafCapacity: 4,
        lifespan: true,
        lookAhead: 8,
        simdFrom: 10,
      },
    ],
    (options) => new OctreeGroup(options),
  ],
  'OctreeGroup.hasStaticChildren=': ({ group }) => [[true], (value) => (group.hasStaticChildren = value)],
  'OctreeGroup.addTree': ({ group, mesh }) => {
    const root = new Group().add(mesh.clone());
    return [[root, { isStatic: true, animations: [] }], (...given) => group.addTree(...(given as [never, never]))];
  },
  'OctreeGroup.setStatic': ({ group, mesh }) => [
    [mesh, true],
    (...given) => group.setStatic(...(given as [never, never])),
  ],
  'OctreeGroup.isStatic': ({ group, mesh }) => [[mesh], (object) => group.isStatic(object)],
  'OctreeGroup.bodyOf': ({ group, mesh }) => [[mesh], (object) => group.bodyOf(object)],
  'OctreeGroup.reportMove': ({ group, mesh }) => [[mesh], (object) => group.reportMove(object)],
  'OctreeGroup.raycastFirst': ({ group, raycaster }) => [
    [raycaster, { filter: () => true }],
    (...given) => group.raycastFirst(...(given as [never, never])),
  ],
  'OctreeGroup.raycastAll': ({ group, raycaster }) => [
    [raycaster, { filter: () => true }],
    (...given) => group.raycastAll(...(given as [never, never])),
  ],
  'OctreeGroup.minScreenSize=': ({ group }) => [[0.01], (size) => (group.minScreenSize = size)],
  'new OctreeHelper': ({ group }) => [
    [
      group,
      {
        outline: 'cell',
        coloring: 'depth',
        query: new Frustum(),
        includesUnvisited: false,
        minDepth: 0,
        maxDepth: 9,
        limit: 9,
      },
    ],
    (...given) => new OctreeHelper(...(given as unknown as [never, never])),
  ],
  'new OctreeInstances': ({ mesh }) => [
    [
      mesh.geometry,
      mesh.material,
      2,
      {
        bounds: 'box',
        region: { min: { x: -64, y: -64, z: -64 }, edge: 128 },
        minCellSize: 1,
        looseness: 2,
        leafCapacity: 4,
        lifespan: true,
        lookAhead: 8,
        simdFrom: 10,
      },
    ],
    (...given) => new OctreeInstances(...(given as unknown as [never, never])),
  ],
  'OctreeInstances.getBoundingBoxAt': ({ instances }) => [
    [1, new Box3()],
    (...given) => instances.getBoundingBoxAt(...(given as [never, never])),
  ],
  'OctreeInstances.addLevel': ({ instances, mesh }) => [
    [mesh.geometry, 5, 0.1, mesh.material],
    (...given) => instances.addLevel(...(given as [never, never])),
  ],
  'OctreeInstances.raycastFirst': ({ instances, raycaster }) => [
    [raycaster, { filter: () => true }],
    (...given) => instances.raycastFirst(...(given as [never, never])),
  ],
  'OctreeInstances.boundingBox=': ({ instances }) => [[null], (box) => (instances.boundingBox = box)],
  'OctreeInstances.boundingSphere=': ({ instances }) => [[null], (sphere) => (instances.boundingSphere = sphere)],
  'OctreeInstances.count=': ({ instances }) => [[3], (count) => (instances.count = count)],
  'OctreeInstances.instanceMatrix=': ({ instances }) => [
    [instances.instanceMatrix],
    (attribute) => (instances.instanceMatrix = attribute),
  ],
  'OctreeInstances.instanceColor=': ({ instances }) => [
    [instances.instanceColor],
    (attribute) => (instances.instanceColor = attribute),
  ],
  'OctreeInstances.morphTexture=': ({ instances }) => [[null], (texture) => (instances.morphTexture = texture)],
  'OctreeInstances.addInstance': ({ instances }) => [[new Matrix4()], (matrix) => instances.addInstance(matrix)],
  'OctreeInstances.addInstances': ({ instances }) => [
    [new Float32Array(new Matrix4().elements)],
    (matrices) => instances.addInstances(matrices),
  ],
  'OctreeInstances.deleteInstance': ({ instances }) => [[1], (id) => instances.deleteInstance(id)],
  'OctreeInstances.has': ({ instances }) => [[1], (id) => instances.has(id)],
  'OctreeInstances.setMatrixAt': ({ instances }) => [
    [1, new Matrix4()],
    (...given) => instances.setMatrixAt(...(given as unknown as [never, never])),
  ],
  'OctreeInstances.getMatrixAt': ({ instances }) => [
    [1, new Matrix4()],
    (...given) => instances.getMatrixAt(...(given as unknown as [never, never])),
  ],
  'OctreeInstances.setMatricesAt': ({ instances }) => [
    [[1], new Float32Array(new Matrix4().elements)],
    (...given) => instances.setMatricesAt(...(given as unknown as [never, never])),
  ],
  'OctreeInstances.setColorAt': ({ instances }) => [
    [1, new Color()],
    (...given) => instances.setColorAt(...(given as unknown as [never, never])),
  ],
  'OctreeInstances.getColorAt': ({ instances }) => [
    [1, new Color()],
    (...given) => instances.getColorAt(...(given as unknown as [never, never])),
  ],
  'OctreeInstances.setMorphAt': () =>
    withMorphs((instances, mesh) => [
      [1, mesh],
      (...given) => instances.setMorphAt(...(given as unknown as [never, never])),
    ]),
  'OctreeInstances.getMorphAt': () =>
    withMorphs((instances, mesh) => [
      [1, mesh],
      (...given) => instances.getMorphAt(...(given as unknown as [never, never])),
    ]),
  'OctreeInstances.setVisibleAt': ({ instances }) => [
    [1, false],
    (...given) => instances.setVisibleAt(...(given as unknown as [never, never])),
  ],
  'OctreeInstances.bodyOf': ({ instances }) => [[1], (id) => instances.bodyOf(id)],
  'OctreeInstances.getVisibleAt': ({ instances }) => [[1], (id) => instances.getVisibleAt(id)],
  'OctreeInstances.minScreenSize=': ({ instances }) => [[0.01], (size) => (instances.minScreenSize = size)],
  'OctreeInstances.shadowLevel=': ({ instances }) => [[1], (level) => (instances.shadowLevel = level)],
  'new OcclusionCulling': ({ group, camera }) => [
    [group, camera, { auto: () => null, bufferWidth: 64, minOccluderArea: 0, minRemoved: 0 }],
    (...given) => new OcclusionCulling(...(given as unknown as [never, never])),
  ],
  'OcclusionCulling.camera=': ({ group, camera }) => {
    const occlusion = new OcclusionCulling(group, camera);
    return [[camera], (value) => (occlusion.camera = value)];
  },
  'OcclusionCulling.enabled=': ({ group, camera }) => {
    const occlusion = new OcclusionCulling(group, camera);
    return [[false], (given) => (occlusion.enabled = given)];
  },
  'OcclusionCulling.setOccluder': ({ group, camera, mesh }) => {
    const occlusion = new OcclusionCulling(group, camera);
    const call = (...given: never[]): unknown => occlusion.setOccluder(...(given as unknown as [never, never]));
    const inside = {
      min: { x: 0, y: 0, z: 0 },
      max: { x: 0, y: 0, z: 0 },
      center: { x: 0, y: 0, z: 0 },
      halfSize: { x: 0, y: 0, z: 0 },
      rotation: { elements: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
    };
    return [[mesh, [inside]], call];
  },
  readOcclusionDepth: ({ group, camera }) => [
    [new OcclusionCulling(group, camera)],
    (occlusion) => readOcclusionDepth(occlusion),
  ],
  pick: ({ group, camera, element, raycaster }) => [
    [
      { clientX: 50, clientY: 50 },
      camera,
      element,
      group,
      {
        filter: () => true,
        includesHidden: false,
        raycaster,
        renderer: { domElement: element, clippingPlanes: [], localClippingEnabled: false },
      },
    ],
    (...given) => pick(...(given as unknown as [never, never, never, never])),
  ],
  pickWithin: ({ group, camera, element }) => [
    [
      { clientX: 10, clientY: 10 },
      { clientX: 50, clientY: 50 },
      camera,
      element,
      group,
      {
        inside: false,
        includesHidden: false,
        renderer: { domElement: element, clippingPlanes: [], localClippingEnabled: false },
      },
    ],
    (...given) => pickWithin(...(given as unknown as [never, never, never, never, never])),
  ],
  'new InstanceChanges': ({ instances }) => [[instances], (container) => new InstanceChanges(container)],
  'new ViewChanges': ({ scene, renderer, group }) => [
    [scene, renderer, [group]],
    (...given) => new ViewChanges(...(given as unknown as [never, never])),
  ],
  'ViewChanges.changedIn': ({ scene, renderer, camera }) => {
    const changes = new ViewChanges(scene, renderer);
    return [[camera, null], (...given) => changes.changedIn(...(given as unknown as [never]))];
  },
  'ViewChanges.setStill': ({ scene, renderer, camera }) => {
    const changes = new ViewChanges(scene, renderer);
    return [[camera, true], (...given) => changes.setStill(...(given as unknown as [never]))];
  },
  'new ObjectStyles': ({ group }) => [[group], (value) => new ObjectStyles(value)],
  'ObjectStyles.isolate': ({ group, mesh }) => {
    const styles = new ObjectStyles(group);
    return [[[mesh]], (...given) => styles.isolate(...(given as [never]))];
  },
  'ObjectStyles.ghost': ({ group, mesh }) => {
    const styles = new ObjectStyles(group);
    return [[[mesh], new MeshBasicMaterial()], (...given) => styles.ghost(...(given as unknown as [never, never]))];
  },
  'ObjectStyles.paint': ({ group, mesh }) => {
    const styles = new ObjectStyles(group);
    return [[[mesh], new MeshBasicMaterial()], (...given) => styles.paint(...(given as unknown as [never, never]))];
  },
  'new OctreeTiles': ({ group }) => [[group], (value) => new OctreeTiles(value)],
  'OctreeTiles.pick': (world) => {
    const plugin = tilesIn(world);
    return [
      [
        { clientX: 50, clientY: 50 },
        world.camera,
        world.element,
        {
          filter: () => true,
          includesHidden: true,
          raycaster: world.raycaster,
          renderer: { domElement: world.element, clippingPlanes: [], localClippingEnabled: false },
        },
      ],
      (...given) => plugin.pick(...(given as unknown as [never, never, never])),
    ];
  },
  'OctreeTiles.raycastFirst': (world) => {
    const plugin = tilesIn(world);
    return [[world.raycaster, { filter: () => true }], (...given) => plugin.raycastFirst(...(given as [never, never]))];
  },
  'OctreeTiles.objectOf': (world) => {
    const plugin = tilesIn(world);
    return [[plugin.raycastFirst(world.raycaster)], (...given) => plugin.objectOf(...(given as [never]))];
  },
  'OctreeTiles.isolate': (world) => {
    const plugin = tilesIn(world);
    return [[['id']], (...given) => plugin.isolate(...(given as [never]))];
  },
  'new TileOcclusion': (world) => {
    const options = { bufferWidth: 256, minOccluderArea: 0.001, minRemoved: 0.5 };
    return [
      [tilesIn(world), world.camera, options],
      (...given) => new TileOcclusion(...(given as unknown as [never, never])),
    ];
  },
  'TileObject.get': (world) => {
    const object = tilesIn(world).objects.dataAt(0);
    return [['name'], (...given) => object.get(...(given as [never]))];
  },
  'new PoseBounds': ({ group }) => [[group], (value) => new PoseBounds(value)],
  'new ShadowUpdates': ({ scene, renderer, group }) => [
    [scene, renderer, [group]],
    (...given) => new ShadowUpdates(...(given as unknown as [never, never])),
  ],
  'ShadowUpdates.setStill': ({ scene, renderer, camera }) => {
    const updates = new ShadowUpdates(scene, renderer);
    return [[camera, true], (...given) => updates.setStill(...(given as unknown as [never]))];
  },
};

/** The names of all calls. That each public function has one is tested in test/nasty/hostile-callers.test.ts. */
export const THREE_CALLS = Object.keys(ROWS);

function withMorphs(create: (instances: OctreeInstances, mesh: Mesh) => ReturnType<Create>): ReturnType<Create> {
  const geometry = new BoxGeometry();
  geometry.morphAttributes.position = [geometry.attributes.position.clone()];
  const material = new MeshBasicMaterial();
  return create(new OctreeInstances(geometry, material, 2), new Mesh(geometry, material));
}

/** A fresh call of a function, by the name of its signature; undefined if it has no row. */
export function threeCall(name: string): ThreeCall | undefined {
  const create = ROWS[name] as Create | undefined;
  return create && createCall(create);
}

/** A call in a world of its own. */
export function createCall(create: Create): ThreeCall {
  const world = new World();
  const [values, call, own] = create(world);
  return {
    arguments: values,
    call,
    state: () => `${world.state()} ${own?.() ?? ''}`,
    faults: () => world.faults(),
    picture: () => world.picture(),
  };
}
