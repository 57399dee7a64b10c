/** Compiles the modules of WebAssembly (AssemblyScript) into TypeScript files: each `...-code.ts` below src. */
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createMemoryStream, main } from 'assemblyscript/asc';

/** The first lines of a compiled module: its title, its source and the name of its constant. */
const HEAD =
  /^\/\*\* (?<title>.+), \d+ bytes: (?<source>\S+), compiled by `npm run build:simd`\. \*\/\nexport const (?<constant>\w+)/;
/** The modules, as the first lines of their files describe them. For a new module write these lines by hand. */
export const MODULES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('-code.ts'))
  .map((file) => {
    const target = `src/${file.replaceAll('\\', '/')}`;
    return { target, ...HEAD.exec(readFileSync(target, 'utf8')).groups };
  });
// Nothing is allocated, so the smallest runtime will do; the memory is made by wasm-traversal.ts.
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
