import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SiteSearch } from '../../examples/src/index/search.ts';
import { SYNONYMS } from '../../examples/src/index/synonyms.ts';

/** A search over sections with these texts. */
const searchOf = (...texts: readonly string[]): SiteSearch =>
  new SiteSearch(texts.map((text, k) => ({ kind: 'guide', title: text, place: '', text, address: `#${k}` })));

/** Sections of guides, of which no word has a synonym. */
const search = new SiteSearch(
  [
    ['Counting pebbles', 'Pebbles', 'countPebbles counts them, one by one.'],
    ['How it is done', 'How to', 'How do I do it? How can I do that? This is how.'],
    ['Rolling pebbles', 'React', 'A component.'],
    ['Rolling pebbles', 'Streams', 'They tumble downhill until something stops them.'],
  ].map(([title, place, text]) => ({ kind: 'guide', title, place, text, address: `${place}#${title}` })),
);
/** What a question is taken for. */
const rowOf = (question: string) => SYNONYMS.find(([pattern]) => pattern.test(question))?.[1][0];
const titles = (words: string): string[] => search.find(words).map(({ title }) => title);
const places = (words: string): string[] => search.find(words).map(({ place }) => place);

describe('the search of the site', () => {
  it('takes a word for the same with another ending', () => {
    for (const words of ['counted pebble', 'counts pebbles', 'counting pebble'])
      expect([words, titles(words)[0]]).toEqual([words, 'Counting pebbles']);
  });

  it.each([
    ['move', 'moves', 'moved', 'moving'],
    ['remove', 'removes', 'removed', 'removing'],
    ['cache', 'caches', 'cached', 'caching'],
    ['plan', 'plans', 'planned', 'planning'],
    ['add', 'adds', 'added', 'adding'],
    ['box', 'boxes', 'boxed', 'boxing'],
  ])('takes %s, %s, %s and %s for the same', (...forms) => {
    for (const form of forms) {
      const found = searchOf(...forms).find(form);
      expect(found.map(({ title }) => title).sort()).toEqual([...forms].sort());
    }
  });

  it.each([
    ['speed', 'special'],
    ['string', 'streets'],
    ['note', 'nothing'],
    ['cone', 'contours'],
  ])('cuts no ending off that is none: %s is not the beginning of %s', (word, other) => {
    expect(searchOf(word, other).find(word)).toHaveLength(1);
  });

  it('puts planes before what is planned', () => {
    expect(searchOf('planned', 'planes').find('plane')[0].title).toBe('planes');
  });

  it('finds a word while it is typed, from the third letter on', () => {
    for (const word of ['batching', 'moving', 'picking', 'sorting', 'bodies'])
      for (const text of [word, word.replace('ies', 'y').replace('ing', word === 'moving' ? 'e' : '')])
        for (let k = 3; k <= word.length; k++)
          expect([word.slice(0, k), text, searchOf(text).find(word.slice(0, k)).length]).toEqual([
            word.slice(0, k),
            text,
            1,
          ]);
    // All words of the question count.
    expect(titles('pebbles rolli')).toEqual(titles('pebbles rolling'));
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

  it('ends an excerpt without a space after 150 characters', () => {
    const text = 'stones'.repeat(60);
    expect(searchOf(text).find('stones')[0].excerpt).toBe(`${text.slice(0, 150)} ...`);
  });
});

describe('the synonyms', () => {
  it('are of words, not of letters in the middle of one', () => {
    const guides = readdirSync('docs/guides').map((file) => readFileSync(`docs/guides/${file}`, 'utf8').toLowerCase());
    const words = new Set(guides.join(' ').match(/[a-z]{2,}/g));
    const matches = SYNONYMS.flatMap(([pattern]) =>
      [...words].filter((word) => pattern.test(word)).map((word) => ({ pattern, word })),
    );
    expect(matches.length).toBeGreaterThan(200);
    expect(matches.filter(({ pattern, word }) => pattern.test(`q${word}`))).toEqual([]);
  });

  it.each(['conversion', 'observer', 'requestanimationframe', 'freeze', 'background', 'linear', 'question', 'indoor'])(
    'do not take "%s" for another word',
    (word) => expect(rowOf(word)).toBe(undefined),
  );

  it.each([
    ['array of instances', 'many copies of one mesh'],
    ['ray instances', 'adding, moving, colours, hiding'],
    ['multiple instances', 'many copies of one mesh'],
    ['click not working', 'picking'],
    ['onclick', 'picking'],
    ['raycast not working', "with three's raycaster"],
    ['not working', 'not drawn'],
  ])('take "%s" for "%s"', (question, words) => {
    expect(rowOf(question)).toBe(words);
  });
});
