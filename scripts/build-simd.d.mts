export function compileWasm(): Promise<string>;
