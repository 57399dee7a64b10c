/** Compiles src/tree/simd/assembly (AssemblyScript) into src/tree/simd/wasm-code.ts. */
import { writeFile } from 'node:fs/promises';
import { createMemoryStream, main } from 'assemblyscript/asc';

const SOURCE = 'src/tree/simd/assembly/walk.ts';
const TARGET = 'src/tree/simd/wasm-code.ts';
// Nothing is allocated, so the smallest runtime will do; the memory is made by wasm-traversal.ts.
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--importMemory', '--noExportMemory'];

/** The text of the target file. */
export async function compileWasm() {
  const errors = createMemoryStream();
  let binary = new Uint8Array();
  const { error } = await main([SOURCE, ...OPTIONS, '--outFile', 'traversal.wasm'], {
    stderr: errors,
    writeFile: (_name, contents) => void (binary = contents),
  });
  if (error !== null) throw new Error(`${SOURCE} cannot be compiled: ${errors.toString()}`);
  const code = Buffer.from(binary).toString('base64');
  return `/** The WASM traversal, ${binary.length} bytes: ${SOURCE}, compiled by \`npm run build:simd\`. */\nexport const wasmCode =\n  '${code}';\n`;
}

if (process.argv[1]?.endsWith('build-simd.mjs')) {
  await writeFile(TARGET, await compileWasm());
}
