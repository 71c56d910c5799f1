import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';

/**
 * @typedef {{ source: string, address: string, title?: string }} Page `source` is the file in the repository, `address` the path in the
 *   site without its ending. Without `title` the menu shows the first heading.
 * @typedef {{ title: string, pages: Page[] }} Group
 */

/** A page of `docs/` keeps its path. @param {string[]} names */
const docs = (...names) => names.map(name => ({ source: `docs/${name}.md`, address: name }));

const guides = docs(
  ...['guides/curl', 'guides/obs', 'guides/srt-rtmp', 'guides/restream', 'guides/player', 'guides/firewalls'],
  ...['guides/viewer-quality'],
  ...['guides/recording', 'guides/record-room'],
  ...['guides/production', 'scaling', 'cdn'],
  ...['guides/migration', 'agent-import', 'dashboard'],
);

const operations = docs(
  ...['operations', 'operations/settings', 'containers', 'kubernetes', 'systemd', 'security', 'tls'],
  ...['bus-permissions', 'operations/database-role', 'operations/rotation', 'operations/backup'],
  ...['operations/upgrade', 'drain', 'operations/accounts', 'operations/recordings', 'operations/retention'],
  ...['doctor', 'operations/troubleshooting', 'metrics', 'logs-and-traces'],
);

const development = [
  { source: 'CONTRIBUTING.md', address: 'contributing' },
  ...docs('architecture', 'lifetimes', 'testing'),
  { source: 'bench/README.md', address: 'benches' },
];

/** The site's menu. `pages.spec.ts` fails if a page of `docs/` is missing. @param {string} root @returns {Group[]} */
export function menuOf(root) {
  const examples = pagesIn(root, 'examples/*/README.md', source => `examples/${source.split('/')[1]}`);
  const libraries = pagesIn(root, 'libs/*/README.md', source => `libraries/${source.split('/')[1]}`);
  const decisions = pagesIn(root, 'docs/decisions/*.md', source => `decisions/${basename(source, '.md')}`);
  const start = { source: 'README.md', address: 'quick-start', title: 'Quick start' };
  const changelog = { source: 'CHANGELOG.md', address: 'changelog' };
  return [
    { title: 'Start', pages: [start, ...docs('concepts'), ...examples] },
    { title: 'Guides', pages: guides },
    { title: 'Operations', pages: operations },
    { title: 'Reference', pages: [...docs('events', 'webhooks', 'socket'), ...libraries, changelog] },
    { title: 'Development', pages: development },
    { title: 'Decisions', pages: decisions },
  ];
}

/** The page at the root of the site, without an entry in the menu. */
export const home = { source: 'docs/index.md', address: 'index' };

/** @param {string} root @param {string} pattern of Git @param {(source: string) => string} addressOf @returns {Page[]} */
function pagesIn(root, pattern, addressOf) {
  const words = ['ls-files', '-co', '--exclude-standard', '--', pattern];
  const sources = execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  return sources.filter(source => source !== '').map(source => ({ source, address: addressOf(source) }));
}
