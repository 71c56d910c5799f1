import { filesToStart, loadOf, sharesProcess, suitesOf } from './plan.cjs';

describe('the weight of a test file', () => {
  it('comes from the comment at its top', () => {
    const source = "/**\n * Waits for leases.\n * @weight 0.2\n */\nimport x from 'y';";
    expect(loadOf(source, 'system')).toEqual({ weight: 0.2, seconds: 25 });
  });

  it('may say how long the file runs', () => {
    expect(loadOf('/** @weight 0.3 for 50 s */', 'e2e')).toEqual({ weight: 0.3, seconds: 50 });
  });

  it.each([
    ['fast', 1, 1],
    ['e2e', 0.8, 3],
    ['system', 0.7, 25],
  ] as const)('is the usual one of the tier %s otherwise', (tier, weight, seconds) => {
    expect(loadOf("import x from 'y';\n/** @weight 3 */", tier)).toEqual({ weight, seconds });
  });

  it.each(['0', '-1', '9', 'much', '', '0.2 for long', '0.2 s'])('is refused when it is "%s"', weight => {
    expect(() => loadOf(`/** @weight ${weight} */`, 'e2e')).toThrow('write a number from 0.1 to 8');
  });
});

describe('the files to start', () => {
  const files = (...weights: number[]) => weights.map((weight, index) => ({ name: String(index), weight }));
  const names = (chosen: { name: string }[]) => chosen.map(({ name }) => name).join(' ');

  it.each([
    ['as many as fit, in order', files(0.7, 0.7, 0.7), [], 2, '0 1'],
    ['a later file that fits, when an earlier one does not', files(1.5, 0.5, 0.5), files(1), 2, '1 2'],
    ['ten waiting files on two cores', files(...Array.from({ length: 12 }, () => 0.2)), [], 2, '0 1 2 3 4 5 6 7 8 9'],
    ['a file heavier than the machine, when nothing runs', files(1.5, 0.2), [], 1, '0'],
    ['nothing beside a file heavier than the machine', files(0.2), files(1.5), 1, ''],
    ['no heavy file beside others', files(4, 0.2), files(0.2), 2, '1'],
    ['nothing, when nothing waits', [], files(1), 2, ''],
  ])('are %s', (_rule, waiting, running, cores, expected) => {
    expect(names(filesToStart(waiting, running, cores))).toBe(expected);
  });
});

describe('a file that may share a process', () => {
  const path = 'apps/gateway/src/rooms/room/rooms.e2e-spec.ts';

  it.each([
    ['an e2e file of the gateway', path, '', 'e2e', true],
    ['none that states its weight', path, '/** @weight 0.2 */', 'e2e', false],
    ['none of another tier', path, '', 'system', false],
    ['none of another program', 'apps/sfu/src/whip.e2e-spec.ts', '', 'e2e', false],
  ] as const)('is %s', (_rule, file, source, tier, expected) => {
    expect(sharesProcess(file, source, tier)).toBe(expected);
  });
});

describe('suites', () => {
  const files = (...seconds: number[]) => seconds.map(each => ({ seconds: each }));
  const lengths = (suites: { seconds: number }[][]) =>
    suites.map(suite => suite.map(({ seconds }) => seconds).join(' '));

  it.each([
    ['are as many as the cores', files(4, 3, 2, 1), 2, ['4 1', '3 2']],
    ['are no more than the files', files(4), 2, ['4']],
    ['are none without files', [], 2, []],
    ['last about as long as each other', files(9, 3, 3, 2, 1), 2, ['9', '3 3 2 1']],
  ])('%s', (_rule, given, cores, expected) => {
    expect(lengths(suitesOf(given, cores))).toEqual(expected);
  });

  it('have at most 16 files where these are alike', () => {
    const suites = suitesOf(files(...Array.from({ length: 60 }, () => 1)), 2);
    expect(suites.map(suite => suite.length)).toEqual([15, 15, 15, 15]);
  });
});
