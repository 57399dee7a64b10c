/** Compiles the modules of src/wasm/assembly (AssemblyScript) into TypeScript files in src/wasm. */
import { writeFile } from 'node:fs/promises';
import { createMemoryStream, main } from 'assemblyscript/asc';

const FOLDER = 'src/wasm';
/** Each module with its source, its target and the constant in the target. */
export const MODULES = [
  {
    title: 'The WASM traversal',
    source: `${FOLDER}/assembly/walk.ts`,
    target: `${FOLDER}/wasm-code.ts`,
    constant: 'wasmCode',
  },
  {
    title: 'The walk of ray streams',
    source: `${FOLDER}/assembly/ray-stream.ts`,
    target: `${FOLDER}/ray-stream-code.ts`,
    constant: 'rayStreamCode',
  },
  {
    title: 'The occlusion walk',
    source: `${FOLDER}/assembly/occlusion-walk.ts`,
    target: `${FOLDER}/occlusion-code.ts`,
    constant: 'occlusionCode',
  },
];
// Nothing is allocated, so the smallest runtime will do; the memory is made by wasm-memory.ts.
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--importMemory', '--noExportMemory'];

/**
 * The bytes of a module as text, which gzip and brotli shrink by a quarter more than base64, because each byte keeps
 * its own characters. A byte below 52 is one character from ( to [. A larger one follows a character from { to ~, which
 * stands for 52 to 208 to be added. No character needs an escape in a string.
 */
function encode(binary) {
  const bytes = Array.from(
    binary,
    (byte) =>
      (byte < 52 ? '' : String.fromCharCode(122 + Math.floor(byte / 52))) + String.fromCharCode(40 + (byte % 52)),
  );
  return bytes.join('');
}

/** The text of the target file of a module. */
export async function compileWasm({ title, source, constant }) {
  const errors = createMemoryStream();
  let binary = new Uint8Array();
  const { error } = await main([source, ...OPTIONS, '--outFile', 'traversal.wasm'], {
    stderr: errors,
    writeFile: (_name, contents) => void (binary = contents),
  });
  if (error !== null) throw new Error(`${source} cannot be compiled: ${errors.toString()}`);
  return `/** ${title}, ${binary.length} bytes: ${source}, compiled by \`npm run build:simd\`. */\nexport const ${constant}: string =\n  '${encode(binary)}';\n`;
}

if (process.argv[1]?.endsWith('build-simd.mjs')) {
  for (const module of MODULES) await writeFile(module.target, await compileWasm(module));
}
