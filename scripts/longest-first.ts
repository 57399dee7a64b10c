// Order of the test files: the longest first, so that no core is idle while the last file runs. Vitest knows how long a
// file takes only from earlier runs, and a clean clone has none.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** From the longest on, in seconds alone on one core: about 100, 30, 14, 12, 8, 8, 7 and 7; of the pages 30 to 15. */
const LONGEST = [
  'test/histories/history.test.ts',
  'test/package/package.test.ts',
  'test/octree/allocation.test.ts',
  'test/wasm/walk-wasm.test.ts',
  'test/octree/cost.test.ts',
  'test/three/group/group-raycast.test.ts',
  'test/three/group/rotterdam.test.ts',
  'test/site/bullets-parts.test.ts',
  'test/site/reference.test.ts',
  'test/site/your-scene.test.ts',
  'test/site/drop-in.test.ts',
  'test/site/fly-through.test.ts',
  'test/site/bullets.test.ts',
  'test/site/picking-layout.test.ts',
  'test/browser/scenes-webgpu.test.ts',
  'test/browser/scenes-webgl.test.ts',
];

const rankOf = ({ moduleId }: TestSpecification): number =>
  LONGEST.findIndex((path) => moduleId.endsWith(path)) + 1 || Infinity;
const orderOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => orderOf(a) - orderOf(b) || (rankOf(a) === rankOf(b) ? 0 : rankOf(a) - rankOf(b)));
  }
}
