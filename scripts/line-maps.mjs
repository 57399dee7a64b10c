// Reduces the source maps in dist to one position for each line: the code there is not minified, so a debugger and a
// stack trace need no columns, and the maps are a fifth as large in the package. `npm run build` calls it.
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The segments of a generated line at which another line of the sources begins. */
function lineStarts(segments) {
  let last = '';
  const starts = [];
  for (const segment of segments) {
    if (segment.length === 1) continue;
    const [column, source, line, sourceColumn] = segment;
    const place = `${source}:${line}`;
    if (place !== last) starts.push([column, source, line, sourceColumn]);
    last = place;
  }
  return starts;
}

for (const name of readdirSync('dist')) {
  if (!name.endsWith('.js.map')) continue;
  const file = join('dist', name);
  const map = JSON.parse(readFileSync(file, 'utf8'));
  const mappings = encode(decode(map.mappings).map(lineStarts));
  writeFileSync(file, JSON.stringify({ ...map, names: [], mappings }));
}
