/**
 * Name and main version of a browser from its user agent string. The order of the marks matters: Edge also contains
 * "Chrome".
 */
export function browserName(userAgent: string): string {
  for (const [mark, name] of [
    ['Edg', 'Edge'],
    ['Firefox', 'Firefox'],
    ['Chrome', 'Chrome'],
    ['Version', 'Safari'],
  ] as const) {
    const found = new RegExp(`${mark}/(\\d+)`).exec(userAgent);
    if (found) return `${name} ${found[1]}`;
  }
  return 'an unknown browser';
}
