import { findingLimits, Findings } from './findings.js';

describe('findings', () => {
  it('are listed once, whatever their place', () => {
    const findings = new Findings();
    for (const path of ['toolIds[0]', 'model.toolIds[0]']) findings.finish('tool_id', path, { id: 't-1' });
    findings.within({ type: 'state', name: 's' }, () => findings.finish('tool_id', 'x', { id: 't-1' }));
    expect(findings.toFinish.map(({ path, part }) => [path, part?.name])).toEqual([
      ['toolIds[0]', undefined],
      ['x', 's'],
    ]);
  });

  it('have one note for each place', () => {
    const findings = new Findings();
    for (const path of ['a', 'b', 'a']) findings.note('number_expected', path, {});
    expect(findings.notes.map(({ path, severity }) => [path, severity])).toEqual([
      ['a', 'warning'],
      ['b', 'warning'],
    ]);
  });

  it.each([
    [findingLimits.notes, []],
    [findingLimits.notes + 3, [{ severity: 'warning', code: 'more_notes', path: '', values: { count: 3 } }]],
  ])('of %i notes have a bound', (count, rest) => {
    const findings = new Findings();
    for (let index = 0; index < count; index += 1) findings.note('variable_filled', '', { name: String(index) });
    expect(findings.notes.slice(findingLimits.notes)).toEqual(rest);
  });

  it.each([
    [findingLimits.toFinish, []],
    [findingLimits.toFinish + 2, [{ kind: 'more', code: 'more_items', path: '', values: { count: 2 } }]],
  ])('of %i items have a bound', (count, rest) => {
    const findings = new Findings();
    for (let index = 0; index < count; index += 1) findings.finish('tool_id', '', { id: String(index) });
    expect(findings.toFinish.slice(findingLimits.toFinish)).toEqual(rest);
  });
});
