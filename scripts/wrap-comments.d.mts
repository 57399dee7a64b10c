/** The source of a file, its comments wrapped. A comment beside code stays as it is. */
export function wrapComments(file: string, source: string): string;
