// Waits until the site is built, before the tests of a file.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_ERROR, EMPTY_PAGE, OUT_DIR } from './site-files.ts';

const error = join(OUT_DIR, BUILD_ERROR);
while (!existsSync(join(OUT_DIR, EMPTY_PAGE))) {
  if (existsSync(error)) throw new Error(readFileSync(error, 'utf8'));
  await new Promise((resolve) => setTimeout(resolve, 200));
}
