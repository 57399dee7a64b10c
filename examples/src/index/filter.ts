// The filter of the landing page: words, which are searched in all of the site, or a tag of the examples.

export interface Example {
  readonly slug: string;
  readonly title: string;
  readonly line: string;
  readonly tags: readonly string[];
}

export interface Filter {
  words: string;
  /** Null: any. */
  tag: string | null;
}

/** All tags, the most frequent first, then by their first example. */
export function tagsOf(examples: readonly Example[]): string[] {
  const counts = new Map<string, number>();
  for (const { tags } of examples) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!);
}

/** Reads the filter from the page's query string, for instance `?q=ray&tag=selection`. Unknown tags are ignored. */
export function readFilter(query: URLSearchParams, tags: readonly string[]): Filter {
  const tag = query.get('tag');
  return { words: query.get('q') ?? '', tag: tag !== null && tags.includes(tag) ? tag : null };
}

/** The query string of a filter, with its question mark; '' if it shows all. */
export function writeFilter({ words, tag }: Filter): string {
  const query = new URLSearchParams();
  if (words.trim() !== '') query.set('q', words.trim());
  if (tag !== null) query.set('tag', tag);
  return query.size === 0 ? '' : `?${query.toString()}`;
}
