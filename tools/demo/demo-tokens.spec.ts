import type { GatewayApi } from '../rtms/gateway-api.mjs';
import { DemoTokens } from './demo-page.mjs';

describe('the tokens of the demo page', () => {
  const requests: string[] = [];
  let lastsMs: number;
  let viewerCount: number;

  const api = {
    get: (path: string) => {
      requests.push(`GET ${path}`);
      return Promise.resolve({ broadcast: { playbackUrl: 'https://public/hls/b?token=h' }, playback: { viewerCount } });
    },
    post: (path: string) => {
      requests.push(`POST ${path}`);
      const tokenExpiresAt = new Date(Date.now() + lastsMs).toISOString();
      return Promise.resolve({
        playback: { playbackID: 'play_1', endpoint: 'https://public/whep/p', token: 't', tokenExpiresAt },
      });
    },
    delete: (path: string) => {
      requests.push(`DELETE ${path}`);
      return Promise.resolve({});
    },
  } as unknown as GatewayApi;
  const nodes = { sfu: 'http://sfu', transcoder: 'http://hls' };
  const tokens = () => new DemoTokens(api, nodes, { meetingID: 'room_1', sessionID: 'ext_1', broadcastID: 'bcast_1' });
  const made = () => requests.filter(request => !request.includes('bcast_1'));

  beforeEach(() => {
    requests.length = 0;
    lastsMs = 300_000;
    viewerCount = 0;
  });

  it('are those of one playback while its token lasts', async () => {
    const shared = tokens();
    const answers = [await shared.watch(), await shared.watch()];
    expect(answers).toEqual(
      Array(2).fill({ whep: { url: 'http://sfu/whep/p', token: 't' }, hls: 'http://hls/hls/b?token=h' }),
    );
    expect(made()).toEqual(['POST /v1/meetings/room_1/playbacks']);
  });

  it('are of a new playback once the token expires, and the unused one is removed', async () => {
    lastsMs = 10_000;
    const shared = tokens();
    await shared.watch();
    await shared.watch();
    const path = '/v1/meetings/room_1/playbacks';
    expect(made()).toEqual([`POST ${path}`, `POST ${path}`, `GET ${path}/play_1`, `DELETE ${path}/play_1`]);
  });

  it('leave a playback alone that somebody watches', async () => {
    [lastsMs, viewerCount] = [10_000, 1];
    const shared = tokens();
    await shared.watch();
    await shared.watch();
    expect(made().some(request => request.startsWith('DELETE'))).toBe(false);
  });
});
