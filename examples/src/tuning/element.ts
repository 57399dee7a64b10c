/** Creates an HTML element with a class and a text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  text = '',
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  if (className !== '') created.className = className;
  created.textContent = text;
  return created;
}
