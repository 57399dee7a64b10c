/** Parts of the benchmark of triangles: pairs of meshes, walkers, and memory. */

import { Box3, Matrix4, Mesh, PlaneGeometry, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { collectPairs, IndexList, Octree } from '../../src/index.ts';
import {
  castShape,
  intersectMeshPairs,
  intersectTriangles,
  solveContacts,
  TriangleScene,
  type TriangleHit,
} from '../../src/triangles/index.ts';
import { bytesOfBuffers, bytesOfObjects } from '../soak/memory.ts';
import { compare, type Fair } from './triangle-fair.ts';

const treeOf = ({ geometry }: Mesh): MeshBVH => geometry.boundsTree as MeshBVH;
/** Bytes of all that is held. Some buffers are freed only after the first call. */
async function held(): Promise<number> {
  bytesOfBuffers();
  await new Promise((resolve) => setTimeout(resolve, 100));
  return (await bytesOfObjects()) + bytesOfBuffers();
}

/** Pairs of bounds that three-mesh-bvh is asked for; the others would take too long. */
const SAMPLE = 100;

export function comparePairs({ meshes, octree, scene }: Fair): void {
  const list = new IndexList();
  const pairs: never[] = [];
  const [matrix, inverse] = [new Matrix4(), new Matrix4()];
  const [nearest, otherNearest] = [0, 1].map(() => ({ point: new Vector3(), distance: 0, faceIndex: 0 }));
  for (const within of [0, 0.5]) {
    collectPairs(octree, list, { within, staticPairs: true });
    const candidates = list.length / 2;
    const found = intersectMeshPairs(scene, { within }).length;
    console.log(`  within ${within}: ${candidates} pairs of bounds, ${found} of meshes`);
    const yesOrNo = 'intersectMeshPairs, yes or no';
    const closest = 'intersectMeshPairs, closest points';
    const other = within === 0 ? 'MeshBVH.intersectsGeometry' : 'MeshBVH.closestPointToGeometry';
    const rows: Readonly<Record<string, (k: number) => unknown>> = {
      [yesOrNo]: () => intersectMeshPairs(scene, { within }, pairs),
      [closest]: () => intersectMeshPairs(scene, { within, closest: true }, pairs),
      [other]: (k) => {
        const at = 2 * Math.floor((k * candidates) / SAMPLE);
        const [a, b] = [meshes[list.array[at]], meshes[list.array[at + 1]]];
        inverse.copy(a.matrixWorld).invert();
        matrix.multiplyMatrices(inverse, b.matrixWorld);
        if (within === 0) return treeOf(a).intersectsGeometry(b.geometry, matrix);
        const limit = within * inverse.getMaxScaleOnAxis();
        return treeOf(a).closestPointToGeometry(b.geometry, matrix, nearest, otherNearest, 0, limit);
      },
    };
    // The first row is the one to compare with.
    const order = within === 0 ? [yesOrNo, closest, other] : [closest, yesOrNo, other];
    compare(
      Object.fromEntries(order.map((name) => [name, rows[name]])),
      { [yesOrNo]: 1, [closest]: 1, [other]: SAMPLE },
      { [yesOrNo]: candidates, [closest]: candidates },
    );
  }
}

/** People, and metres that each walks in a tick. */
const [WALKERS, STEP] = [200, 0.025];
const TICKS = 40;

/** Each moves as far as it can, is pushed out of what it touches, and looks for the floor below. */
export function walkAround({ octree, scene, extent, random }: Fair): void {
  const floor = new Mesh(new PlaneGeometry(2 * extent, 2 * extent, 100, 100).rotateX(-Math.PI / 2));
  floor.geometry.boundsTree = new MeshBVH(floor.geometry);
  floor.updateMatrixWorld();
  octree.insert(new Box3().setFromObject(floor), floor);
  octree.update();
  const walkers = Array.from({ length: WALKERS }, () => {
    const start = new Vector3(random.between(-extent, extent) / 2.2, 0.7, random.between(-extent, extent) / 2.2);
    return { start, end: start.clone().setY(1.4), radius: 0.3, heading: random.between(0, 6) };
  });
  const contacts: TriangleHit<Mesh>[] = [];
  const motion = new Vector3();
  const push = new Vector3();
  const none = new Vector3();
  const down = new Vector3(0, -1, 0);
  let lowest = Infinity;
  let contactsFound = 0;
  compare(
    {
      'a walker: cast, contacts, floor': (k) => {
        const walker = walkers[k % WALKERS];
        const { start, end } = walker;
        motion.set(STEP * Math.cos(walker.heading), 0, STEP * Math.sin(walker.heading));
        const ahead = castShape(scene, walker, motion);
        // Where it starts inside, the contacts push it out.
        if (ahead !== null && !ahead.inside) {
          motion.multiplyScalar(ahead.time);
          walker.heading += 1;
        }
        start.add(motion);
        end.add(motion);
        contactsFound += intersectTriangles(scene, walker, undefined, contacts).length;
        solveContacts(contacts, none, push);
        // What hangs above does not push through the floor.
        push.y = Math.max(0, push.y);
        start.add(push);
        end.add(push);
        const ground = castShape(scene, walker, down);
        if (ground !== null && !ground.inside) {
          start.y -= ground.time;
          end.y -= ground.time;
        }
        lowest = Math.min(lowest, start.y - walker.radius);
      },
    },
    { 'a walker: cast, contacts, floor': WALKERS * TICKS },
  );
  console.log(`  ${contactsFound} contacts; the lowest walker is at ${lowest.toFixed(3)} m`);
  if (contactsFound === 0 || lowest < -0.01) throw new Error('a walker has fallen through the floor');
}

const MEMORY_MESHES = 2000;

/** With a geometry and a tree for each mesh, and with those of the fair. */
export async function compareMemory({ meshes }: Fair): Promise<void> {
  await held();
  for (const isShared of [true, false]) await measureMemory(meshes, isShared);
}

async function measureMemory(meshes: readonly Mesh[], isShared: boolean): Promise<void> {
  const copies = meshes.slice(0, MEMORY_MESHES).map((mesh) => {
    const copy = new Mesh(isShared ? mesh.geometry : mesh.geometry.clone());
    copy.geometry.boundsTree ??= new MeshBVH(copy.geometry);
    copy.matrixWorld.copy(mesh.matrixWorld);
    return copy;
  });
  const boxes = copies.map(({ geometry, matrixWorld }) => {
    geometry.computeBoundingBox();
    return geometry.boundingBox!.clone().applyMatrix4(matrixWorld);
  });
  const before = await held();
  const octree = new Octree<Mesh>();
  for (const [k, mesh] of copies.entries()) octree.insert(boxes[k], mesh);
  octree.update();
  const withOctree = await held();
  const scene = new TriangleScene(octree, ({ data }, target) => {
    target.geometry = data.geometry;
    target.matrix = data.matrixWorld;
  });
  const center = new Vector3();
  const hits: never[] = [];
  for (const box of boxes) intersectTriangles(scene, { center: box.getCenter(center), radius: 0 }, undefined, hits);
  const after = await held();
  const [ofOctree, ofScene] = [withOctree - before, after - withOctree].map((bytes) => bytes / copies.length);
  const geometries = isShared ? 'shared geometries' : 'a geometry each';
  console.log(
    `  ${scene.octree.size} meshes, ${geometries}: octree ${ofOctree.toFixed(0)} B, TriangleScene ${ofScene.toFixed(0)} B`,
  );
}
