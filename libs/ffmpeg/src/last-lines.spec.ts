import { LastLines } from './last-lines.js';

describe('the last lines of a text', () => {
  it('are put together from pieces, without empty ones', () => {
    const lines = new LastLines(2);
    for (const piece of ['one\ntw', 'o\n\nthr', 'ee']) lines.push(piece);
    expect(lines.all()).toEqual(['two', 'three']);
  });

  it('are cut, however long a line is', () => {
    const lines = new LastLines(3);
    lines.push(`${'x'.repeat(2_000)}\n${'y'.repeat(2_000)}`);
    expect(lines.all().map(({ length }) => length)).toEqual([500, 500]);
  });
});
