/**
 * A WebAssembly module that is compiled at its first use. It has at most 4,096 bytes: browsers have refused to compile
 * larger ones on the main thread at once.
 */

export class WasmModule {
  private readonly code: string;
  /** Undefined before the first use; null if it cannot be compiled. */
  private compiled: WebAssembly.Module | null | undefined;

  /** `code` is the binary as text, see `encode` in scripts/build-simd.mjs. */
  constructor(code: string) {
    this.code = code;
  }

  /** Compiles the module at the first call. Returns whether it is compiled: if it fails, never. */
  compile(): boolean {
    if (this.compiled === undefined) {
      this.compiled = null;
      try {
        this.compiled = new WebAssembly.Module(decode(this.code));
      } catch {
        // An old browser, or a policy that forbids WebAssembly.
      }
    }
    return this.compiled !== null;
  }

  /** The functions of the module, which must be compiled, for a WebAssembly.Memory. */
  instantiate(memory: object): object {
    return new WebAssembly.Instance(this.compiled!, { env: { memory: memory as WebAssembly.Memory } }).exports;
  }
}

/** The binary of a module: a byte for each character from ( to [, and 52 to 208 more after a character from { to ~. */
function decode(code: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let page = 0;
  for (let k = 0; k < code.length; k++) {
    const number = code.charCodeAt(k) - 40;
    if (number < 52) {
      bytes.push(page + number);
      page = 0;
    } else page = (number - 82) * 52;
  }
  return Uint8Array.from(bytes);
}
