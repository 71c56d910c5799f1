import { jest } from '@jest/globals';
import { playSource } from './play-source.js';

describe('playing a source in a panel', () => {
  it('does not start when the panel was closed before', async () => {
    const [video, onLost] = [{} as HTMLVideoElement, jest.fn()];
    const source = { hls: 'https://hls.test/index.m3u8' };
    const place = { video, signal: AbortSignal.abort(), onLost, follow: jest.fn() };
    const media = playSource({ source, renew: () => Promise.resolve(source) }, place);
    await expect(media).rejects.toThrow('aborted');
    expect([video, onLost.mock.calls]).toEqual([{}, []]);
  });
});
