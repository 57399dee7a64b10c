// All that the search of the landing page finds: the guides and the API, from the file that the reference has of them,
// and the examples, the small ones with their source.

import examples from '../../examples.json';
import type { SearchDocument } from './search.ts';

const sources = import.meta.glob<string>('../../small/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });

/** The examples as documents. */
export const exampleDocuments = (): SearchDocument[] =>
  examples.map(({ slug, title, line, tags }) => {
    const source = sources[`../../${slug}.ts`] ?? sources[`../../${slug}.tsx`] ?? '';
    return {
      kind: 'example',
      title,
      place: tags.join(', '),
      text: `${line} ${source}`,
      address: `examples/${slug}.html`,
    };
  });

/** All documents. Without the reference, as before its first build, the examples alone. */
export async function loadDocuments(): Promise<SearchDocument[]> {
  const response = await fetch('reference/search.json').catch(() => undefined);
  const others = response?.ok === true ? ((await response.json()) as SearchDocument[]) : [];
  return [...exampleDocuments(), ...others];
}
