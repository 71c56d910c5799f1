import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).trim().split('\n');
const known = new Set(files.flatMap(file => [file, ...foldersOf(file)]));
const names = new Set(files.map(file => basename(file)));
const pages = files.filter(file => file.endsWith('.md')).map(path => ({ path, text: readFileSync(path, 'utf8') }));

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Links to other files of the repository, as `path` and `anchor`. */
function linksOf({ path, text }: (typeof pages)[number]): { target: string; anchor?: string }[] {
  return [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, link = '', anchor]) => ({
    target: link === '' ? path : normalize(join(dirname(path), link)).replace(/\/$/, ''),
    ...(anchor === undefined ? {} : { anchor }),
  }));
}

/** Paths in code spans, without built files and patterns. A name alone may be in any folder. */
function pathsOf(text: string): string[] {
  const prose = text.replace(/^```[^]*?^```/gm, '');
  const spans = [...prose.matchAll(/`([\w@./-]+)`/g)].map(([, span = '']) => span.replace(/\/$/, ''));
  return spans.filter(span => /^(?:apps|libs|tools|test|bench|deploy|docs)\/|^[\w.-]+\.(?:ts|tsx|mjs)$/.test(span));
}

describe('the pages', () => {
  it('link to pages and headings that exist', () => {
    const broken = pages.flatMap(page =>
      linksOf(page)
        .filter(({ target, anchor }) => {
          const headings = pages.find(({ path }) => path === target)?.text.matchAll(/^#+ (.+)$/gm) ?? [];
          const anchors = [...headings].map(([, heading = '']) => anchorOf(heading));
          return !known.has(target) || (anchor !== undefined && !anchors.includes(anchor));
        })
        .map(({ target, anchor = '' }) => `${page.path}: ${target}#${anchor}`),
    );
    expect(broken).toEqual([]);
  });

  it('name files and folders that exist', () => {
    const exists = (path: string): boolean =>
      known.has(path) || (!path.includes('/') && names.has(path)) || known.has(`libs/${path}`);
    const missing = pages.flatMap(({ path, text }) =>
      pathsOf(text)
        .filter(
          each =>
            !/\bdist\b|^node_modules|^deploy\/docker\/secrets/.test(each) &&
            !exists(each) &&
            !exists(join(dirname(path), each)),
        )
        .map(each => `${path}: ${each}`),
    );
    expect(missing).toEqual([]);
  });
});
