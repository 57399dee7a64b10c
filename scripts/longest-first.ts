// Order of the test files: the longest first, so that no core is idle while the last file runs. Vitest knows how long a
// file takes only from earlier runs, and a clean clone has none. A worker runs files of one project, and ends if the
// next file is of another one: with it end the modules that it has loaded, and their optimized code. So the files of
// the small projects come first, each project by itself.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** From the longest on: in Node about 130 to 10 s with another file beside them, of the pages 75 to 25 s. */
const LONGEST = [
  'test/histories/history.test.ts',
  'test/package/package.test.ts',
  'test/triangles/queries.test.ts',
  'test/triangles/screen/select-within.test.ts',
  'test/three/failed-slices.test.ts',
  'test/batches/resting.test.ts',
  'test/soak/soak.test.ts',
  'test/three/throwing-callbacks.test.ts',
  'test/histories/occlusion-history.test.ts',
  'test/triangles/mesh-distance.test.ts',
  'test/site/bullets-parts.test.ts',
  'test/batches/posed.test.ts',
  'test/octree/allocation.test.ts',
  'test/site/fair.test.ts',
  'test/site/reference.test.ts',
  'test/site/first-visit.test.ts',
  'test/site/small-examples.test.ts',
  'test/site/batch.test.ts',
  'test/site/your-scene.test.ts',
  'test/site/layout.test.ts',
  'test/site/drop-in.test.ts',
  'test/site/streets.test.ts',
  'test/site/gallery.test.ts',
  'test/site/bullets.test.ts',
  'test/site/picking-layout.test.ts',
  'test/site/fly-through.test.ts',
];

const SMALL_PROJECTS = ['histories', 'unit-fresh', 'long-pages'];

const blockOf = ({ project }: TestSpecification): number => {
  const block = SMALL_PROJECTS.indexOf(project.name);
  return block < 0 ? SMALL_PROJECTS.length : block;
};
const rankOf = ({ moduleId }: TestSpecification): number =>
  LONGEST.findIndex((path) => moduleId.endsWith(path)) + 1 || Infinity;
const orderOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort(
      (a, b) =>
        orderOf(a) - orderOf(b) || blockOf(a) - blockOf(b) || (rankOf(a) === rankOf(b) ? 0 : rankOf(a) - rankOf(b)),
    );
  }
}
