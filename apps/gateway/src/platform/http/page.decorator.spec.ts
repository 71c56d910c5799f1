import { readPage } from './page.decorator.js';

describe('readPage', () => {
  it.each([
    [{}, { startIndex: 0, pageSize: 20 }],
    [
      { startIndex: '5', pageSize: '1' },
      { startIndex: 5, pageSize: 1 },
    ],
    [{ pageSize: '100' }, { startIndex: 0, pageSize: 100 }],
  ])('reads %j as %j', (query, page) => {
    expect(readPage(query)).toEqual(page);
  });

  it.each(['-1', '1.5', 'x', '', ' 1', '1e3', '0x1', '99999999999', ['1', '2'], { a: 1 }])(
    'refuses startIndex %j',
    startIndex => {
      expect(() => readPage({ startIndex })).toThrow('startIndex must be a whole number, 0 or more.');
    },
  );

  it.each(['0', '101', '-5', 'all', ['1']])('refuses pageSize %j', pageSize => {
    expect(() => readPage({ pageSize })).toThrow('pageSize must be a whole number from 1 to 100.');
  });
});
