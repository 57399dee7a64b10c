/**
 * Moves of 2,000 boxes, several times. WebAssembly runs them where it may, once its code has been loaded: then there is
 * an instance of it.
 */
export async function moveCrowd(Octree) {
  const { Instance } = WebAssembly;
  let instances = 0;
  const octree = new Octree();
  octree.insertMany(new Float32Array(2000 * 6).fill(1), { kind: 'box' });
  octree.update();
  WebAssembly.Instance = class extends Instance {
    constructor(...values) {
      super(...values);
      instances++;
    }
  };
  const indices = Uint32Array.from({ length: 2000 }, (_, k) => k);
  const centers = new Float32Array(3 * 2000);
  for (let tick = 1; tick <= 40 && instances === 0; tick++) {
    octree.moveMany(indices, centers.fill(tick / 1024));
    octree.update();
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  WebAssembly.Instance = Instance;
  return instances > 0;
}

/**
 * A query that runs in WebAssembly where it may: 2,000 boxes in a row, of which a ray hits all, and the first one at a
 * distance of 4.5.
 */
export function queryCrowd(Octree) {
  const { Instance } = WebAssembly;
  let instances = 0;
  WebAssembly.Instance = class extends Instance {
    constructor(...values) {
      super(...values);
      instances++;
    }
  };
  const bounds = new Float32Array(2000 * 6);
  for (let k = 0; k < 2000; k++) bounds.set([4.5 + k, -0.5, -0.5, 5 + k, 0.5, 0.5], 6 * k);
  const octree = new Octree();
  octree.insertMany(bounds, { kind: 'box' });
  const ray = { origin: { x: 0, y: 0, z: 0 }, direction: { x: 1, y: 0, z: 0 } };
  const hits = octree.intersectRay(ray).length;
  const { position } = octree.firstHit(ray);
  WebAssembly.Instance = Instance;
  return { hits, position: [position.x, position.y, position.z], usesWasm: instances > 0 };
}
