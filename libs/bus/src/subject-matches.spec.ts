import { filtersThatMatch, subjectMatches } from './subject-matches.js';

describe('filtersThatMatch', () => {
  const subjects = ['a.b.c', 'a.b.d', 'a.x.c', 'a.b', 'a.b.c.d'];

  it.each([
    ['a.b.c', ['a.b.c']],
    ['a.*.d', ['a.*.d']],
    ['*.*.c', ['*.*.c']],
    ['*', []],
    ['a.*', ['a.*']],
    ['a.x.d', []],
    ['*.*.*.*.*', []],
  ])('answers for %s the same as subjectMatches', (filter, expected) => {
    expect([...filtersThatMatch([filter], subjects)]).toEqual(expected);
    expect(subjects.some(subject => subjectMatches(filter, subject))).toBe(expected.length > 0);
  });

  it('finds filters of several forms at once', () => {
    expect(filtersThatMatch(['a.*.c', 'a.*.z', '*.b'], subjects)).toEqual(new Set(['a.*.c', '*.b']));
  });
});
