/**
 * A plugin of typedoc: documents have the names of their headings, guides have the order of their table, members of the
 * class Octree are grouped as in the guide "API at a glance", public names in doc comments are links, the main classes
 * come first, no member says from which internal class it is inherited, each page has a link to the examples and a
 * field that searches the site, and search.json has what that finds.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Application,
  Comment,
  CommentTag,
  Converter,
  JSX,
  ReferenceReflection,
  ReflectionKind,
  RendererEvent,
} from 'typedoc';

const ROOT = new URL('../../', import.meta.url);
/** Text of the first heading of a document. */
const HEADING = /^# (.+)$/m;
/** Documents that are no guides, in their order. */
const OTHERS = ['docs/architecture.md', 'docs/glossary.md', 'docs/benchmark.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

/** Classes that come first in the side bar, before those with the order of the source. */
const FIRST = ['Octree', 'OctreeGroup', 'OctreeInstances'];

/**
 * Members of the class Octree by the rows of the table in docs/guides/api.md. `test/site/reference.test.ts` compares
 * both.
 */
const GROUPS = {
  'One body': ['constructor', 'insert', 'remove'],
  'Many bodies': [
    'insertMany',
    'moveMany',
    'setMaskMany',
    'removeMany',
    'bodyAt',
    'dataAt',
    'getBoxAt',
    'getSphereAt',
    'has',
    '[iterator]',
  ],
  'Each frame': ['update', 'size', 'region', 'statistics', 'clear'],
  Frustum: ['intersectFrustum', 'collectFrustum'],
  Ray: ['firstHit', 'firstHitIndex', 'hasHit', 'intersectRay', 'collectRay'],
  Range: ['intersectBox', 'collectBox', 'intersectSphere', 'collectSphere', 'intersectPoint', 'collectPoint'],
  Nodes: ['walk', 'visitNodes'],
};

export function load(app) {
  app.on(Application.EVENT_BOOTSTRAP_END, () => {
    app.options.setValue('categoryOrder', [...Object.keys(GROUPS), '*']);
    app.options.setValue(
      'projectDocuments',
      [...guides(), ...OTHERS].map((path) => new URL(path, ROOT).pathname),
    );
  });
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    const text = document.content.map((part) => part.text).join('');
    document.name = HEADING.exec(text)?.[1].replaceAll('`', '') ?? document.name;
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const type of project.getReflectionsByKind(ReflectionKind.Class))
      if (type.name === 'Octree') for (const member of type.children) addGroup(member);
    for (const entryPoint of project.children) addLinks(entryPoint, namesOf(entryPoint), entryPoint);
  });
  // After the plugin of typedoc that sorts.
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => finish(project), -1000);
  app.renderer.hooks.on('sidebar.begin', (context) => siteLinks(context.relativeURL('../index.html')));
  app.renderer.on(RendererEvent.END, ({ project, outputDirectory }) => {
    const documents = [...sectionsOf(app, project), ...namesIn(app, project)];
    writeFileSync(join(outputDirectory, 'search.json'), JSON.stringify(documents));
  });
}

/** A link to the examples, and a field that searches guides, API and examples. It works without scripts. */
function siteLinks(index) {
  const field = { type: 'search', name: 'q', placeholder: 'Search guides and API', 'aria-label': 'Search the site' };
  return JSX.createElement(
    'div',
    { class: 'site-links' },
    JSX.createElement('a', { href: index }, 'Examples'),
    JSX.createElement('form', { action: index }, JSX.createElement('input', field)),
  );
}

/** What the search of the site finds in the guides: each section, as in examples/src/index/search.ts. */
function sectionsOf(app, project) {
  const documents = project.getReflectionsByKind(ReflectionKind.Document);
  return documents.filter(isGuide).flatMap((document) => {
    const address = `reference/${app.renderer.router.getFullUrl(document)}`;
    const source = document.content.map((part) => part.text).join('');
    return source.split(/^(?=#{1,3} )/m).flatMap((section) => {
      const [, marks, heading] = /^(#{1,3}) (.+)$/m.exec(section) ?? [];
      if (heading === undefined) return [];
      const title = textOf(heading);
      const anchor = marks.length === 1 ? '' : `#${anchorOf(title)}`;
      const text = textOf(section.slice(section.indexOf('\n')));
      return { kind: 'guide', title, place: document.name, text, address: address + anchor };
    });
  });
}

/** Whether a document is for users. Pages about the code would be found for every word. */
function isGuide({ name }) {
  const others = ['docs/architecture.md', 'docs/glossary.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
  return !others.some((path) => HEADING.exec(readFileSync(new URL(path, ROOT), 'utf8'))[1] === name);
}

/** The anchor that typedoc gives a heading. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** What it finds in the API: each exported name of the first entry point that exports it, and its members. */
function namesIn(app, project) {
  return project.children.flatMap((entryPoint) =>
    (entryPoint.children ?? [])
      .filter((child) => !(child instanceof ReferenceReflection) && app.renderer.router.hasUrl(child))
      .map((child) => ({
        kind: 'api',
        title: child.name,
        place: entryPoint.name,
        text: [child, ...(child.signatures ?? []), ...(child.children ?? [])].map(commentOf).join(' '),
        address: `reference/${app.renderer.router.getFullUrl(child)}`,
      })),
  );
}

/** The text of a doc comment; of a member with its name. */
function commentOf(reflection) {
  const { comment } = reflection.signatures?.[0] ?? reflection;
  const text = (comment?.summary ?? []).map((part) => part.text).join('');
  return textOf(reflection.signatures || reflection.isDeclaration?.() ? `${reflection.name}: ${text}` : text);
}

/** Markdown without its marks. */
const textOf = (markdown) =>
  markdown
    .replaceAll(/^```.*$|^\|[-| ]+\|$/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`#|]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Removes the names of internal base classes, and sorts what stands in the side bar. */
function finish(project) {
  for (const reflection of Object.values(project.reflections)) {
    delete reflection.inheritedFrom;
    delete reflection.overwrites;
  }
  for (const { children, childrenIncludingDocuments } of project.children)
    for (const list of [children, childrenIncludingDocuments]) list?.sort((a, b) => placeOf(a) - placeOf(b));
  // Entry points are not sorted, so the documents would come first in the side bar.
  const parts = project.childrenIncludingDocuments;
  project.childrenIncludingDocuments = [
    ...parts.filter(({ kind }) => kind !== ReflectionKind.Document),
    ...parts.filter(({ kind }) => kind === ReflectionKind.Document),
  ];
}

function placeOf({ name }) {
  const place = FIRST.indexOf(name);
  return place < 0 ? FIRST.length : place;
}

/** What an entry point exports, by name. */
function namesOf(entryPoint) {
  const children = entryPoint.children ?? [];
  return new Map(
    children.map((child) => [
      child.name,
      child instanceof ReferenceReflection ? child.tryGetTargetReflectionDeep() : child,
    ]),
  );
}

/**
 * Links the names of an entry point that stand as code in the doc comments of a reflection, and of what is in it.
 *
 * @param page The reflection whose page it is on. It does not link itself.
 */
function addLinks(reflection, names, page) {
  const { summary = [], blockTags = [] } = reflection.comment ?? {};
  for (const parts of [summary, ...blockTags.map(({ content }) => content)])
    for (const [k, { kind, text }] of parts.entries()) {
      const name = /^`(\w+)`$/.exec(text)?.[1];
      const target = kind === 'code' ? names.get(name) : undefined;
      if (target !== undefined && target !== page)
        parts[k] = { kind: 'inline-tag', tag: '@linkcode', text: name, target, tsLinkText: name };
    }
  reflection.traverse((part) => {
    if (part instanceof ReferenceReflection || part.kind === ReflectionKind.Document) return;
    addLinks(part, names, page.kind === ReflectionKind.Module ? part : page);
  });
}

function addGroup(member) {
  const [group] = Object.entries(GROUPS).find(([, names]) => names.includes(member.name)) ?? [];
  if (group === undefined) return;
  for (const commented of member.signatures ?? (member.getSignature ? [member.getSignature] : [member])) {
    commented.comment ??= new Comment();
    commented.comment.blockTags.push(new CommentTag('@category', [{ kind: 'text', text: group }]));
  }
}

/**
 * Paths of all guides, in the order of the table of guides. The table itself, which does not link itself, comes first.
 */
function guides() {
  const table = readFileSync(new URL('docs/guides/README.md', ROOT), 'utf8');
  const files = readdirSync(new URL('docs/guides', ROOT)).filter((file) => file.endsWith('.md'));
  return files.sort((a, b) => table.indexOf(`(${a})`) - table.indexOf(`(${b})`)).map((file) => `docs/guides/${file}`);
}
