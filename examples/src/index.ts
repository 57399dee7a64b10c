// Fills the landing page with one card per example, and filters the cards by words and tags. The address keeps the
// filter.

import examples from '../examples.json';
import { copyText } from './shared/copy-text.ts';
import { showToast } from './shared/toast.ts';
import { filterExamples, readFilter, tagsOf, writeFilter } from './index/filter.ts';

const images = import.meta.glob<string>('../images/*.webp', { query: '?url', import: 'default', eager: true });

const list = document.querySelector<HTMLElement>('#examples')!;
const search = document.querySelector<HTMLInputElement>('#search')!;
const folded = document.querySelector<HTMLDetailsElement>('#tags')!;
const tagList = folded.querySelector<HTMLElement>('[role=group]')!;
const nothing = document.querySelector<HTMLElement>('#nothing')!;
const install = document.querySelector<HTMLElement>('#install')!;
const status = document.querySelector<HTMLElement>('#found')!;

const filter = readFilter(new URLSearchParams(location.search), tagsOf(examples));
const cards = new Map(examples.map((example) => [example, createCard(example)]));
const buttons = new Map(tagsOf(examples).map((tag) => [tag, createTagButton(tag)]));

list.append(...cards.values());
tagList.append(...buttons.values());
search.value = filter.words;
folded.open = filter.tag !== null;
search.addEventListener('input', () => {
  filter.words = search.value;
  show();
});
// The form has nothing to send: the filter has taken effect with each key.
search.form!.addEventListener('submit', (event) => event.preventDefault());
nothing.querySelector('a')!.addEventListener('click', (event) => {
  event.preventDefault();
  Object.assign(filter, { words: '', tag: null });
  search.value = '';
  search.focus();
  show();
});
document
  .querySelector('#copy')!
  .addEventListener(
    'click',
    () => void copyText(install, 'The line').then((problem) => showToast(problem ?? 'Copied.')),
  );
show();

function show(): void {
  const found = new Set(filterExamples(examples, filter));
  nothing.hidden = found.size > 0;
  for (const [example, card] of cards) card.hidden = !found.has(example);
  for (const [tag, button] of buttons) button.setAttribute('aria-pressed', String(filter.tag === tag));
  const isFiltered = filter.words.trim() !== '' || filter.tag !== null;
  status.textContent = isFiltered ? `${found.size} of ${examples.length} examples` : `${examples.length} examples`;
  history.replaceState(null, '', `${location.pathname}${writeFilter(filter)}${location.hash}`);
}

function createCard({ slug, title, line, tags }: (typeof examples)[number]): HTMLElement {
  const card = document.createElement('article');
  card.className = 'card';
  const image = document.createElement('img');
  // Without a picture the card keeps its size.
  image.src =
    images[`../images/${slug}.webp`] ??
    'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
  image.alt = '';
  image.width = 1280;
  image.height = 720;
  image.decoding = 'async';
  const link = textElement('a', title);
  link.href = `examples/${slug}.html`;
  const heading = document.createElement('h2');
  heading.append(link);
  const tagItems = document.createElement('ul');
  tagItems.setAttribute('aria-label', 'Tags');
  tagItems.append(...tags.map((tag) => textElement('li', tag)));
  card.append(image, heading, textElement('p', line), tagItems);
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
