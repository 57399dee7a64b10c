import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type SearchDocument, SiteSearch } from '../../examples/src/index/search.ts';
import { exampleDocuments } from '../../examples/src/index/site-documents.ts';
import { buildReference } from '../../scripts/reference.mjs';
import { REFERENCE } from '../../scripts/reference-plugin.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { useTestPages } from './support/open-page.ts';
import { IS_LONG } from '../support/sampled.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

/** Side bar of the theme: a link in each summary that opens. */
const OF_THE_THEME = ['nested-interactive'];

/** Text of each page, by its path in the reference. */
const pages = new Map<string, string>();
let files = new Set<string>();
let warnings = 'not built';

beforeAll(async () => {
  warnings = await buildReference(REFERENCE);
  files = new Set(
    readdirSync(REFERENCE, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/')),
  );
  for (const file of files) if (file.endsWith('.html')) pages.set(file, readFileSync(join(REFERENCE, file), 'utf8'));
}, 180_000);

/** What the search of the site finds in the reference. */
const documents = () => JSON.parse(readFileSync(join(REFERENCE, 'search.json'), 'utf8')) as SearchDocument[];

/** The addresses in a page that are relative, as paths in the reference, with their anchors. */
function linksOf(file: string): { path: string; anchor: string }[] {
  const addresses = [...pages.get(file)!.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) =>
    address.replaceAll('&amp;', '&'),
  );
  return addresses
    .filter((address) => !/^(https?|data):/.test(address))
    .map((address) => {
      const [path, anchor = ''] = decodeURI(address).split('#');
      const target = normalize(join(dirname(file), path));
      return { path: path === '' ? file : target.endsWith('/') ? 'index.html' : target, anchor };
    });
}

/** The file in the repository that a page of the site is made of. */
function sourceOfPage(path: string): string {
  if (!path.startsWith('examples/small/')) return path;
  return ['ts', 'tsx'].map((end) => path.replace(/html$/, end)).find((file) => existsSync(file)) ?? '';
}

/** Whether a path leads from the reference to another page of the site. */
const isPage = (path: string): boolean =>
  path === '../index.html' ||
  (path.startsWith('../examples/') && /\.(html|tsx?)$/.test(path) && existsSync(sourceOfPage(path.slice(3))));

describe('the API reference', () => {
  it('has a doc comment for each public name and member, and every link in it leads to a name', () => {
    expect(warnings).toBe('');
  });

  it('has a page for each class, and the guides', () => {
    const titles = [...pages.values()].map((text) => /<title>([^<|]*)/.exec(text)![1].trim());
    for (const title of [
      'Octree',
      'OctreeGroup',
      'OctreeInstances',
      'IntersectionRecord',
      'pick',
      'BruteForce',
      'Getting started in five minutes',
      'Architecture',
    ])
      expect(titles).toContain(title);
  });

  it('groups the members of Octree as the table of the guides does, and every member is in a group', () => {
    const [, table] = /^`new Octree<T>.*\n\n\| \| \|\n\|---\|---\|\n((?:\|.*\n)+)/m.exec(
      readFileSync('docs/guides/api.md', 'utf8'),
    )!;
    const rows = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, row]) => row);
    for (const name of ['scene-octree.Octree', 'scene-octree_core.Octree']) {
      const text = pages.get(`classes/${name}.html`)!;
      const groups = [...text.matchAll(/<h2 class="tsd-anchor-link"[^>]*>([^<]+)/g)].map(([, group]) => group.trim());
      expect(groups.map((group) => group.toLowerCase())).toEqual(rows);
    }
  });

  it('links the public names in doc comments, but not the name of its own page', () => {
    const links = linksOf('classes/scene-octree.Octree.html').map(({ path }) => path);
    for (const name of ['castSphere', 'nearest', 'trackContacts', 'translate'])
      expect(links).toContain(`functions/scene-octree.${name}.html`);
    const linked = [...pages].filter(([, text]) => /<a href="[^"]*" class="[^"]*"><code>\w+<\/code><\/a>/.test(text));
    expect(linked.length).toBeGreaterThan(50);
    const own = pages.get('functions/scene-octree.castSphere.html')!;
    expect(own).not.toContain('<code>castSphere</code></a>');
  });

  it('does not say from which internal class a member is inherited', () => {
    const inherited = [...pages].filter(([, text]) => /Inherited from|Overrides /.test(text));
    expect(inherited.map(([file]) => file)).toEqual([]);
  });

  it('has no dead link', () => {
    const dead = [...pages.keys()].flatMap((file) =>
      linksOf(file)
        .filter(
          ({ path, anchor }) =>
            !isPage(path) &&
            (!files.has(path) || (anchor !== '' && pages.has(path) && !pages.get(path)!.includes(`id="${anchor}"`))),
        )
        .map(({ path, anchor }) => `${file}: ${path}#${anchor}`),
    );
    expect(dead).toEqual([]);
  });

  it('has in each page an icon, and a title and a picture of the site for links to it', () => {
    const { homepage } = JSON.parse(readFileSync('package.json', 'utf8')) as { homepage: string };
    const faults = [...pages].flatMap(([file, text]) => {
      const meta = (name: string) => new RegExp(`<meta property="og:${name}" content="([^"]+)"`).exec(text)?.[1] ?? '';
      const image = meta('image');
      const isRight = image.startsWith(homepage) && existsSync(image.slice(homepage.length));
      return isRight && meta('title') !== '' && text.includes('rel="icon"')
        ? []
        : [`${file}: ${meta('title')} ${image}`];
    });
    expect(faults).toEqual([]);
  });

  it('links the pages of the examples that guides name, not copies of them', () => {
    const guide = [...pages.keys()].find((file) => pages.get(file)!.includes('<title>Tuning'))!;
    expect(linksOf(guide).map(({ path }) => path)).toContain('../examples/tuning.html');
    expect([...files].filter((file) => /^media.*html$/.test(file))).toEqual([]);
  });

  const openPage = useTestPages();

  it.each(SIZES)(
    'opens without a message and fits, $width pixels wide, and its search finds names',
    async (viewport) => {
      const { page, problems } = await openPage('reference/classes/scene-octree.Octree.html', { viewport });
      expect(await page.locator('h1').first().innerText()).toContain('Octree');
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await page.locator('#tsd-search-trigger').click();
      await page.locator('#tsd-search-input').fill('firstHit');
      await page.locator('#tsd-search-results >> text=firstHit').first().waitFor();
      expect(problems).toEqual([]);
    },
  );

  it('lists the class Octree first in the side bar, then classes, functions, types and guides', async () => {
    const { page } = await openPage('reference/index.html', { viewport: SIZES[0] });
    const bar = page.locator('#tsd-nav-container');
    await bar.locator('a').first().waitFor();
    const names = await bar.locator('a').evaluateAll((links) => links.map((link) => link.textContent.trim()));
    const order = ['scene-octree', 'Octree', 'Capsule', 'castSphere', 'QueryOptions', 'OctreeGroup', 'Guides'];
    const places = order.map((name) => names.indexOf(name));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(names[names.lastIndexOf('scene-octree', places[1]) + 1]).toBe('Octree');
  });

  it('opens the guides without a message, in both sizes; axe finds nothing in three of them, in one of these in both', async () => {
    const { page, problems } = await openPage('reference/index.html', { viewport: SIZES[0] });
    const guides = [...pages.keys()].filter((file) => file.startsWith('documents/'));
    expect(guides.length).toBeGreaterThanOrEqual(readdirSync('docs/guides').length);
    const root = page.url().replace('index.html', '');
    const wide: string[] = [];
    const found: string[] = [];
    const checked = guides.filter((guide, k) => IS_LONG || k % 20 === 0 || /Who_is_near/.test(guide));
    for (const [k, guide] of checked.entries()) {
      // In the size of the guide before: no page is laid out for nothing.
      await page.goto(root + guide);
      for (const viewport of k % 2 === 0 ? SIZES : [SIZES[1], SIZES[0]]) {
        await page.setViewportSize(viewport);
        // All pages are of one theme; these have the most kinds of text.
        const isChecked = viewport === SIZES[0] ? /Troubleshooting|Who_is_near|API_at/ : /Who_is_near/;
        if (isChecked.test(guide)) found.push(...(await problemsOfAxe(page, OF_THE_THEME)));
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
          wide.push(`${guide} ${viewport.width}`);
      }
      expect((await page.locator('h1').first().innerText()).length).toBeGreaterThan(0);
    }
    expect([wide, problems, found]).toEqual([[], [], []]);
  });

  describe('the search of the site', () => {
    let search: SiteSearch | undefined;

    it('has sections of all guides, and names of all entry points, at addresses that exist', () => {
      expect(documents().filter(({ kind }) => kind === 'guide').length).toBeGreaterThan(150);
      const names = documents().filter(({ kind }) => kind === 'api');
      const { entryPoints } = JSON.parse(readFileSync('docs/reference/typedoc.json', 'utf8')) as {
        entryPoints: string[];
      };
      // The names of scene-octree/core are those of scene-octree.
      expect(new Set(names.map(({ place }) => place)).size).toBe(entryPoints.length - 1);
      const dead = documents().filter(({ address }) => {
        const [path, anchor] = address.replace('reference/', '').split('#');
        return !pages.has(path) || (anchor !== undefined && !pages.get(path)!.includes(`id="${anchor}"`));
      });
      expect(dead.map(({ address }) => address)).toEqual([]);
    });

    it.each([
      ['collision', /Contacts_and_sensors/],
      ['physics', /Contacts_and_sensors|Casts_and_shapes|Rapier/],
      ['trigger', /trigger-zones|Contacts_and_sensors.*#sensors/],
      ['LOD', /Levels_of_detail/],
      ['fog of war', /line-of-sight/],
      ['line of sight', /Casts_and_shapes.*#line/],
      ['transparent', /drawing-order|why-a-mesh-is-not-merged/],
      ['tunnel', /#a-fast-bullet/],
      ['tunnelling', /#a-fast-bullet/],
      ['fast bullets', /fast-bullets/],
      ['save', /editor|Saving/],
      ['wind', /forest|moving_vertices/],
      ['not drawn', /Troubleshooting|why-a-mesh-is-not-merged/],
      ['draw calls', /few-draw-calls|Many_different_meshes/],
      ['InstancedMesh', /Many_copies_of_one_mesh/],
      ['raycast slow', /Picking.*#with-threes-raycaster/],
      ['memory leak', /Troubleshooting.*#memory-grows/],
      ['disappear', /Troubleshooting.*#why-is-it-not-drawn/],
      ['flicker', /Troubleshooting.*#at-its-old-place/],
      ['does not update', /Troubleshooting.*#at-its-old-place/],
      ['shadow', /Shadows_and_several_cameras/],
      ['mobile', /Troubleshooting.*#slow/],
      ['low fps', /Troubleshooting.*#slow/],
      ['warning', /Troubleshooting.*#warnings/],
      ['react', /React\.html/],
      ['worker', /Servers_and_workers/],
      ['multiplayer', /game-server/],
      ['undo', /An_editor.*#undo/],
      ['select', /Picking/],
      ['hover', /Picking/],
      ['point cloud', /point-cloud|Point_clouds/],
      ['GLTF', /small\/viewer/],
      ['rapier', /#rapier/],
      ['vr', /XR/],
      ['nearest', /functions\/scene-octree\.nearest/],
      ['closest', /functions\/scene-octree\.nearest|Who_is_near/],
      ['show cells', /OctreeHelper|5-see-what-it-does/],
      ['animation', /Animated_and_moving_parts/],
      ['frustum culling', /Culling_a_big_scene/],
      ['jitter', /Large_worlds.*#precision/],
      ['install', /Getting_started.*#1-install/],
      ['bundle size', /Benchmark.*#sizes/],
      ['castSphere', /functions\/scene-octree\.castSphere\.html/],
      ['Octree', /classes\/scene-octree\.Octree\.html/],
      ['casst sphere', /castSphere|fast-bullet/],
      ['setStatic', /OctreeGroup\.html#setstatic/i],
      ['hasStaticChildren', /OctreeGroupOptions\.html#hasstaticchildren/i],
      ['addTree', /OctreeGroup\.html#addtree/i],
      ['minScreenSize', /Octree(Group|Instances)\.html#minscreensize/i],
      ['delete object', /#from-threes-own/],
      ['how do I remove a mesh', /#from-threes-own/],
      ['two copies of three', /#an-error-of-a-tool/],
      ['multiple instances of three.js', /#an-error-of-a-tool/],
      ['error not an instance', /#an-error-of-a-tool/],
      ['click on a mesh', /Picking/],
      ['moving objects', /Culling.*#children-that-move/],
      ['update position', /Culling.*#children-that-move/],
      ['object not updating', /Troubleshooting.*#at-its-old-place/],
      ['webgpu', /small\/webgpu/],
      ['skinned mesh', /#skinned-meshes/],
      ['dispose', /#removing-and-disposing/],
      ['memory', /Tuning.*#memory/],
      ['typescript', /Getting_started.*#tools/],
      ['vite', /Getting_started.*#tools/],
      ['import map', /Getting_started.*#tools/],
      ['cdn', /Getting_started.*#tools/],
      ['web worker', /#in-a-web-worker/],
      ['server node', /Servers_and_workers/],
      ['occlusion', /documents\/Occlusion_culling/],
      ['BVH', /#from-three-mesh-bvh/],
      ['three-mesh-bvh', /#from-three-mesh-bvh/],
      ['BatchedMesh', /few-draw-calls/],
      ['merge geometries', /few-draw-calls/],
      ['getting started', /Getting_started/],
      ['tutorial', /Getting_started/],
      ['pick with transparent', /Picking.*#nothing-under/],
      ['raycaster.intersectObjects', /#from-threes-own|#with-threes-raycaster/],
      ['load glb', /small\/viewer/],
      ['lasso', /#rectangle-and-lasso/],
      ['select multiple', /#everything-inside/],
      ['hide object', /#show-what-was-found/],
      ['change color', /#show-what-was-found|#adding-moving/],
      ['layers', /#categories/],
      ['drag', /An_editor/],
      ['large scene', /Larger_than_memory/],
      ['infinite terrain', /Larger_than_memory/],
      ['capsule', /Walking_and_collisions/],
      ['gravity', /Walking_and_collisions/],
      ['enemy sees player', /line-of-sight/],
      ['radius query', /nearest|Who_is_near/],
      ['black screen', /#why-is-it-not-drawn/],
      ['NaN', /Troubleshooting/],
      ['setMatrixAt', /OctreeInstances\.html#setmatrixat/i],
      ['r3f', /React\.html/],
      ['octree.add is not a function', /#names-that/],
      ['setPosition', /#names-that/],
      ['rebuild', /#names-that/],
      ['onBegin', /#names-that/],
      ['click instance', /Many_copies.*#adding-moving/],
      ['array of instances', /Many_copies/],
      ['click not working', /Picking/],
      ['not working', /#why-is-it-not-drawn/],
      ['speed', /tuning/],
    ])('finds for "%s" in the first three what it is about', (words, address) => {
      search ??= new SiteSearch([...exampleDocuments(), ...documents()]);
      const found = search.find(words, 3);
      expect(found.map(({ address }) => address).join(' ')).toMatch(address);
      expect(found.some(({ excerpt }) => excerpt.length > 0)).toBe(true);
    });

    it.each([
      ['clipping planes', /Picking\.html#clipping-planes/],
      ['a fast bullet', /#a-fast-bullet/],
      // A row of a table, without its place in a list.
      ['it shares no layer with the camera', /#why-is-it-not-drawn/],
    ])('finds the section with the title "%s" first', (words, address) => {
      search ??= new SiteSearch([...exampleDocuments(), ...documents()]);
      expect(search.find(words, 1)[0].address).toMatch(address);
    });

    it('finds something from the third letter of a word on', () => {
      search ??= new SiteSearch([...exampleDocuments(), ...documents()]);
      const words = [
        'batching',
        'moving',
        'picking',
        'sorting',
        'culling',
        'instances',
        'bodies',
        'tunnelling',
        'terrain',
      ];
      const typed = words.flatMap((word) => Array.from({ length: word.length - 2 }, (_, k) => word.slice(0, k + 3)));
      expect(typed.filter((word) => search!.find(word).length === 0)).toEqual([]);
    });

    it('finds figures after all else', () => {
      search ??= new SiteSearch([...exampleDocuments(), ...documents()]);
      for (const words of ['minScreenSize', 'computeBoundingSphere', 'OctreeInstances'])
        expect(search.find(words, 2).filter(({ place, title }) => [place, title].includes('Benchmark'))).toEqual([]);
    });

    it('is in each page of the reference, without scripts', async () => {
      const { page } = await openPage('reference/index.html', { viewport: SIZES[0] });
      await page.locator('.site-links input').fill('tunnelling');
      await page.locator('.site-links input').press('Enter');
      await page.locator('#results li').first().waitFor();
      expect(await page.locator('#results h2').first().innerText()).toBe('A fast bullet');
    });
  });

  it('has the pages that the gallery links', () => {
    const links = [...readFileSync('index.html', 'utf8').matchAll(/href="reference\/([^"#]+)"/g)];
    expect(links.length).toBeGreaterThan(6);
    expect(links.map(([, path]) => path).filter((path) => !files.has(path))).toEqual([]);
  });

  it('is linked from the gallery', async () => {
    const { page } = await openPage('index.html');
    expect(await page.locator('a[href="reference/index.html"]').count()).toBe(1);
  });
});
