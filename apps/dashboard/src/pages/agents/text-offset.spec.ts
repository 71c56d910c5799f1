import { textOffset } from './definition-reader.js';

describe('the place of a line and column', () => {
  it.each([
    ['at the beginning', 'abc', 1, 1, 0],
    ['on the first line', 'abc', 1, 3, 2],
    ['after line feeds', 'a\nb\ncd', 3, 2, 5],
    ['after other line breaks', 'a\r\nb\rc', 3, 1, 5],
    ['behind an emoji', '"😀"x', 1, 4, 4],
    ['at the end', 'a\n', 2, 1, 2],
    ['beyond the end', 'a', 4, 9, 1],
  ])('is found %s', (_case, text, line, column, offset) => {
    expect(textOffset(text, line, column)).toBe(offset);
  });
});
