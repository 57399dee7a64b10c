// The lines that matter of each demo, which its page shows: what the library does there. Compiled with the examples;
// the pages' plugin takes the text of a block by the comment above it.

import { TilesRenderer } from '3d-tiles-renderer';
import { MeshBVH } from 'three-mesh-bvh';
import type { Capsule } from 'three/addons/math/Capsule.js';
import type { Frustum, Mesh, PerspectiveCamera, Scene, Sphere, Vector3, WebGLRenderer } from 'three';
import { castRays, castSphere, type IndexList, Octree, type RayHits, trackContacts, watch } from 'scene-octree';
import {
  type InstanceChanges,
  OcclusionCulling,
  OctreeGroup,
  OctreeTiles,
  pick,
  ShadowUpdates,
  StaticBatches,
} from 'scene-octree/three';
import { intersectTriangles, solveContacts, TriangleScene } from 'scene-octree/triangles';

declare const canvas: HTMLCanvasElement;
declare const [camera, renderer, scene]: [PerspectiveCamera, WebGLRenderer, Scene];
declare const [houses, lifts]: [Mesh[], Mesh[]];
declare const person: Capsule;
declare const [frustum, frusta, visible]: [Frustum, Frustum[], IndexList];
declare const [bullet, motion, boxes]: [Sphere, Vector3, Float32Array];
declare const seconds: number;
declare const [rays, hits]: [Float64Array, RayHits];
declare const people: InstanceChanges;
declare const zone: { min: Vector3; max: Vector3 };
declare function show(...what: unknown[]): void;
declare function draw(visible: IndexList): void;

// fly-through
{
  const octree = new Octree();
  octree.insertMany(boxes, { kind: 'box' });
  octree.collectFrustum(frustum, visible); // in each frame
}

// tiles
{
  const tiles = new TilesRenderer('city/tileset.json'); // files of writeTiles
  const plugin = new OctreeTiles(new OctreeGroup());
  tiles.registerPlugin(plugin);
  canvas.addEventListener('click', (event) => show(plugin.pick(event, camera, canvas)?.name));
}

// batch
{
  const group = new OctreeGroup({ hasStaticChildren: true });
  group.add(...houses);
  group.setStatic(houses[0], false); // it moves
  show(new StaticBatches(group, { posesMovers: true }));
}

// streets
{
  const group = new OctreeGroup({ hasStaticChildren: true });
  group.add(...houses);
  show(new OcclusionCulling(group, camera));
}

// lights
{
  const town = new OctreeGroup({ hasStaticChildren: true });
  town.add(...houses);
  show(new ShadowUpdates(scene, renderer, [town, people]));
}

// picking
{
  const group = new OctreeGroup().add(...houses);
  canvas.addEventListener('click', (event) => show(pick(event, camera, canvas, group)));
}

// fair
{
  const triangles = new TriangleScene(new OctreeGroup().add(...houses, ...lifts), { MeshBVH });
  const contacts = intersectTriangles(triangles, person);
  person.translate(solveContacts(contacts, motion)); // slides along what it touches
}

// bullets
{
  const octree = new Octree();
  const hit = castSphere(octree, bullet, motion);
  show(hit?.body, hit?.distance);
}

// contacts
{
  const octree = new Octree();
  const contacts = trackContacts(octree);
  octree.update(seconds); // after the bodies have moved
  show(contacts.began, contacts.ended);
}

// sensors
{
  const octree = new Octree();
  const sensor = watch(octree, zone);
  octree.update(seconds); // after the bodies have moved
  show(sensor.entered, sensor.left);
}

// line-of-sight
{
  const octree = new Octree();
  castRays(octree, rays, hits);
  show(hits.distances);
}

// views
{
  const octree = new Octree();
  for (const frustum of frusta) {
    octree.collectFrustum(frustum, visible); // camera, shadow cascades, minimap
    draw(visible);
  }
}
