export const OF_THE_MACHINE: readonly string[];
export function hideFigures(figures: readonly string[]): void;
