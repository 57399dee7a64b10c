// Fills the landing page with one card per example.

import examples from '../examples.json';

const images = import.meta.glob<string>('../images/*.webp', { query: '?url', import: 'default', eager: true });

document.querySelector('#examples')!.append(...examples.map((example) => {
  const card = document.createElement('a');
  card.className = 'card';
  card.href = `examples/${example.slug}.html`;
  const address = images[`../images/${example.slug}.webp`];
  if (address !== undefined) {
    const image = document.createElement('img');
    image.src = address;
    image.alt = '';
    card.append(image);
  }
  const tags = document.createElement('ul');
  tags.append(...example.tags.map((tag) => textElement('li', tag)));
  card.append(textElement('h2', example.title), textElement('p', example.line), tags);
  return card;
}));

function textElement(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
