/** Compiles the modules of src/wasm/assembly (AssemblyScript) into TypeScript files in src/wasm. */
import { writeFile } from 'node:fs/promises';
import { createMemoryStream, main } from 'assemblyscript/asc';

const FOLDER = 'src/wasm';
/** Each module with its source, its target and the constant in the target. */
export const MODULES = [
  { title: 'The WASM traversal', source: `${FOLDER}/assembly/walk.ts`, target: `${FOLDER}/wasm-code.ts`, constant: 'wasmCode' },
  { title: 'The walk of ray streams', source: `${FOLDER}/assembly/ray-stream.ts`, target: `${FOLDER}/ray-stream-code.ts`, constant: 'rayStreamCode' },
  { title: 'Bulk moves', source: `${FOLDER}/assembly/moves.ts`, target: `${FOLDER}/moves-code.ts`, constant: 'movesCode' },
];
// Nothing is allocated, so the smallest runtime will do; the memory is made by wasm-memory.ts.
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--importMemory', '--noExportMemory'];

/** The text of the target file of a module. */
export async function compileWasm({ title, source, constant }) {
  const errors = createMemoryStream();
  let binary = new Uint8Array();
  const { error } = await main([source, ...OPTIONS, '--outFile', 'traversal.wasm'], {
    stderr: errors,
    writeFile: (_name, contents) => void (binary = contents),
  });
  if (error !== null) throw new Error(`${source} cannot be compiled: ${errors.toString()}`);
  const code = Buffer.from(binary).toString('base64');
  return `/** ${title}, ${binary.length} bytes: ${source}, compiled by \`npm run build:simd\`. */\nexport const ${constant}: string =\n  '${code}';\n`;
}

if (process.argv[1]?.endsWith('build-simd.mjs')) {
  for (const module of MODULES) await writeFile(module.target, await compileWasm(module));
}
