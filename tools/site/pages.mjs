import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { home, menuOf } from './menu.mjs';

/** @typedef {import('./menu.mjs').Page} Page */

/** All pages of the repository that the site shows. @param {string} root @returns {Page[]} */
export const pagesOf = root => [home, ...menuOf(root).flatMap(({ pages }) => pages)];

/**
 * Writes the pages with their addresses in the site. Writes only changed files, because the server builds a touched page again.
 * @param {string} root
 * @param {string} folder
 */
export async function writePages(root, folder) {
  const pages = pagesOf(root);
  const addresses = new Map(pages.map(({ source, address }) => [source, `/${address}`]));
  for (const { source, address } of pages) {
    const text = await readFile(join(root, source), 'utf8');
    await writeChanged(
      join(folder, `${address}.md`),
      siteLinks(text, source, target => find(root, addresses, target)),
    );
  }
  await writeChanged(join(folder, 'decisions/index.md'), await listOfDecisions(root, pages));
}

/** @param {string} root @param {Page[]} pages */
async function listOfDecisions(root, pages) {
  const decisions = pages.filter(({ source }) => source.startsWith('docs/decisions/'));
  const entries = decisions.map(async ({ source, address }) => {
    return `- [${headingOf(await readFile(join(root, source), 'utf8'))}](/${address})\n`;
  });
  return `# Decisions\n\n${(await Promise.all(entries)).join('')}`;
}

/**
 * The address of a linked file in the site; undefined: the site lacks this file. A folder is at the page that lists it.
 * @param {string} root @param {Map<string, string>} addresses @param {string} target
 */
function find(root, addresses, target) {
  if (target === 'docs/decisions') return '/decisions/';
  if (!existsSync(join(root, target))) throw new Error(`${target} is linked and does not exist`);
  return addresses.get(target);
}

/**
 * Replaces links between files of the repository by links between pages of the site. A link to any other file becomes its text, because the
 * site does not know the address of the repository.
 * @param {string} text of a page
 * @param {string} source
 * @param {(target: string) => string | undefined} addressOf
 */
export function siteLinks(text, source, addressOf) {
  const link = /(^ *```[^]*?^ *```)|\[((?:[^[\]]|\[[^\]]*\])*)\]\((?!https?:)([^)#\s]*)(#[^)\s]+)?\)/gm;
  return text.replace(link, (whole, code, label, path, anchor = '') => {
    if (code !== undefined || path === '') return whole;
    const address = addressOf(normalize(join(dirname(source), path)).replace(/\/$/, ''));
    return address === undefined ? label : `[${label}](${address}${anchor})`;
  });
}

/** @param {string} file @param {string} text */
export async function writeChanged(file, text) {
  const before = await readFile(file, 'utf8').catch(() => undefined);
  if (before === text) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** The first heading of a page. @param {string} text */
export const headingOf = text => /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '');
