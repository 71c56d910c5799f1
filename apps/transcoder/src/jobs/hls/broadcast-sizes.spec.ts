import { openStage, type Stage } from '../../../test/broadcast-stage.js';
import { frameMs } from '../../../test/virtual-source.js';

describe('a broadcast in virtual time', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
    // The job looks at its source at whole seconds after its start; the last picture is 3 s old then.
    await stage.source.send(31);
  });
  afterEach(() => stage.close());

  it('starts a new run after a size is stable for 3 s, and the next one at least 10 s later', async () => {
    const [larger, largest] = [
      { width: 1280, height: 720 },
      { width: 1920, height: 1080 },
    ];
    // The 31st picture was a keyframe: nine more pictures, then the keyframe of the new size.
    await stage.source.send(9);
    await stage.source.send(30, larger);
    expect(stage.encoder.runs).toHaveLength(1);
    // A new encoder starts after its first 0.7 s.
    await stage.source.send(8, larger);
    expect(stage.encoder.runs).toHaveLength(2);
    await stage.source.send(2, larger);
    await stage.source.send(90, largest);
    expect(stage.encoder.runs).toHaveLength(2);
    await stage.source.send(8, largest);
    expect(stage.encoder.runs).toHaveLength(3);
    expect(stage.encoder.runs.map(({ plan }) => plan.video[0]!.height)).toEqual([360, 720, 1080]);
  });

  it('keeps the number of renditions, none above the source, when the source shrinks', async () => {
    await stage.source.send(9);
    await stage.source.send(38, { width: 320, height: 180 });
    expect(stage.encoder.runs).toHaveLength(2);
    expect(stage.encoder.runs[1]!.plan.video.map(({ name, width, height }) => [name, width, height])).toEqual([
      ['v1', 320, 180],
      ['v2', 320, 180],
    ]);
  });

  it('has as many renditions as before, none above a source that returned smaller', async () => {
    await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-1' });
    await stage.source.send(31, { width: 160, height: 120 });
    expect(stage.reported()).toEqual([
      ['360p 640x360', '240p 426x240'],
      ['120p 160x120', '120p 160x120'],
    ]);
  });
});

describe('a broadcast in virtual time whose source grows', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
    await stage.source.send(40, { width: 320, height: 180 });
    // The new size is stable for 3 s after 30 pictures. Then 3 s of the new renditions follow.
    await stage.source.send(61, { width: 640, height: 360 });
  });
  afterEach(() => stage.close());

  it('gets and reports the ladder of the new size', () => {
    expect(stage.types()).toEqual(['broadcast.active', 'broadcast.active']);
    expect(stage.reported()).toEqual([['180p 320x180'], ['360p 640x360', '240p 426x240']]);
    expect(stage.encoder.runs.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    expect(stage.playlist()).toContain('#EXT-X-DISCONTINUITY\n');
    const second = stage.registry.get('bcast_1')!.mediaPlaylist('v2');
    expect(second).toMatch(/DISCONTINUITY-SEQUENCE:0\n#EXT-X-DISCONTINUITY\n/);
  });

  it('loses no picture between runs, and its times continue', () => {
    const segments = [...stage.playlist().matchAll(/TIME:(.*)\n#EXTINF:(.*),/g)].map(([, time, duration]) => {
      const start = Date.parse(time!);
      return { start, end: start + Number(duration) * 1000 };
    });
    expect(segments.length).toBeGreaterThan(6);
    // One frame is the step from the last picture of a run to the first of the next.
    for (const [i, { start }] of segments.slice(1).entries())
      expect(Math.abs(start - segments[i]!.end)).toBeLessThanOrEqual(frameMs + 1);
  });
});

describe('a source above the limits of its account', () => {
  const maxSource = { pixels: 640 * 360, pixelsPerSecond: 640 * 360 * 15 };
  const failed = { type: 'broadcast.failed', reason: 'source_too_large' };
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage({ maxSource });
  });
  afterEach(() => stage.close());

  it('fails before an encoder starts', async () => {
    await stage.source.send(31, { width: 6144, height: 6144 });
    expect([stage.facts, stage.encoder.listeners]).toEqual([[failed], []]);
    expect(stage.broadcasts.load).toBe(0);
  });

  it('fails when it grows, and its encoder gets no larger picture', async () => {
    await stage.source.send(31);
    expect(stage.types()).toEqual(['broadcast.active']);
    await stage.source.send(10, { width: 642, height: 362 });
    expect(stage.facts.at(-1)).toEqual(failed);
    expect(stage.encoder.listeners).toHaveLength(1);
  });

  it('fails if its pixel rate is too high', async () => {
    const slow = await openStage({ maxSource: { ...maxSource, pixelsPerSecond: 640 * 360 * 9 } });
    await slow.source.send(31);
    expect([slow.facts, slow.encoder.listeners]).toEqual([[failed], []]);
    await slow.close();
  });
});
