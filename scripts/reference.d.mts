export function buildReference(folder: string): Promise<string>;
