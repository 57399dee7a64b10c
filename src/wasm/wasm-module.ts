/** A WebAssembly module that is compiled at its first use. */

export class WasmModule {
  private readonly code: string;
  /** Undefined before the first use; null if it cannot be compiled, as in an old browser or under a policy that forbids WebAssembly, or after there was not enough memory. */
  private compiled: WebAssembly.Module | null | undefined;

  /** `code` is the binary in base64. */
  constructor(code: string) {
    this.code = code;
  }

  /** The module, or null. Compiles synchronously, which some browsers allow only up to 4096 bytes. */
  compile(): object | null {
    if (this.compiled === undefined) {
      try {
        this.compiled = new WebAssembly.Module(Uint8Array.from(atob(this.code), (character) => character.charCodeAt(0)));
      } catch {
        this.compiled = null;
      }
    }
    return this.compiled;
  }

  /** Runs a function that needs memory. Returns null if there is not enough; from then on `compile` returns null, because each failed attempt costs a full garbage collection. */
  giveUpWithoutMemory<Result>(run: () => Result): Result | null {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.compiled = null;
      return null;
    }
  }
}
