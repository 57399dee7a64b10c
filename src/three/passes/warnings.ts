/** Warnings on the console. The only file of the library that writes to it. */

/** By object: the topics on which a warning has been given. */
const given = /* @__PURE__ */ new WeakMap<object, Set<string>>();

export function warn(text: string): void {
  console.warn(text);
}

/** Warns once for each object and topic. For faults that three ignores silently: an error in every frame would stop the page. */
export function warnOnce(about: object, topic: string, text: string): void {
  let topics = given.get(about);
  if (topics === undefined) given.set(about, (topics = new Set()));
  if (topics.has(topic)) return;
  topics.add(topic);
  warn(text);
}
