export function obstaclesOf(packageText: string, changelog: string): string[];
