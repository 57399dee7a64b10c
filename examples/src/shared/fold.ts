// The button "more" of a card of figures. It shows the figures with the class `detail`, which demo.css hides in small
// windows, and in a card with the class `is-short` in all.

export function connectFold(card: HTMLElement): void {
  const button = card.querySelector<HTMLButtonElement>('.more');
  button?.addEventListener('click', () => {
    const isOpen = card.classList.toggle('is-open');
    button.setAttribute('aria-expanded', String(isOpen));
    button.textContent = isOpen ? 'less' : 'more';
  });
}
