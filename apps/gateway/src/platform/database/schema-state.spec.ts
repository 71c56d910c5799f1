import { schemaProblem } from './schema-state.js';

describe('a gateway and the schema of its database', () => {
  it.each<[string, Parameters<typeof schemaProblem>[0], RegExp | undefined]>([
    ['fit when all was run', { run: ['A1', 'B2'], required: [], known: ['A1', 'B2'] }, undefined],
    ['fit when more was run', { run: ['A1', 'B2', 'C3'], required: [], known: ['A1', 'B2'] }, undefined],
    ['fit when what is required is known', { run: ['A1', 'B2'], required: ['B2'], known: ['A1', 'B2'] }, undefined],
    ['do not when something is still to be run', { run: ['A1'], required: [], known: ['A1', 'B2'] }, /older.*B2 must/],
    ['do not when nothing was run', { run: [], required: [], known: ['A1', 'B2'] }, /older.*A1 and 1 more/],
    [
      'do not when something unknown is required',
      { run: ['A1', 'B2', 'C3'], required: ['C3'], known: ['A1', 'B2'] },
      /newer.*C3\. Start/,
    ],
    [
      'do not when the database is from before the first release',
      { run: ['A1', 'B2'], required: [], known: ['C3', 'D4'] },
      /before the first release \(A1 and 1 more\).*Delete .*\.rtms.*export.*docs\/operations\/upgrade\.md/,
    ],
  ])('%s', (_, facts, expected) => {
    if (expected) expect(schemaProblem(facts)).toMatch(expected);
    else expect(schemaProblem(facts)).toBeUndefined();
  });
});
