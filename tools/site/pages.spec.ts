import { globSync } from 'tinyglobby';
import { headingOf, pagesOf, siteLinks } from './pages.mjs';

const addresses: Record<string, string> = { 'docs/tls.md': '/tls', 'README.md': '/quick-start' };
const inSite = (text: string, source: string): string => siteLinks(text, source, target => addresses[target]);

describe('the menu of the site', () => {
  it('has each page of docs/ once', () => {
    const sources = pagesOf('.').map(({ source }) => source);
    const ofDocs = sources.filter(source => source.startsWith('docs/'));
    expect(ofDocs.sort()).toEqual(globSync('docs/**/*.md', { ignore: 'docs/dist/**' }).sort());
    expect(new Set(sources).size).toBe(sources.length);
  });
});

describe('a link of a page', () => {
  it.each([
    ['leads to the page in the site', '[TLS](../tls.md)', '[TLS](/tls)'],
    ['keeps its anchor', '[start](../../README.md#first-picture)', '[start](/quick-start#first-picture)'],
    ['inside of the page stays', '[below](#states)', '[below](#states)'],
    [
      'after code of a list leads to the page too',
      '1. Run:\n\n   ```sh\n   a\n   ```\n\nSee [TLS](../tls.md).\n\n```sh\nb\n```\n',
      '1. Run:\n\n   ```sh\n   a\n   ```\n\nSee [TLS](/tls).\n\n```sh\nb\n```\n',
    ],
    [
      'to another site stays',
      '[RFC](https://www.rfc-editor.org/rfc/rfc9725)',
      '[RFC](https://www.rfc-editor.org/rfc/rfc9725)',
    ],
    [
      'to a file that the site lacks becomes its text',
      'see [`nats.conf`](../../deploy/nats.conf).',
      'see `nats.conf`.',
    ],
    ['with brackets in its text is found', '[a [b]](../tls.md)', '[a [b]](/tls)'],
    ['in a block of code stays', '```md\n[TLS](../tls.md)\n```', '```md\n[TLS](../tls.md)\n```'],
  ])('%s', (_name, text, expected) => {
    expect(inSite(text, 'docs/guides/obs.md')).toBe(expected);
  });
});

it('takes the title of a page from its first heading', () => {
  expect(headingOf('# `rtms-admin doctor`\n\n## More')).toBe('rtms-admin doctor');
});
