import { filesToStart, loadOf, sharedProcess, suitesOf } from './plan.cjs';

describe('the weight of a test file', () => {
  it('comes from the comment at its top', () => {
    const source = "/**\n * Waits for leases.\n * @weight 0.2\n */\nimport x from 'y';";
    expect(loadOf(source, 'system')).toEqual({ weight: 0.2, seconds: 25 });
  });

  it('may say how long the file runs', () => {
    expect(loadOf('/** @weight 0.3 for 50 s */', 'e2e')).toEqual({ weight: 0.3, seconds: 50 });
  });

  it('is the usual one of a file that says how long it runs', () => {
    expect(loadOf('/** @seconds 17 */', 'fast')).toEqual({ weight: 0.65, seconds: 17 });
  });

  it('is refused with seconds that are no number', () => {
    expect(() => loadOf('/** @seconds long */', 'fast')).toThrow('@seconds is long; write a positive number');
  });

  it.each([
    ['fast', 0.65, 0.3],
    ['e2e', 0.45, 4],
    ['system', 0.7, 25],
  ] as const)('is the usual one of the tier %s otherwise', (tier, weight, seconds) => {
    expect(loadOf("import x from 'y';", tier)).toEqual({ weight, seconds });
  });

  it('is refused below imports, where it would have no effect', () => {
    expect(() => loadOf("import x from 'y';\n/** @weight 0.3 */", 'e2e')).toThrow('write it at the top of the file');
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

describe('the files that share a process', () => {
  const rooms = 'apps/gateway/src/rooms/room/rooms.e2e-spec.ts';
  const ladder = 'apps/transcoder/src/encoder/ladder.spec.ts';

  it.each([
    ['are e2e files of the gateway', rooms, '', 'e2e', 'node'],
    ['are e2e files of the SFU', 'apps/sfu/src/whip.e2e-spec.ts', '', 'e2e', 'node'],
    ['are no e2e files of libraries', 'libs/bus/src/bus.e2e-spec.ts', '', 'e2e', undefined],
    ['are all fast files', ladder, '', 'fast', 'node'],
    ['are those of one environment', ladder, '/** @jest-environment jsdom */', 'fast', 'jsdom'],
    ['are none that state their weight', rooms, '/** @weight 0.2 */', 'e2e', undefined],
    ['are none of the last tier', rooms, '', 'system', undefined],
  ] as const)('%s', (_rule, file, source, tier, environment) => {
    expect(sharedProcess(file, source, tier)?.environment).toBe(environment);
  });
});

it('files of two programs never share a process', () => {
  const groupOf = (path: string) => sharedProcess(path, '', 'e2e')?.group;
  expect(groupOf('apps/gateway/src/a.e2e-spec.ts')).toBe(groupOf('apps/gateway/src/b.e2e-spec.ts'));
  expect(groupOf('apps/gateway/src/a.e2e-spec.ts')).not.toBe(groupOf('apps/sfu/src/a.e2e-spec.ts'));
});

describe('suites', () => {
  const files = (...seconds: number[]) => seconds.map(each => ({ seconds: each }));
  const lengths = (suites: { seconds: number }[][]) =>
    suites.map(suite => suite.map(({ seconds }) => seconds).join(' '));

  it.each([
    ['are as many as the cores', files(1, 2, 2, 1), 2, ['1 2', '2 1']],
    ['are no more than the files', files(4), 2, ['4']],
    ['are none without files', [], 2, []],
    ['last about as long as each other', files(9, 3, 3, 2, 1), 2, ['9', '3 3 2 1']],
    ['have neighbours', files(1, 1.1, 1.2, 3.3), 2, ['1 1.1 1.2', '3.3']],
    ['have each file of no measured time', files(0, 0), 2, ['0 0']],
    ['have a last file of no measured time', files(3, 3, 0), 2, ['3', '3 0']],
    ['are fewer where one file lasts longer than the others', files(9, 1, 1), 3, ['9', '1 1']],
  ])('%s', (_rule, given, cores, expected) => {
    expect(lengths(suitesOf(given, cores, { least: 1, most: 16 }))).toEqual(expected);
  });

  it('have no more files than allowed where these are alike', () => {
    const suites = suitesOf(files(...Array.from({ length: 60 }, () => 1)), 2, { least: 1, most: 16 });
    expect(suites.map(suite => suite.length)).toEqual([15, 15, 15, 15]);
  });

  it('have no fewer files than it takes to be worth a process', () => {
    const suites = suitesOf(files(1, 1, 1, 1, 1), 4, { least: 3, most: 16 });
    expect(suites.map(suite => suite.length)).toEqual([2, 3]);
  });
});
