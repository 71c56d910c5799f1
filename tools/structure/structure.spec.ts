import { describeFile, folderCycles, spread } from './structure.mjs';

describe('describeFile', () => {
  const text = `import type { A } from '../other/a.js';
import { b } from '@rtms/bus';
import { readFileSync } from 'node:fs';
export function first() {
  return [b].map(each => each);
}
`;

  it('counts lines, and the lines of each function', () => {
    expect(describeFile({ path: 'apps/x/src/rooms/file.ts', text })).toMatchObject({ lines: 6, functions: [3, 1] });
  });

  it('names the imports of the project, types included', () => {
    const { imports } = describeFile({ path: 'apps/x/src/rooms/file.ts', text });
    expect(imports).toEqual(['apps/x/src/other/a', 'libs/bus/src/index']);
  });

  it.each([
    ['one function', text, true],
    ['two functions', `${text}function second() {}\n`, false],
    ['a class beside it', `${text}class Other {}\n`, false],
    ['none', 'export const a = 1;\n', false],
  ])('tells whether a file has one function: %s', (_name, source, isOneFunction) => {
    expect(describeFile({ path: 'a.ts', text: source })).toMatchObject({ isOneFunction });
  });

  it('finds Nest modules', () => {
    const source = '@Module({ imports: [] })\nexport class AModule {}\n';
    expect(describeFile({ path: 'a.module.ts', text: source })).toMatchObject({ hasModule: true });
  });
});

describe('folderCycles', () => {
  it('finds folders that import each other through others, and no others', () => {
    const edges = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['c', 'd'],
      ['e', 'f'],
      ['f', 'e'],
      ['d', 'd'],
    ] as const;
    expect(folderCycles(edges)).toEqual([
      ['a', 'b', 'c'],
      ['e', 'f'],
    ]);
  });
});

describe('spread', () => {
  it('gives median, 90 % and largest', () => {
    expect(spread([5, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11])).toBe('6/10/11');
  });
});
