import {
  axisNumberText,
  counted,
  durationText,
  isHttpsAddress,
  isWebAddress,
  numberText,
  sizeText,
  timeText,
  waitText,
} from './formats.js';

describe('the formats of the page', () => {
  it.each([
    [0, '0'],
    [7.44, '7.4'],
    [1234.5, '1,234.5'],
    [1_000_000, '1,000,000'],
  ])('writes the number %d as %s', (value, text) => {
    expect(numberText(value)).toBe(text);
  });

  it.each([
    [5_000, '5,000'],
    [12_000, '12K'],
    [1_500_000, '1.5M'],
  ])('writes %d beside the axis of a chart as %s', (value, text) => {
    expect(axisNumberText(value)).toBe(text);
  });

  it.each([
    [1, '1 viewer'],
    [0, '0 viewers'],
    [1_200, '1,200 viewers'],
  ])('counts %d as %s', (count, text) => {
    expect(counted(count, 'viewer')).toBe(text);
  });

  it.each([
    [7.4, '0:07'],
    [59.6, '1:00'],
    [3_723, '1:02:03'],
    [null, 'Unknown'],
  ])('writes a duration of %p seconds as %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });

  it.each([
    [1, '1 second'],
    [119, '119 seconds'],
    [503, '9 minutes'],
    [600, '10 minutes'],
  ])('tells to wait %d seconds as %s', (seconds, text) => {
    expect(waitText(seconds)).toBe(text);
  });

  it.each([
    [0, '0 B'],
    [1_540, '1.5 kB'],
    [2_000_000_000_000_000, '2,000 TB'],
    [null, 'Unknown'],
  ])('writes a size of %p bytes as %s', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });

  it('writes times with 24 hours, also at midnight', () => {
    const midnight = new Date(2026, 10, 24, 0, 5, 9);
    expect(timeText(midnight, 'clock')).toBe('00:05');
    expect(timeText(midnight, 'short')).toBe('Nov 24, 2026, 00:05');
    expect(timeText(new Date(2026, 10, 24, 18, 7, 11), 'seconds')).toBe('Nov 24, 2026, 18:07:11');
  });

  it('names the zone in the full time, and cuts days in UTC', () => {
    expect(timeText('2026-11-24T12:00:00Z', 'full')).toMatch(/ (?:UTC|GMT\S*|[A-Z]{3,4})$/);
    expect(timeText('2026-11-24T00:00:00.000Z', 'utcDay')).toBe('Nov 24');
  });
});

describe('a web address', () => {
  it.each([
    ['https://example.com/hook?a=1', true, true],
    ['HTTPS://example.com', true, true],
    ['http://localhost:3000', true, false],
    ['https:example.com', false, false],
    ['https://', false, false],
    ['https://exa mple.com', false, false],
    ['ftp://example.com', false, false],
    ['example.com', false, false],
    ['', false, false],
  ])('is recognised in "%s": %s, with https: %s', (text, isAddress, isHttps) => {
    expect([isWebAddress(text), isHttpsAddress(text)]).toEqual([isAddress, isHttps]);
  });
});
