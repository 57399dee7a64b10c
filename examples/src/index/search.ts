// The search of the landing page: over the full text of guides, of the API reference and of the examples, with the
// words that users of other libraries look for. All of it runs in the page.

import MiniSearch, { type SearchResult } from 'minisearch';
import { SYNONYMS } from './synonyms.ts';

/** What can be found: a section of a guide, a name of the API or a member ("OctreeGroup.setStatic"), an example. */
export interface SearchDocument {
  readonly kind: 'guide' | 'api' | 'example';
  readonly title: string;
  /** Of a section: the title of its guide. Of a name: its entry point. */
  readonly place: string;
  readonly text: string;
  /** Relative to the root of the site. */
  readonly address: string;
}

export interface FoundDocument extends Omit<SearchDocument, 'text'> {
  /** The part of the text that says most about the words. */
  readonly excerpt: string;
}

/** Examples are what a reader wants to see first, sections of guides explain, names of the API are for look-ups. */
const BOOSTS = { example: 1.3, guide: 1.2, api: 0.9 } as const;
/** For a word that is the whole title, such as the name of a function. */
const TITLE_BOOST = 10;
/** Members are found by their names, and the page of figures by what stands nowhere else. */
const MEMBER_BOOST = 0.2;
const BENCHMARK_BOOST = 0.2;
/** Options such as `mask` belong to many functions. */
const MAX_MEMBERS = 3;
/** Words of a question that say nothing about its subject. */
const STOP_WORDS = new Set(
  'a an and are as at be by can do does for from how i in is it my of on or that the this to use using what when which why with'.split(
    ' ',
  ),
);
const EXCERPT = 150;
/** Places for users of React, and their questions. */
const PLACE_OF_REACT = /\breact$/i;
const ASKS_FOR_REACT = /react|r3f|fiber|drei/;

export class SiteSearch {
  private readonly engine = new MiniSearch<SearchDocument & { id: number }>({
    fields: ['title', 'place', 'text'],
    storeFields: ['kind', 'title', 'place', 'text', 'address'],
    // "castSphere" is found as "cast sphere" too, "level-of-detail" as three words.
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).flatMap((word) => [word, ...partsOf(word)]),
    // Words are there as a whole too, for words that are being typed: "batchi" is in "batching", not in its stem.
    processTerm: (word) => (isStopWord(word) ? null : [...new Set([stemOf(word), word.toLowerCase()])]),
    searchOptions: {
      processTerm: (word) => (isStopWord(word) ? null : stemOf(word)),
      boost: { title: 4, place: 1.5 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.17 : false),
      weights: { prefix: 0.5, fuzzy: 0.2 },
      boostDocument(_id, term, stored) {
        const { kind, title, place } = stored as unknown as SearchDocument;
        if (isMember(kind, title)) return BOOSTS[kind] * MEMBER_BOOST;
        return (
          BOOSTS[kind] * (stemOf(title) === term ? TITLE_BOOST : 1) * (place === 'Benchmark' ? BENCHMARK_BOOST : 1)
        );
      },
    },
  });

  /** Names of the API, and of their members, in lower case. */
  private readonly names: ReadonlySet<string>;

  constructor(documents: readonly SearchDocument[]) {
    this.names = new Set(documents.filter(({ kind }) => kind === 'api').map(({ title }) => lastPartOf(title)));
    this.engine.addAll(documents.map((document, id) => ({ ...document, id })));
  }

  /** The documents that have all words, or else any of them, the best first. */
  find(words: string, limit = 12): FoundDocument[] {
    const asked = sentenceOf(words);
    // The first pattern that fits counts: phrases stand before their words.
    const isName = this.names.has(asked) && partsOf(words.trim()).length > 0;
    const [, synonyms] = (isName ? undefined : SYNONYMS.find(([pattern]) => pattern.test(asked))) ?? [];
    const queries = [asked, ...(synonyms ?? [])];
    const found = new Map<string, SearchResult>();
    for (const [k, query] of queries.entries()) {
      const all = this.engine.search(query, { combineWith: 'AND' });
      const results = all.length > 0 ? all : this.engine.search(query, { combineWith: 'OR' });
      // What has a synonym is asked for by that, because the words of the user stand elsewhere by chance.
      const weight = synonyms === undefined ? 1 : k === 0 ? 0.4 : 1 / k;
      for (const result of results) {
        const { kind, title, place } = result as unknown as SearchDocument;
        const isTitle = sentenceOf(title) === query || (isName && isMember(kind, title) && lastPartOf(title) === query);
        const isOther = PLACE_OF_REACT.test(place) && !ASKS_FOR_REACT.test(asked);
        const score =
          (isOther ? 0.5 : 1) * (result.score / results[0].score) * weight + (isTitle ? (k === 0 ? 2 : weight) : 0);
        const key = result.address as string;
        if (score > (found.get(key)?.score ?? 0)) found.set(key, { ...result, score });
      }
    }
    // A word that is being typed, on its way to "batching" or "bodies".
    if (found.size === 0 && /.{3}(in?|ie)$/.test(asked)) return this.find(asked.replace(/(in?|ie)$/, ''), limit);
    let members = 0;
    return [...found.values()]
      .sort((a, b) => b.score - a.score)
      .filter(({ kind, title }) => !isMember(kind as string, title as string) || ++members <= MAX_MEMBERS)
      .slice(0, limit)
      .map((result) => {
        const { kind, title, place, text, address } = result as unknown as SearchDocument;
        return { kind, title, place, address, excerpt: excerptOf(text, result.terms) };
      });
  }
}

/** Whether a document is of a member, as in "OctreeGroup.setStatic". */
function isMember(kind: string, title: string): boolean {
  return kind === 'api' && title.includes('.');
}

/** A title or a question in lower case, without the mark at its end. */
function sentenceOf(text: string): string {
  return text.toLowerCase().trim().replace(/[.?]$/, '');
}

/** "setstatic" of "OctreeGroup.setStatic". */
function lastPartOf(title: string): string {
  return title.slice(title.lastIndexOf('.') + 1).toLowerCase();
}

/** The words in a name: "cast" and "Sphere" in "castSphere". */
function partsOf(word: string): string[] {
  const parts = word.split(/(?<=\p{Ll})(?=\p{Lu})/u);
  return parts.length > 1 ? parts : [];
}

function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase());
}

/** A syllable that has lost its "e" if it has lost "ing": "mov", "til", "plan". */
const SHORT = /^[^aeiou]+[aeiouy][^aeiouwxy]$/;

/**
 * A word in lower case without its ending: "remov" of "remove", "removes", "removed" and "removing", "move" of "moves",
 * "moved" and "moving".
 */
function stemOf(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length < 4) return lower;
  const one = lower.replace(/ies$/, 'y').replace(/(?<![sui])s$/, '');
  const root = one.replace(/(?<=[aeiouy].*)(?<=[a-z]{3})(?:ing|(?<!e)ed)$/, '');
  if (root !== one) return SHORT.test(root) ? `${root}e` : root.replace(/(?<=..)([bdgmnprt])\1$/, '$1');
  const short = one.replace(/(?<=[a-z]{2}[^e])e$/, '');
  return SHORT.test(short) ? one : short;
}

/** A part of a text that begins shortly before its first word of those that were found. */
function excerptOf(text: string, terms: readonly string[]): string {
  const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0);
  const first = Math.max(0, Math.min(...places, text.length) - 40);
  const start = places.length === 0 || first === 0 ? 0 : text.indexOf(' ', first) + 1;
  const rest = text.slice(start);
  const end = rest.lastIndexOf(' ', EXCERPT);
  const part = rest.length > EXCERPT ? `${rest.slice(0, end > 0 ? end : EXCERPT)} ...` : rest;
  return `${start > 0 ? '... ' : ''}${part}`;
}
