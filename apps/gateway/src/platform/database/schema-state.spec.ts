import { schemaProblem } from './schema-state.js';

describe('schemaProblem', () => {
  it.each<[string, Parameters<typeof schemaProblem>[0], RegExp | undefined]>([
    ['accepts a current schema', { run: ['A1', 'B2'], required: [], known: ['A1', 'B2'] }, undefined],
    [
      'accepts a schema with newer migrations',
      { run: ['A1', 'B2', 'C3'], required: [], known: ['A1', 'B2'] },
      undefined,
    ],
    ['accepts a known required migration', { run: ['A1', 'B2'], required: ['B2'], known: ['A1', 'B2'] }, undefined],
    ['refuses a schema with a missing migration', { run: ['A1'], required: [], known: ['A1', 'B2'] }, /older.*B2 must/],
    ['refuses an empty database', { run: [], required: [], known: ['A1', 'B2'] }, /older.*A1 and 1 more/],
    [
      'refuses an unknown required migration',
      { run: ['A1', 'B2', 'C3'], required: ['C3'], known: ['A1', 'B2'] },
      /newer.*C3\. Start/,
    ],
    [
      'refuses a database from before the first release',
      { run: ['A1', 'B2'], required: [], known: ['C3', 'D4'] },
      /before the first release \(A1 and 1 more\).*Delete .*\.rtms.*export.*docs\/operations\/upgrade\.md/,
    ],
  ])('%s', (_, facts, expected) => {
    if (expected) expect(schemaProblem(facts)).toMatch(expected);
    else expect(schemaProblem(facts)).toBeUndefined();
  });
});
