/** What needs no renderer, with the three that is installed. */
import { Box3, BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Raycaster, REVISION, Vector3 } from 'three';
import { Octree } from 'scene-octree';
import { BruteForce } from 'scene-octree/debug';
import { boundsOf, OctreeGroup, OctreeHelper, OctreeInstances, pick } from 'scene-octree/three';

const warnings = [];
console.warn = (text) => warnings.push(text);

const octree = new Octree();
const body = octree.insert(new Box3(new Vector3(), new Vector3(1, 1, 1)), 'box');
new OctreeHelper(octree).update();

const group = new OctreeGroup();
const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
mesh.position.z = -5;
group.add(mesh, new Mesh());
group.updateMatrixWorld();
const [hit] = new Raycaster(new Vector3(), new Vector3(0, 0, -1)).intersectObject(group);

const element = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 100, height: 100 }) };
const picked = pick({ clientX: 50, clientY: 50 }, new PerspectiveCamera(), element, group);

const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 2);
instances.setMatrixAt(1, mesh.matrixWorld);
instances.updateMatrixWorld();
const [instanceHit] = new Raycaster(new Vector3(0, 0, -9), new Vector3(0, 0, 1)).intersectObject(instances);

// The node builder of older versions does not load in Node.
const tsl = Number(REVISION) < 187 ? { instanceId: { isNode: true } } : await import('scene-octree/tsl');

console.log(
  JSON.stringify({
    revision: REVISION,
    isBox3: body.getBox() instanceof Box3,
    bounds: boundsOf(mesh) !== undefined,
    distance: hit.distance,
    picked: picked.object === mesh,
    instance: instanceHit.instanceId,
    reference: typeof BruteForce,
    isNode: tsl.instanceId.isNode,
    warnings,
  }),
);
