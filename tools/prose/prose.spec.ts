import { faultsOf, passagesOfCode, passagesOfPage } from './prose.mjs';

describe('faultsOf', () => {
  it.each([
    ['a short sentence', 'The gateway closes the room.', []],
    ['a question', 'Who holds the room?', []],
    ['a question word at the start', 'What the node holds.', ['begins with a question word: What the node holds.']],
    ['a banned word', 'The node sends news.', ['\\bnews\\b: use event, message: The node sends news.']],
    ['two short sentences', `${'word '.repeat(20)}. ${'word '.repeat(20)}.`, []],
    ['an abbreviation', 'A codec, e.g. What, is code.', []],
  ])('judges %s', (_name, text, faults) => {
    expect(faultsOf({ line: 1, text })).toEqual(faults);
  });

  it('counts the words of a sentence, a code span as one', () => {
    expect(faultsOf({ line: 1, text: `${'word '.repeat(24)}\`two words\`` })).toEqual([]);
    expect(faultsOf({ line: 1, text: 'word '.repeat(26) })[0]).toMatch(/^26 words: word word/);
  });

  it('reads the name of a test as a sentence', () => {
    expect(faultsOf({ line: 1, text: 'what it holds', isName: true })).toHaveLength(1);
    expect(faultsOf({ line: 1, text: 'what it holds' })).toEqual([]);
  });
});

describe('passagesOfPage', () => {
  it('takes paragraphs, items and cells, and no code', () => {
    const page = '# Title\n\nOne\nparagraph.\n\n- item\n\n```sh\nWhat code\n```\n\n| a | b |\n';
    const texts = passagesOfPage(page).map(({ text }) => text.trim());
    expect(texts.filter(Boolean)).toEqual(['Title', 'One paragraph.', 'item', 'a', 'b']);
  });
});

describe('passagesOfCode', () => {
  it('takes comments and names of tests, with their lines', () => {
    const code =
      "/** The node.\n * @param {string} id its name */\nconst url = 'http://a';\n// A reason\nit('works', () => {});\n";
    expect(passagesOfCode(code).map(({ line, text }) => [line, text.replace(/\s+/g, ' ').trim()])).toEqual([
      [1, 'The node. . id its name'],
      [4, 'A reason'],
      [5, 'works'],
    ]);
  });
});
