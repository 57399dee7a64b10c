import { describe, expect, it } from 'vitest';
import { SiteSearch } from '../../examples/src/index/search.ts';

/** Sections of guides, of which no word has a synonym. */
const search = new SiteSearch(
  [
    ['Counting pebbles', 'Pebbles', 'countPebbles counts them, one by one.'],
    ['How it is done', 'How to', 'How do I do it? How can I do that? This is how.'],
    ['Rolling pebbles', 'React', 'A component.'],
    ['Rolling pebbles', 'Streams', 'They tumble downhill until something stops them.'],
  ].map(([title, place, text]) => ({ kind: 'guide', title, place, text, address: `${place}#${title}` })),
);
const titles = (words: string): string[] => search.find(words).map(({ title }) => title);
const places = (words: string): string[] => search.find(words).map(({ place }) => place);

describe('the search of the site', () => {
  it('takes a word for the same with another ending', () => {
    for (const words of ['counted pebble', 'counts pebbles', 'counting pebble'])
      expect([words, titles(words)[0]]).toEqual([words, 'Counting pebbles']);
  });

  it('reads over words that say nothing of the subject', () => {
    expect(titles('how do I count a pebble')).toEqual(['Counting pebbles']);
    expect(titles('how do I')).toEqual([]);
  });

  it('puts pages of React first only where the question is of React', () => {
    expect(places('rolling pebbles')).toEqual(['Streams', 'React']);
    expect(places('rolling pebbles react')[0]).toBe('React');
  });

  it('ends an excerpt with a whole word', () => {
    const text = 'stones '.repeat(60).trim();
    const [{ excerpt }] = new SiteSearch([
      { kind: 'guide', title: 'Stones', place: 'Stones', text, address: '#' },
    ]).find('stones');
    expect(excerpt).toMatch(/^(stones )+\.\.\.$/);
  });
});
