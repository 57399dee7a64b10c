/**
 * A plugin of typedoc: documents have the names of their headings, guides have the order of their table, members of the
 * class Octree are grouped as in the guide "API at a glance", public names in doc comments are links, the main classes
 * come first, no member says from which internal class it is inherited, each page has what a link to it shows
 * elsewhere, a link to the examples and a field that searches the site, and search.json has what that finds.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Application,
  Comment,
  CommentTag,
  Converter,
  JSX,
  PageEvent,
  ReferenceReflection,
  ReflectionKind,
  RendererEvent,
} from 'typedoc';

const ROOT = new URL('../../', import.meta.url);
/** Text of the first heading of a document. */
const HEADING = /^# (.+)$/m;
/** The first picture of a guide. */
const PICTURE = /^!\[.*\]\(\.\.\/\.\.\/(examples\/images\/.*)\)$/m;
/** The address of the site. */
const { homepage: HOME } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
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
  const pictures = picturesOfGuides();
  app.renderer.hooks.on('head.end', ({ page: { model, url } }) => previewOf(model.name, url, pictures.get(model.name)));
  app.renderer.hooks.on('sidebar.begin', (context) => siteLinks(context.relativeURL('../index.html')));
  app.renderer.on(PageEvent.END, (page) => (page.contents = accessible(page.contents)));
  app.renderer.on(RendererEvent.END, ({ project, outputDirectory }) => {
    const documents = [...sectionsOf(app, project, outputDirectory), ...namesIn(app, project)];
    writeFileSync(join(outputDirectory, 'search.json'), JSON.stringify(documents));
  });
}

/** What readers without a mouse or a screen need, and the theme leaves out. */
function accessible(html) {
  return (
    html
      .replaceAll('<div class="col-content">', '<div class="col-content" role="main">')
      .replaceAll('<div class="col-sidebar">', '<div class="col-sidebar" role="complementary" aria-label="This page">')
      .replaceAll('<th></th>', '<td></td>')
      .replaceAll('<h3>Settings</h3>', '<h3 aria-level="2">Settings</h3>')
      // It scrolls where it is wider than the window.
      .replaceAll('<table>', '<table tabindex="0">')
  );
}

/** The first picture of each guide, by its heading: a path in the site. */
function picturesOfGuides() {
  const texts = guides().map((path) => readFileSync(new URL(path, ROOT), 'utf8'));
  return new Map(texts.map((text) => [HEADING.exec(text)[1].replaceAll('`', ''), PICTURE.exec(text)?.[1]]));
}

/** What a link to a page shows elsewhere. A page without a picture has that of the first example. */
function previewOf(name, url, picture = 'examples/images/fly-through.webp') {
  const title = name === 'scene-octree' ? name : `${name} - scene-octree`;
  const values = { title, url: `${HOME}reference/${url}`, image: `${HOME}${picture}`, type: 'article' };
  const tags = Object.entries(values).map(([key, content]) =>
    JSX.createElement('meta', { property: `og:${key}`, content }),
  );
  return JSX.createElement(JSX.Fragment, null, ...tags);
}

/** A link to the examples, and a field that searches guides, API and examples. It works without scripts. */
function siteLinks(index) {
  const field = { type: 'search', name: 'q', placeholder: 'Search guides and API', 'aria-label': 'Search the site' };
  return JSX.createElement(
    'nav',
    { class: 'site-links', 'aria-label': 'Site' },
    JSX.createElement('a', { href: index }, 'Examples'),
    JSX.createElement('form', { action: index }, JSX.createElement('input', field)),
  );
}

/**
 * What the search of the site finds in the guides: each section, as in examples/src/index/search.ts, and rows of
 * tables.
 */
function sectionsOf(app, project, folder) {
  const documents = project.getReflectionsByKind(ReflectionKind.Document);
  return documents.filter(isGuide).flatMap((document) => {
    const url = app.renderer.router.getFullUrl(document);
    const [, content] = /<div class="tsd-panel tsd-typography">([^]*?)<\/div><\/div>\s*<div class="col-sidebar"/.exec(
      readFileSync(join(folder, url), 'utf8'),
    );
    return content.split(/(?=<h[1-3] id=)/).flatMap((section) => {
      const [heading, level, anchor, title] = /^<h([1-3]) id="([^"]*)"[^>]*>([^]*?)<\/h\1>/.exec(section) ?? [];
      if (heading === undefined) return [];
      const found = {
        kind: 'guide',
        title: plainText(title),
        place: document.name,
        text: plainText(section.slice(heading.length)),
        address: `reference/${url}${level === '1' ? '' : `#${anchor}`}`,
      };
      if (level === '1' || !WITH_ROWS.includes(document.name)) return found;
      const place = `${document.name}: ${found.title}`;
      return [
        found,
        ...rowsOf(section).map(([question, answer]) => ({ ...found, place, title: question, text: answer })),
      ];
    });
  });
}

/** Guides of which each row of a table is an answer of its own. */
const WITH_ROWS = ['Troubleshooting', 'Migrating'];

/** The first two cells of each row of the tables of a section. */
const rowsOf = (section) =>
  [...section.matchAll(/<tr>\s*<td>([^]*?)<\/td>\s*<td>([^]*?)<\/td>/g)].map(([, ...cells]) =>
    cells.map((cell) => plainText(cell).replace(/^\.\.\. (.)/, (_, first) => first.toUpperCase())),
  );

const ENTITIES = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
/** HTML without its tags. */
const plainText = (html) =>
  html
    .replaceAll(/<(?:svg|button)[^]*?<\/(?:svg|button)>|<[^>]+>/g, (tag) =>
      /^<\/?(?:p|li|td|th|pre|br)/.test(tag) ? ' ' : '',
    )
    .replaceAll(/&([a-z]+|#39);/g, (all, name) => ENTITIES[name] ?? all)
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Whether a document is for users. Pages about the code would be found for every word. */
function isGuide({ name }) {
  const others = ['docs/architecture.md', 'docs/glossary.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
  return !others.some((path) => HEADING.exec(readFileSync(new URL(path, ROOT), 'utf8'))[1] === name);
}

/**
 * What it finds in the API: each name, and each member and option as in "OctreeGroup.setStatic". Those of
 * scene-octree/core are the names of scene-octree, which come first.
 */
function namesIn(app, project) {
  const isNamed = (child) => !(child instanceof ReferenceReflection) && app.renderer.router.hasUrl(child);
  const entryPoints = project.children.filter(({ name }) => name !== 'scene-octree/core');
  return entryPoints.flatMap(({ name: place, children = [] }) => {
    const documentOf = (reflection, title, text) => ({
      kind: 'api',
      title,
      place,
      text,
      address: `reference/${app.renderer.router.getFullUrl(reflection)}`,
    });
    return children.filter(isNamed).flatMap((child) => {
      const members = child.children ?? [];
      const texts = [child, ...(child.signatures ?? []), ...members].map(commentOf);
      const named = members.filter(
        (member) => /^\w+$/.test(member.name) && member.name !== 'constructor' && app.renderer.router.hasUrl(member),
      );
      return [
        documentOf(child, child.name, texts.join(' ')),
        ...named.map((member) => documentOf(member, `${child.name}.${member.name}`, commentOf(member))),
      ];
    });
  });
}

/** The text of a doc comment, with the name of what it is about. */
function commentOf(reflection) {
  const { comment } = reflection.signatures?.[0] ?? reflection;
  const text = (comment?.summary ?? []).map((part) => part.text).join('');
  return `${reflection.name}: ${text}`.replaceAll(/[*`]/g, '').replaceAll(/\s+/g, ' ');
}

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
