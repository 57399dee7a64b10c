/** Name and main version, from what browsers tell about themselves; the more special one first. */
export function browserName(userAgent: string): string {
  for (const [mark, name] of [['Edg', 'Edge'], ['Firefox', 'Firefox'], ['Chrome', 'Chrome'], ['Version', 'Safari']] as const) {
    const found = new RegExp(`${mark}/(\\d+)`).exec(userAgent);
    if (found) return `${name} ${found[1]}`;
  }
  return 'an unknown browser';
}
