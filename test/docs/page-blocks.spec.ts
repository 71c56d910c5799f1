import { blocksOf, runPages } from './page-blocks.js';

describe('a block of code', () => {
  it('is read with its language and without the indentation of its list', () => {
    expect(blocksOf('1. Run:\n\n   ```sh\n   a \\\n     b\n   ```\n')).toEqual([
      { language: 'sh', code: 'a \\\n  b\n' },
    ]);
  });

  it('may have a reason why no test runs it', () => {
    const [block] = blocksOf('<!-- not run: needs a domain -->\n\n```sh\nnpm start -- --domain example.org\n```\n');
    expect(block?.reason).toBe('needs a domain');
  });

  it('of a guide or an example is a command that a test runs, or has a printed reason', () => {
    const blocks = [...runPages()].flatMap(([page, all]) => all.map(block => ({ page, ...block })));
    expect(blocks.length).toBeGreaterThan(5);
    for (const { page, code, reason } of blocks.filter(each => each.reason !== undefined)) {
      console.log(`${page}: no test runs this block (${reason}):\n${code}`);
    }
    expect(blocks.filter(each => each.language !== 'sh' && each.reason === undefined)).toEqual([]);
  });
});
