/**
 * How long tiles take in an `OctreeTiles`: to be read when they are loaded, to enter and to leave, and picks among the
 * objects of the leaves against the raycast of three. The shortest time of some rounds counts, for each tile: other
 * work of the machine only adds to it.
 */

import { MeshoptDecoder } from 'meshoptimizer';
import { Box3, Group, Raycaster, Scene, Vector3, type Object3D } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { OctreeGroup, OctreeTiles } from '../../src/three.ts';
import { createRandom } from '../support/random.ts';

const ROUNDS = 12;
const RAYS = 600;
type Tile = Parameters<OctreeTiles['setTileVisible']>[0];

export async function measureEntries(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await MeshoptDecoder.ready;
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  const glbs = Array.from(files).filter(([path]) => path.endsWith('.glb'));
  const times = { read: [] as number[], enter: [] as number[], leave: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const { plugin, send } = createPlugin();
    const tiles: Tile[] = [];
    for (const [, bytes] of glbs) {
      const metadata = await loader.parseAsync(bytes.slice().buffer, '');
      tiles.push({ engineData: { scene: metadata.scene, metadata } } as unknown as Tile);
    }
    const measure = (kind: keyof typeof times, k: number, work: () => void): void => {
      const start = performance.now();
      work();
      times[kind][k] = Math.min(times[kind][k] ?? Infinity, performance.now() - start);
    };
    for (const [k, tile] of tiles.entries()) {
      measure('read', k, () => send('load-model', { tile }));
      await Promise.resolve();
      measure('enter', k, () => {
        plugin.setTileVisible(tile, true);
        send('update-after', {});
      });
    }
    if (round === 0) comparePicks(plugin);
    for (const [k, tile] of tiles.entries()) measure('leave', k, () => plugin.setTileVisible(tile, false));
  }
  for (const [kind, all] of Object.entries(times)) {
    const sorted = [...all].sort((a, b) => a - b);
    const at = (share: number): string => sorted[Math.floor(share * (sorted.length - 1))].toFixed(3);
    console.log(`${kind}: ${at(0.5)} ms of a tile, ${at(0.9)} of nine in ten, at most ${at(1)}`);
  }
}

/** A plugin, and the renderer that shows what it is told to. */
function createPlugin(): { plugin: OctreeTiles; send: (name: string, event: object) => void } {
  const listeners = new Map<string, (event: object) => void>();
  const group = new Group();
  new Scene().add(group);
  const plugin = new OctreeTiles(new OctreeGroup());
  plugin.init({
    group,
    displayActiveTiles: false,
    autoDisableRendererCulling: true,
    visibleTiles: new Set(),
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    removeEventListener: () => undefined,
    setTileVisible: () => undefined,
  } as unknown as Parameters<OctreeTiles['init']>[0]);
  return { plugin, send: (name, event) => listeners.get(name)!(event) };
}

/** All tiles are shown: those above the leaves, too, which makes both slower. */
function comparePicks(plugin: OctreeTiles): void {
  const random = createRandom(1);
  const scene: Object3D = plugin.group;
  scene.updateMatrixWorld();
  const { min, max } = new Box3().setFromObject(scene);
  const rays = Array.from({ length: RAYS }, () => {
    const from = new Vector3(random.between(min.x, max.x), max.y + 10, random.between(min.z, max.z));
    const to = new Vector3(random.between(min.x, max.x), min.y, random.between(min.z, max.z));
    return new Raycaster(from, to.sub(from).normalize());
  });
  const meshes: Object3D[] = [];
  scene.traverse((object) => void ('isMesh' in object && meshes.push(object)));
  let same = 0;
  let [own, others] = [0, 0];
  for (const ray of rays) {
    const start = performance.now();
    const hit = plugin.raycastFirst(ray);
    const middle = performance.now();
    const [first] = ray.intersectObjects(meshes, false);
    own += middle - start;
    others += performance.now() - middle;
    if (first?.distance === hit?.distance) same++;
  }
  const us = (sum: number): string => ((1000 * sum) / RAYS).toFixed(1);
  console.log(
    `picks: ${us(own)} us, raycast of three ${us(others)}: 1 / ${(others / own).toFixed(0)}; ${same} of ${RAYS} hits the same`,
  );
}
