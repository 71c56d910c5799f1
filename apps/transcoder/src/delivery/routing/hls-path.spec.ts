import fc from 'fast-check';
import { parseHlsPath } from './hls-path.js';

const signature = 'A'.repeat(86);
const signed = `/hls/bcast_1/1000/2000/kid-1/${signature}`;

describe('an address below /hls/', () => {
  it('is the entry of a broadcast', () => {
    expect(parseHlsPath('/hls/bcast_1/index.m3u8')).toEqual({ kind: 'entry', broadcastID: 'bcast_1' });
  });

  it.each(['index.m3u8', '720p/index.m3u8', '720p/0a-17.m4s'])('is the file %s under a signed path', file => {
    expect(parseHlsPath(`${signed}/${file}`)).toEqual({
      kind: 'signed',
      broadcastID: 'bcast_1',
      signed: { broadcastID: 'bcast_1', window: 1000, expiresAt: 2000, kid: 'kid-1', signature },
      file,
    });
  });

  it.each(['/hls/bcast_1/x/2000/k/s/index.m3u8', '/hls/bcast_1/01/2000/k/s/720p/1.m4s'])(
    'has no signature where the signed path is not one: %s',
    path => {
      expect(parseHlsPath(path)).toMatchObject({ kind: 'signed', signed: undefined });
    },
  );

  it.each([
    ['climbs', `${signed}/../index.m3u8`],
    ['climbs deeper', `${signed}/720p/../../../../etc/passwd`],
    ['has escapes', `${signed}/720p%2f1.m4s`],
    ['has an escaped dot', `${signed}/%2e%2e/1.m4s`],
    ['has a broken escape', `${signed}/%zz`],
    ['has a backslash', `${signed}/..\\1.m4s`],
    ['has an empty part', `${signed}//index.m3u8`],
    ['ends with a slash', `${signed}/720p/`],
    ['has a NUL', `${signed}/\0`],
    ['is too deep', `${signed}/a/b/c.m4s`],
    ['is absurdly long', `${signed}/${'a'.repeat(5000)}`],
    ['is not complete', '/hls/bcast_1/1000/2000/kid-1'],
    ['has no broadcast', '/hls/'],
    ['is elsewhere', '/HLS/bcast_1/index.m3u8'],
  ])('is nothing when it %s', (_what, path) => {
    expect(parseHlsPath(path)).toBeUndefined();
  });

  it('never contains a parent directory', () => {
    const part = fc.oneof(fc.constantFrom('..', '.', '', '%2e', 'index.m3u8', '720p', '1'), fc.string());
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), parts => {
        const path = parseHlsPath(`/hls/${parts.join('/')}`);
        return path?.kind !== 'signed' || !/(^|\/)\.|\/\/|%|\\/.test(path.file);
      }),
    );
  });
});
