import {
  baseOf,
  cutFileOf,
  isPartName,
  isReached,
  isWaiting,
  parseAwaited,
  partSecondsOf,
  partTargetOf,
  PartWindow,
  type Awaited,
} from './parts.js';

const part = { bytes: Buffer.from('x'), durationSeconds: 0.4, isIndependent: true, programDateTime: new Date(0) };

describe('the parts in memory', () => {
  it('are those of the last eight segments', () => {
    const window = new PartWindow(() => false);
    for (let segment = 0; segment < 9; segment += 1) window.add(`a-${segment}`, 'v', part);
    expect(window.bytes('v/a-0.0.m4s')).toBeUndefined();
    for (let segment = 1; segment < 9; segment += 1) expect(window.bytes(`v/a-${segment}.0.m4s`)).toBe(part.bytes);
  });

  it('are also of older segments whose parts are listed', () => {
    const listed = new Set(['a-0', 'a-1']);
    const window = new PartWindow(base => listed.has(base));
    for (let segment = 0; segment < 12; segment += 1) window.add(`a-${segment}`, 'v', part);
    expect(window.bytes('v/a-0.0.m4s')).toBeDefined();
    listed.delete('a-0');
    window.add('a-12', 'v', part);
    expect(['v/a-0.0.m4s', 'v/a-1.0.m4s', 'v/a-2.0.m4s'].map(name => window.bytes(name) !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
    listed.clear();
    window.add('a-13', 'v', part);
    expect(window.bytes('v/a-5.0.m4s')).toBeUndefined();
    expect(window.bytes('v/a-6.0.m4s')).toBeDefined();
  });

  it('are of one rendition and segment each, in their order', () => {
    const window = new PartWindow(() => false);
    const later = { ...part, bytes: Buffer.from('y'), durationSeconds: 0.3, isIndependent: false };
    for (const each of [part, later]) window.add('a-0', 'v', each);
    window.add('a-0', 'w', part);
    expect(window.partsOf('a-0', 'v')).toEqual([part, later]);
    expect(window.partsOf('a-1', 'v')).toEqual([]);
    expect(window.bytes('v/a-0.1.m4s')).toBe(later.bytes);
    for (const name of ['w/a-0.1.m4s', 'x/a-0.0.m4s', 'v/a-0.m4s']) expect(window.bytes(name)).toBeUndefined();
    expect(window.listed('a-0', 'v', 1)).toEqual([{ uri: 'a-0.0.m4s', durationSeconds: 0.4, isIndependent: true }]);
    expect(window.listed('a-0', 'v')[1]).toEqual({ uri: 'a-0.1.m4s', durationSeconds: 0.3, isIndependent: false });
  });

  it('are forgotten if no playlist has listed them', () => {
    const window = new PartWindow(() => false);
    for (const rendition of ['v', 'v', 'w']) window.add('a-0', rendition, part);
    window.truncate('a-0', 1);
    window.truncate('a-1', 0);
    expect(['v', 'w'].map(rendition => window.partsOf('a-0', rendition).length)).toEqual([1, 1]);
  });

  it('have names that no segment has', () => {
    expect(['v/a-0.0.m4s', 'v/a-0.9999.m4s'].map(isPartName)).toEqual([true, true]);
    const others = ['v/a-0.m4s', 'a-0.0.m4s', 'v/a.0.m4s', 'v/a-0.10000.m4s', 'v/a-0.0.m4s2', 'u/v/a-0.0.m4s'];
    expect(others.filter(isPartName)).toEqual([]);
  });

  it('belong to the segment with the beginning of their name, also if it was cut', () => {
    expect(['a-0.m4s', cutFileOf('a-0'), 'init.mp4'].map(baseOf)).toEqual(['a-0', 'a-0', 'init.mp4']);
  });
});

describe('the directives of a player that waits', () => {
  it.each<[string, Awaited | undefined]>([
    ['', undefined],
    ['_HLS_skip=YES', undefined],
    ['_HLS_msn=0', { msn: 0 }],
    ['_HLS_msn=12&_HLS_part=3&_HLS_skip=YES', { msn: 12, part: 3 }],
    ['_HLS_part=9999&_HLS_msn=1', { msn: 1, part: 9999 }],
    // A cache keys by the query as sent, which names no playlist here.
    ['_HLS_skip=NO&%5FHLS_msn=1', undefined],
    ['_hls_msn=9&_hls_part=1&_HLS_msn=0', { msn: 0 }],
  ])('are read from: %s', (query, awaited) => expect(parseAwaited(query)).toStrictEqual(awaited));

  it.each([
    ['/index.m3u8?_HLS_msn=1', true],
    ['/index.m3u8?_HLS_skip=YES&_HLS_msn=1', true],
    ['_HLS_msn=1', true],
    ['/index.m3u8?_HLS_skip=YES', false],
    ['/index.m3u8?my_HLS_msn=1', false],
  ])('let the player of %s wait: %s', (url, waits) => expect(isWaiting(url)).toBe(waits));

  it.each([
    '_HLS_part=1',
    '_HLS_msn=',
    '_HLS_msn=-1',
    '_HLS_msn=1.5',
    '_HLS_msn=01',
    '_HLS_msn=1e3',
    '_HLS_msn=9999999999999999',
    '_HLS_msn=1&_HLS_msn=2',
    '_HLS_msn=1&_HLS_part=x',
    '_HLS_msn=1&_HLS_part=12345',
    '_HLS_msn=%30',
    '_HLS_msn',
  ])('are refused: %s', query => expect(() => parseAwaited(query)).toThrow('_HLS_'));

  const edge = { msn: 10, parts: 5, openParts: 2 };
  const cases: [Awaited, boolean | string][] = [
    [{ msn: 9 }, true],
    [{ msn: 10 }, true],
    [{ msn: 11 }, false],
    [{ msn: 13 }, false],
    [{ msn: 14 }, '_HLS_msn is more than two segments ahead.'],
    [{ msn: 9, part: 40 }, true],
    [{ msn: 10, part: 4 }, true],
    [{ msn: 10, part: 5 }, true],
    [{ msn: 11, part: 1 }, true],
    [{ msn: 11, part: 2 }, false],
    [{ msn: 11, part: 5 }, false],
    [{ msn: 11, part: 6 }, '_HLS_part is more than 3 parts ahead.'],
    [{ msn: 12, part: 0 }, false],
  ];
  const closed = { ...edge, openParts: 0 };
  it.each(cases)('%j are answered: %s', (awaited, answer) => {
    if (typeof answer === 'string') expect(() => isReached(awaited, edge, 1)).toThrow(answer);
    else expect(isReached(awaited, edge, 1)).toBe(answer);
  });

  it('wait for the first part of the next segment when they name a part behind the last one', () => {
    expect(isReached({ msn: 10, part: 5 }, closed, 1)).toBe(false);
  });

  it('are answered with the last whole segment while the next one has no part', () => {
    expect(isReached({ msn: 10 }, closed, 1)).toBe(true);
    expect(isReached({ msn: 10, part: 4 }, closed, 1)).toBe(true);
    expect(isReached({ msn: 12 }, closed, 1)).toBe(false);
    expect(() => isReached({ msn: 13 }, closed, 1)).toThrow('_HLS_msn is more than two segments ahead.');
  });

  it.each([
    [0.5, 6],
    [0.46, 7],
    [2, 3],
  ])('with parts of %f s may name a part that is %i ahead', (partTargetSeconds, ahead) => {
    expect(isReached({ msn: 11, part: 2 + ahead }, edge, partTargetSeconds)).toBe(false);
    const further = { msn: 11, part: 3 + ahead };
    expect(() => isReached(further, edge, partTargetSeconds)).toThrow(`_HLS_part is more than ${ahead} parts ahead.`);
  });
});

describe('the length of parts', () => {
  it.each([1, 1.5, 2, 4, 6, 10])('divides segments of %d s, with a target that is at most 15 %% longer', seconds => {
    const parts = seconds / partSecondsOf(seconds);
    expect(parts).toBeCloseTo(Math.round(parts), 6);
    expect(partTargetOf(seconds)).toBeGreaterThan(partSecondsOf(seconds));
    expect(partTargetOf(seconds)).toBeLessThan(0.6);
  });
});
