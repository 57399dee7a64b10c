export interface WasmSource {
  title: string;
  source: string;
  target: string;
  constant: string;
}
export const MODULES: WasmSource[];
export function compileWasm(module: WasmSource): Promise<string>;
