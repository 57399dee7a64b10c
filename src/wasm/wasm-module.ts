/**
 * A WebAssembly module that is compiled at its first use. Compilation and instantiation are synchronous where the
 * engine allows it. Some browsers throw a RangeError for a large module on the main thread: there both are
 * asynchronous.
 */

/** A module for one memory. */
export interface WasmInstance {
  /** The functions of the module. Null until they can be called: for ever, if the module has failed. */
  readonly exports: object | null;
}

export class WasmModule {
  /** Resolves when an asynchronous step has ended, or failed. Null if there is none. */
  pending: Promise<void> | null = null;
  private readonly code: string;
  private compiled: WebAssembly.Module | null = null;
  private isTried = false;

  /** `code` is the binary as text, see `encode` in scripts/build-simd.mjs. */
  constructor(code: string) {
    this.code = code;
  }

  /**
   * Compiles the module at the first call. Returns whether it is compiled: false as long as that takes, and for ever if
   * it fails.
   */
  compile(): boolean {
    if (!this.isTried) {
      this.isTried = true;
      try {
        const binary = decode(this.code);
        this.attempt(
          () => (this.compiled = new WebAssembly.Module(binary)),
          async () => (this.compiled = await WebAssembly.compile(binary)),
        );
      } catch {
        // An old browser, or a policy that forbids WebAssembly.
      }
    }
    return this.compiled !== null;
  }

  /** Instantiates the module, which must be compiled, for a WebAssembly.Memory. */
  instantiate(memory: object): WasmInstance {
    const compiled = this.compiled!;
    const instance: { exports: object | null } = { exports: null };
    const imports = { env: { memory: memory as WebAssembly.Memory } };
    this.attempt(
      () => (instance.exports = new WebAssembly.Instance(compiled, imports).exports),
      async () => (instance.exports = (await WebAssembly.instantiate(compiled, imports)).exports),
    );
    return instance;
  }

  /** Ends all attempts: from now on `compile` returns false. */
  giveUp(): void {
    this.compiled = null;
  }

  /** Runs a step; if it throws a RangeError, its asynchronous form. */
  private attempt(step: () => void, asynchronously: () => Promise<unknown>): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.pending = asynchronously().then(
        () => undefined,
        () => this.giveUp(),
      );
    }
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
