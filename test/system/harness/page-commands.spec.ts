import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsUnder } from './page-commands.js';

const page = `# Page

## One

Text.

\`\`\`sh
# a comment
first
\`\`\`

\`\`\`sh
second
\`\`\`

## Two

\`\`\`sh
third
\`\`\`
`;

describe('the commands of a page', () => {
  it('are those under their heading, unchanged', () => {
    expect(commandsUnder('One', page)).toBe('# a comment\nfirst\nsecond\n');
    expect(commandsUnder('Two', page)).toBe('third\n');
    expect(() => commandsUnder('Page', page)).toThrow('nothing to run under "Page"');
  });

  it('of the pages of operations all have a test', () => {
    const specs = readdirSync('test/system').filter(name => name.endsWith('.system-spec.ts'));
    const tested = specs.map(name => readFileSync(join('test/system', name), 'utf8')).join('\n');
    const pages = readdirSync('docs/operations').map(name => readFileSync(join('docs/operations', name), 'utf8'));
    const titles = pages.flatMap(text => {
      const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
      return headings.filter(title => text.split(`# ${title}\n`)[1]?.split(/^#+ /m)[0]?.includes('```sh'));
    });
    expect(titles.length).toBeGreaterThan(10);
    expect(titles.filter(title => !tested.includes(`'${title}'`))).toEqual([]);
  });
});
