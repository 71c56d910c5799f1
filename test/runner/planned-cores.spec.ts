import { plannedCores } from './planned-cores.cjs';

describe('the cores for system tests', () => {
  it.each([
    ['all cores of a fast machine', 2, 0.02, 2],
    ['all cores of the slowest machine on which that was tried', 8, 0.06, 8],
    ['half of the cores where everything takes twice as long', 2, 0.12, 1],
    ['less than a core of a very slow machine', 2, 0.6, 0.2],
  ])('are %s', (_, cores, startSeconds, planned) =>
    expect(plannedCores('system', cores, {}, () => startSeconds)).toBeCloseTo(planned),
  );

  it('are those that RTMS_TEST_CORES states', () => {
    expect(plannedCores('system', 2, { RTMS_TEST_CORES: '0.3' })).toBe(0.3);
    expect(() => plannedCores('system', 2, { RTMS_TEST_CORES: 'all' })).toThrow(
      'RTMS_TEST_CORES is all; write the cores',
    );
  });

  it('are measured on this machine', () => {
    const planned = plannedCores('system', 2, {});
    expect(planned).toBeGreaterThan(0);
    expect(planned).toBeLessThanOrEqual(2);
  });
});

it('the cores for other tests are all', () => {
  expect(plannedCores('e2e', 2, { RTMS_TEST_CORES: '0.3' }, () => 1)).toBe(2);
});
