import type { Capture } from '../../encoder/recorder.js';
import type { FeedCodecs, TimedFrame } from '../../rtp/source-feed.js';
import { CaptureRun } from './capture-run.js';

const codecs = { video: { codec: 'vp8' }, audio: { channels: 2 } } as FeedCodecs;
const frame = (kind: 'audio' | 'video', timeMs: number, bytes = 3): TimedFrame => {
  const data = Buffer.alloc(bytes, 0xfc);
  const picture = kind === 'video' && { size: { width: 64, height: 48 } };
  return { kind, timeMs, data, keyframe: true, rtpTimestamp: 0, receivedAt: 0, ...picture };
};

const fail = () => {
  throw new Error('not expected');
};

function openRun(onSourceChanged: () => void = fail) {
  let onCapture: (capture: Capture) => void = () => undefined;
  let mediaMs = 0;
  const begin = () => new Promise<Capture>(resolve => (onCapture = resolve));
  const run = new CaptureRun(
    { codecs, formerShapes: [], maxSource: undefined, begin },
    {
      ...{ onStarted: () => undefined, onSourceChanged, onTooLarge: fail, onFailed: fail },
      onMedia: ms => (mediaMs += ms),
    },
  );
  return { run, capture: (capture: Capture) => onCapture(capture), mediaMs: () => mediaMs };
}

describe('a run of a recording', () => {
  it('counts no jump of the audio beside video', () => {
    const { run, mediaMs } = openRun();
    run.onFrame(frame('video', 0));
    run.onFrame(frame('audio', 3_600_000));
    run.onFrame(frame('video', 40));
    expect(mediaMs()).toBe(40);
  });

  it('goes on after 4 s without a picture, and ends after more', () => {
    let changes = 0;
    const { run, mediaMs } = openRun(() => (changes += 1));
    run.onFrame(frame('video', 0));
    run.onFrame(frame('video', 4_000));
    expect([mediaMs(), changes]).toEqual([4_000, 0]);
    run.onFrame(frame('video', 8_001));
    expect([mediaMs(), changes]).toEqual([4_000, 1]);
  });

  it('keeps at most 8 MB while its target connects', async () => {
    const { run, capture } = openRun();
    for (let i = 0; i < 20; i += 1) run.onFrame(frame('video', i * 40, 1024 * 1024));
    let bytes = 0;
    const write = (data: Buffer) => (bytes += data.length) > 0;
    capture({ write, finish: () => Promise.resolve() } as unknown as Capture);
    await run.finish();
    expect(Math.floor(bytes / 1024 / 1024)).toBe(8);
  });
});
