import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { menuOf } from './menu.mjs';
import { headingOf } from './pages.mjs';
import { documentedLibraries, swaggerPage } from './reference.mjs';

/** Pages that the site makes. @param {string} title of a group */
const generatedPages = title =>
  title === 'Reference'
    ? [
        { text: 'HTTP API', link: '/reference/http' },
        ...documentedLibraries.map(library => ({
          text: `@rtms/${library}: types`,
          link: `/reference/types/${library}`,
        })),
      ]
    : [];

/**
 * The settings of the generator.
 * @param {string} root
 * @param {string} pages folder of the collected pages
 * @param {{ base: string, out: string }} options
 * @returns {Promise<import('@rspress/core').UserConfig>}
 */
export async function siteConfig(root, pages, { base, out }) {
  const groups = await Promise.all(menuOf(root).map(group => sidebarGroup(root, group)));
  return {
    ...{ root: pages, outDir: out, base, lang: 'en' },
    title: 'RTMS',
    description: 'Self-hosted service for live audio and video',
    markdown: {
      link: { checkDeadLinks: { excludes: url => url.startsWith(swaggerPage) }, checkAnchors: true },
    },
    themeConfig: {
      nav: [
        { text: 'Quick start', link: '/quick-start' },
        { text: 'Guides', link: '/guides/obs', activeMatch: '/guides/' },
        { text: 'Operations', link: '/operations', activeMatch: '/operations' },
        { text: 'HTTP API', link: '/reference/http', activeMatch: '/reference/' },
      ],
      sidebar: { '/': groups },
      lastUpdated: false,
    },
  };
}

/** @param {string} root @param {import('./menu.mjs').Group} group */
async function sidebarGroup(root, { title, pages }) {
  const items = await Promise.all(
    pages.map(async ({ source, address, title: given }) => ({
      text: given ?? headingOf(await readFile(join(root, source), 'utf8')) ?? address,
      link: `/${address}`,
    })),
  );
  const isCollapsed = ['Development', 'Decisions'].includes(title);
  return { text: title, collapsible: true, collapsed: isCollapsed, items: [...items, ...generatedPages(title)] };
}
