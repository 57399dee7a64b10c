export function compileWalker(): Promise<string>;
