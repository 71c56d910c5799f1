import { filtersThatMatch, subjectMatches, subjectTemplate } from './subjects.js';

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
  ])('agrees with subjectMatches for %s', (filter, expected) => {
    expect([...filtersThatMatch([filter], subjects)]).toEqual(expected);
    expect(subjects.some(subject => subjectMatches(filter, subject))).toBe(expected.length > 0);
  });

  it('finds filters of several forms at once', () => {
    expect(filtersThatMatch(['a.*.c', 'a.*.z', '*.b'], subjects)).toEqual(new Set(['a.*.c', '*.b']));
  });
});

describe('the template of a subject', () => {
  it.each([
    ['rtms.sfu.sfu-1.session.open', 'rtms.sfu.*.session.open'],
    ['rtms.transcoder.node_7.broadcast.start', 'rtms.transcoder.*.broadcast.start'],
    ['rtms.room.room_1.signal', 'rtms.room.*.signal'],
    ['rtms.fact.external_session.active.ext_1', 'rtms.fact.external_session.active.*'],
    ['rtms', 'rtms'],
  ])('of %s is %s', (subject, template) => {
    expect(subjectTemplate(subject)).toBe(template);
  });
});
