import type { EncoderExit } from '../encoder/encoder.js';
import { EncoderCounts } from './encoder-counts.js';

const died: EncoderExit = { expected: false, code: 1, signal: null, lastLines: [] };

describe('EncoderCounts', () => {
  it('counts segments and unexpected exits, and passes all calls on', async () => {
    const counts = new EncoderCounts();
    const heard: string[] = [];
    const encoder = counts.ofEncoder({
      isUsable: () => Promise.resolve(true),
      decodes: () => true,
      start: (_plan, listener) => {
        listener.onInit('720p', Buffer.of());
        listener.onSegment('720p', { bytes: Buffer.of(), durationSeconds: 2 });
        listener.onSegment('audio', { bytes: Buffer.of(), durationSeconds: 2 });
        listener.onExit(died);
        return Promise.resolve(run);
      },
    });
    const run = { pid: undefined, write: () => true, finish: () => Promise.resolve(), close: () => Promise.resolve() };
    const plan = {
      broadcastID: 'b',
      segmentSeconds: 2,
      frameRate: { numerator: 30, denominator: 1 },
      video: [],
      hasAudio: true,
    };
    const started = await encoder.start(plan, {
      onInit: name => heard.push(`init ${name}`),
      onSegment: name => heard.push(`segment ${name}`),
      onExit: ({ code }) => heard.push(`exit ${code}`),
    });
    expect(started).toBe(run);
    expect(heard).toEqual(['init 720p', 'segment 720p', 'segment audio', 'exit 1']);
    expect([counts.segments, counts.failures]).toEqual([2, 1]);
  });

  it('counts unexpected exits of recorders only', () => {
    const counts = new EncoderCounts();
    const exits: EncoderExit[] = [];
    const capture = {
      pid: undefined,
      write: () => true,
      finish: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const recorder = counts.ofRecorder({
      decodes: () => true,
      join: () => Promise.resolve(),
      capture: (_plan, onExit) => {
        onExit(died);
        onExit({ ...died, expected: true });
        return capture;
      },
    });
    recorder.capture({} as never, exit => exits.push(exit));
    expect([exits.length, counts.failures]).toEqual([2, 1]);
  });
});
