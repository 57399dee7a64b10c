// Fills the landing page with one card per example, in groups, searches the site, and filters the cards by tags. The
// address keeps words and tag. The first screen stands in the page; its picture moves.

import examples from '../examples.json';
import { copyText } from './shared/copy-text.ts';
import { showToast } from './shared/toast.ts';
import { readFilter, tagsOf, writeFilter } from './index/filter.ts';
import { addLoop, playLoop } from './index/loops.ts';
import type { FoundDocument } from './index/search.ts';

type Example = (typeof examples)[number];

/** The groups of cards, in their order. */
const GROUPS = {
  start: ['Start here', 'One job each, in a file of at most 90 lines: look at it, copy it, open it in StackBlitz.'],
  see: ['See it', 'Large scenes. Switch things on and off, and see what they cost.'],
  measure: ['Measure it', 'The octree beside other ways, in your browser, also with your own scene.'],
} as const;
const KINDS = { guide: 'Guide', api: 'API', example: 'Example' } as const;
/** Cards with pictures in the first screen. */
const FIRST_CARDS = 8;

const list = document.querySelector<HTMLElement>('#examples')!;
const results = document.querySelector<HTMLElement>('#results')!;
const search = document.querySelector<HTMLInputElement>('#search')!;
const folded = document.querySelector<HTMLDetailsElement>('#tags')!;
const tagList = folded.querySelector<HTMLElement>('[role=group]')!;
const nothing = document.querySelector<HTMLElement>('#nothing')!;
const first = document.querySelectorAll<HTMLElement>('#first, #next');
const status = document.querySelector<HTMLElement>('#found')!;

const filter = readFilter(new URLSearchParams(location.search), tagsOf(examples));
const cards = new Map(examples.map((example, k) => [example, createCard(example, k)]));
const buttons = new Map(tagsOf(examples).map((tag) => [tag, createTagButton(tag)]));

list.append(...Object.keys(GROUPS).map((group) => createGroup(group as keyof typeof GROUPS)));
tagList.append(...buttons.values());
search.value = filter.words;
folded.open = filter.tag !== null;
search.addEventListener('input', () => {
  filter.words = search.value;
  show();
});
// The first words are found at once.
search.addEventListener('focus', () => void loadSearch(), { once: true });
// The form has nothing to send: the words have taken effect with each key.
search.form!.addEventListener('submit', (event) => event.preventDefault());
nothing.querySelector('a')!.addEventListener('click', (event) => {
  event.preventDefault();
  Object.assign(filter, { words: '', tag: null });
  search.value = '';
  search.focus();
  show();
});
for (const copied of document.querySelectorAll<HTMLElement>('.copied')) {
  const [text, button] = copied.children as unknown as [HTMLElement, HTMLElement];
  button.addEventListener(
    'click',
    () => void copyText(text, 'The text').then((problem) => showToast(problem ?? 'Copied.')),
  );
}
playLoop(document.querySelector('.show a')!, document.querySelector('#pause')!, 'fly-through');
show();

function show(): void {
  const isSearch = filter.words.trim() !== '';
  results.hidden = !isSearch;
  list.hidden = isSearch;
  folded.hidden = isSearch;
  // What is found stands below the field.
  for (const part of first) part.hidden = isSearch;
  nothing.hidden = true;
  if (isSearch) void showResults(filter.words);
  else showCards();
  history.replaceState(null, '', `${location.pathname}${writeFilter(filter)}${location.hash}`);
}

function showCards(): void {
  const { tag } = filter;
  const isShown = ({ tags }: Example): boolean => tag === null || tags.includes(tag);
  for (const [example, card] of cards) card.hidden = !isShown(example);
  for (const group of list.children)
    (group as HTMLElement).hidden = group.querySelector('.card:not([hidden])') === null;
  for (const [name, button] of buttons) button.setAttribute('aria-pressed', String(tag === name));
  const { length } = examples.filter(isShown);
  status.textContent = tag === null ? `${length} examples` : `${length} of ${examples.length} examples`;
}

let loading: Promise<{ find(words: string): FoundDocument[] }> | undefined;
function loadSearch(): NonNullable<typeof loading> {
  return (loading ??= Promise.all([import('./index/search.ts'), import('./index/site-documents.ts')]).then(
    async ([{ SiteSearch }, { loadDocuments }]) => new SiteSearch(await loadDocuments()),
  ));
}

async function showResults(words: string): Promise<void> {
  const engine = await loadSearch();
  // Other words may have been typed meanwhile.
  if (words !== filter.words) return;
  const found = engine.find(words);
  nothing.hidden = found.length > 0;
  results.replaceChildren(...found.map(createResult));
  status.textContent = found.length === 1 ? '1 result' : `${found.length} results`;
}

function createResult({ kind, title, place, address, excerpt }: FoundDocument): HTMLElement {
  const link = textElement('a', title);
  link.href = address;
  const heading = document.createElement('h2');
  heading.append(link);
  const about = textElement('p', kind === 'example' || place === title ? KINDS[kind] : `${KINDS[kind]}: ${place}`);
  about.className = 'place';
  const result = document.createElement('li');
  result.append(heading, about, textElement('p', excerpt));
  return result;
}

function createGroup(group: keyof typeof GROUPS): HTMLElement {
  const [title, line] = GROUPS[group];
  const section = document.createElement('section');
  section.className = `group ${group}`;
  const grid = document.createElement('div');
  grid.className = 'cards';
  grid.append(...examples.filter((example) => example.group === group).map((example) => cards.get(example)!));
  section.append(textElement('h2', title), textElement('p', line), grid);
  return section;
}

function createCard({ slug, title, line, tags }: Example, place: number): HTMLElement {
  const card = document.createElement('article');
  card.className = 'card';
  const image = document.createElement('img');
  image.src = `examples/images/${slug}.webp`;
  image.alt = '';
  image.width = 1280;
  image.height = 720;
  image.decoding = 'async';
  if (place >= FIRST_CARDS) image.loading = 'lazy';
  const link = textElement('a', title);
  link.href = `examples/${slug}.html`;
  const heading = document.createElement('h3');
  heading.append(link);
  const tagItems = document.createElement('ul');
  tagItems.setAttribute('aria-label', 'Tags');
  tagItems.append(...tags.map((tag) => textElement('li', tag)));
  card.append(image, heading, textElement('p', line), tagItems);
  addLoop(card, slug);
  return card;
}

/** Shows the examples with a tag; pressed again, all. */
function createTagButton(tag: string): HTMLButtonElement {
  const button = textElement('button', tag);
  button.type = 'button';
  button.addEventListener('click', () => {
    filter.tag = filter.tag === tag ? null : tag;
    show();
  });
  return button;
}

function textElement<Name extends keyof HTMLElementTagNameMap>(name: Name, text: string): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
