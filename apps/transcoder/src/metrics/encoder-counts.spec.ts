import { ManualClock } from '@rtms/testing';
import type { EncoderExit, EncoderListener } from '../encoder/encoder.js';
import { EncoderCounts } from './encoder-counts.js';

const died: EncoderExit = { expected: false, code: 1, signal: null, lastLines: [] };

describe('EncoderCounts', () => {
  it('counts segments and unexpected exits, and passes all calls on', async () => {
    const counts = new EncoderCounts(new ManualClock());
    const heard: string[] = [];
    const encoder = counts.ofEncoder({
      isUsable: () => Promise.resolve(true),
      decodes: () => true,
      compose: () => Promise.reject(new Error('unused')),
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
    await encoder.start(plan, {
      onInit: name => heard.push(`init ${name}`),
      onSegment: name => heard.push(`segment ${name}`),
      onExit: ({ code }) => heard.push(`exit ${code}`),
    });
    expect(heard).toEqual(['init 720p', 'segment 720p', 'segment audio', 'exit 1']);
    expect([counts.segments, counts.failures]).toEqual([2, 1]);
  });

  it('counts unexpected exits of recorders only', () => {
    const counts = new EncoderCounts(new ManualClock());
    const exits: EncoderExit[] = [];
    const capture = {
      pid: undefined,
      write: () => true,
      finish: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const recorder = counts.ofRecorder({
      decodes: () => true,
      hasNameTags: () => Promise.resolve(false),
      render: () => Promise.reject(new Error('unused')),
      compose: () => Promise.reject(new Error('unused')),
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

  it('compares the length of the media with the time that one rendition took', async () => {
    const clock = new ManualClock();
    const counts = new EncoderCounts(clock);
    let listener: EncoderListener | undefined;
    const written: string[] = [];
    const run = {
      pid: 7,
      write: (data: Buffer) => written.push(data.toString()) < 2,
      finish: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const start = (_plan: unknown, its: EncoderListener) => {
      listener = its;
      return Promise.resolve(run);
    };
    const encoder = counts.ofEncoder({
      isUsable: () => Promise.resolve(true),
      decodes: () => true,
      compose: () => Promise.reject(new Error('unused')),
      start,
    });
    const ignore = () => undefined;
    const paced = await encoder.start({ video: [{ name: 'v1' }] } as never, {
      onInit: ignore,
      onSegment: ignore,
      onExit: ignore,
    });
    await clock.advance(9_000);
    expect([paced.pid, paced.write(Buffer.from('a')), paced.write(Buffer.from('b'))]).toEqual([7, true, false]);
    for (const milliseconds of [2_500, 2_500]) {
      await clock.advance(milliseconds);
      for (const name of ['audio', 'v1', 'v2']) listener?.onSegment(name, { bytes: Buffer.of(), durationSeconds: 2 });
    }
    expect([counts.mediaSeconds, counts.wallSeconds]).toEqual([4, 5]);
  });
});
