import { systemClock } from '@rtms/clock';
import { MemorySegmentStore } from '../testing/memory-segment-store.js';
import { Presentation } from './presentation.js';
import { partPlanOf } from './presentation-options.js';
import { names, read, renditions, TestBroadcast } from './testing/low-latency-bed.js';
import { recordedVideo } from './testing/recorded-media.js';

describe('a low-latency playlist', () => {
  it('lists parts of the last three target durations and of the open segment, with a hint and the other renditions', async () => {
    const broadcast = new TestBroadcast();
    await broadcast.begin();
    await broadcast.segments(5);
    names.forEach(name => broadcast.part(name));
    const lines = broadcast.playlist().split('\n');
    expect(lines.slice(0, 7)).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-TARGETDURATION:2',
      '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.380,CAN-SKIP-UNTIL=12.0',
      '#EXT-X-PART-INF:PART-TARGET=0.460',
      '#EXT-X-MEDIA-SEQUENCE:0',
      '#EXT-X-DISCONTINUITY-SEQUENCE:0',
    ]);
    const { parts, segments, hint } = read(broadcast.playlist());
    expect([...segments.keys()]).toEqual([0, 1, 2, 3, 4]);
    expect([...parts].map(([msn, uris]) => [msn, uris.length])).toEqual([
      [1, 5],
      [2, 5],
      [3, 5],
      [4, 5],
      [5, 1],
    ]);
    const first = parts.get(5)?.[0] ?? '';
    expect(first).toMatch(/-5\.0\.m4s$/);
    expect(hint).toBe(first.replace('.0.m4s', '.1.m4s'));
    expect(lines).toContain(`#EXT-X-PART:DURATION=0.400000,URI="${first}",INDEPENDENT=YES`);
    expect(lines.at(-2)).toBe('#EXT-X-RENDITION-REPORT:URI="../b/index.m3u8",LAST-MSN=5,LAST-PART=0');
  });

  it('lists a part once all renditions have it, and hints at the next segment once the open one has its length', async () => {
    const broadcast = new TestBroadcast();
    await broadcast.begin();
    await broadcast.segments(1);
    broadcast.part('a');
    expect(read(broadcast.playlist()).parts.get(1)).toBeUndefined();
    broadcast.part('b');
    const [uri, ...others] = read(broadcast.playlist()).parts.get(1) ?? [];
    expect(others).toEqual([]);
    expect(await broadcast.presentation.segment(`a/${uri}`)).toEqual(Buffer.from([0, 11]));
    for (let part = 1; part < 5; part += 1) names.forEach(name => broadcast.part(name));
    const { hint } = read(broadcast.playlist());
    expect(hint).toMatch(/-2\.0\.m4s$/);
    expect(broadcast.presentation.live?.isHinted(`a/${hint}`)).toBe(true);
    expect(broadcast.presentation.live?.isHinted(`a/${hint?.replace('.0.', '.1.')}`)).toBe(false);
    expect(broadcast.presentation.live?.isHinted(`c/${hint}`)).toBe(false);
  });

  it('lists the parts of short segments while the encoder is ahead in one rendition', async () => {
    const broadcast = new TestBroadcast();
    await broadcast.begin();
    for (let segment = 0; segment < 6; segment += 1) {
      names.forEach(name => broadcast.part(name));
      for (const name of names) await broadcast.segment(name);
    }
    for (let segment = 0; segment < 4; segment += 1) {
      broadcast.part('b');
      await broadcast.segment('b');
    }
    for (const name of names) expect([...read(broadcast.playlist(name)).parts.keys()]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('reports the last part of the other renditions, also while the next segment has none', async () => {
    const broadcast = new TestBroadcast();
    await broadcast.begin();
    await broadcast.segments(1);
    expect(broadcast.playlist('b').match(/#EXT-X-RENDITION-REPORT.*/g)).toEqual([
      '#EXT-X-RENDITION-REPORT:URI="../a/index.m3u8",LAST-MSN=0,LAST-PART=4',
    ]);
  });

  it('has neither parts nor a hint after the end, and lists the parts of the last segment as a short one', async () => {
    const broadcast = new TestBroadcast();
    await broadcast.begin();
    await broadcast.segments(1);
    names.forEach(name => broadcast.part(name));
    broadcast.presentation.end();
    const { parts, segments, hint } = read(broadcast.playlist());
    expect([parts.size, segments.size, hint]).toEqual([0, 2, undefined]);
    expect(broadcast.playlist()).toMatch(/#EXTINF:0\.400000,\n\S+-1c\.m4s\n#EXT-X-ENDLIST\n$/);
    expect(broadcast.presentation.live?.hasReached('a', { msn: 99, part: 3 })).toBe(true);
    await broadcast.presentation.close();
  });

  it('adds nothing to a broadcast that is not low-latency', async () => {
    const presentation = new Presentation(
      'b',
      { segmentSeconds: 2, windowSegments: 6, isLow: false },
      new MemorySegmentStore(),
      systemClock,
    );
    presentation.beginRun({ renditions, startsAt: new Date(0) });
    for (const name of names) await presentation.addInit(name, recordedVideo.init);
    const { version } = presentation;
    const time = { programDateTime: new Date(0), durationSeconds: 2 };
    for (const name of names) {
      presentation.addPart(name, { ...time, bytes: Buffer.from('x'), isIndependent: true });
      await presentation.addSegment(name, { ...time, bytes: Buffer.from('x') });
    }
    expect(presentation.version).toBe(version + 1);
    const tags = presentation.mediaPlaylist('a')?.match(/^#EXT[-A-Z0-9]*/gm);
    expect(tags).toEqual([
      ...['#EXTM3U', '#EXT-X-VERSION', '#EXT-X-TARGETDURATION', '#EXT-X-MEDIA-SEQUENCE'],
      ...['#EXT-X-DISCONTINUITY-SEQUENCE', '#EXT-X-MAP', '#EXT-X-PROGRAM-DATE-TIME', '#EXTINF'],
    ]);
  });

  it('lists no part of a run before the store has the init segments', async () => {
    const broadcast = new TestBroadcast();
    await broadcast.begin();
    await broadcast.segments(1);
    const put = broadcast.store.put.bind(broadcast.store);
    const writes: (() => void)[] = [];
    broadcast.store.put = async (...parameters) => {
      await new Promise<void>(resolve => writes.push(resolve));
      await put(...parameters);
    };
    const { presentation } = broadcast;
    const former = presentation.version;
    presentation.beginRun({ renditions, startsAt: new Date(0) });
    expect(read(broadcast.playlist()).hint).toBeUndefined();
    const { version } = presentation;
    expect(version).toBe(former + 1);
    const stored = names.map(name => presentation.addInit(name, recordedVideo.init));
    names.forEach(name => broadcast.part(name));
    expect(read(broadcast.playlist()).parts.get(1)).toBeUndefined();
    expect(presentation.version).toBe(version);
    writes.forEach(write => write());
    await Promise.all(stored);
    expect(presentation.version).toBe(version + 2);
    expect(read(broadcast.playlist()).parts.get(1)).toHaveLength(1);
  });

  it('lists nothing of a run that ends before each rendition has a part', async () => {
    const broadcast = new TestBroadcast();
    await broadcast.begin();
    await broadcast.segments(1);
    broadcast.part('a');
    broadcast.presentation.end();
    expect([...read(broadcast.playlist()).segments.keys()]).toEqual([0]);
  });

  it('serves the short last segment before the store has it, and while the store fails', async () => {
    const broadcast = new TestBroadcast();
    await broadcast.begin();
    names.forEach(name => broadcast.part(name));
    broadcast.store.put = () => Promise.reject(new Error('full'));
    broadcast.presentation.end();
    const uri = read(broadcast.playlist()).segments.get(0);
    expect(broadcast.presentation.segmentInMemory(`a/${uri}`)).toEqual(Buffer.from([0, 1]));
    expect(broadcast.presentation.segmentInMemory(`b/${uri}`)).toEqual(Buffer.from([0, 2]));
    await broadcast.presentation.close();
    expect(broadcast.presentation.segmentInMemory(`a/${uri}`)).toBeUndefined();
  });

  it('tells players that wait for a part of each part, and refuses those too far ahead', async () => {
    const broadcast = new TestBroadcast();
    const { live } = broadcast.presentation;
    await broadcast.begin();
    expect(live?.hasReached('a', { msn: 0, part: 0 })).toBe(true);
    await broadcast.segments(1);
    expect(live?.hasReached('a', { msn: 1, part: 0 })).toBe(false);
    expect(() => live?.hasReached('a', { msn: 4 })).toThrow('two segments ahead');
    const { version } = broadcast.presentation;
    let events = 0;
    broadcast.presentation.onChanged(() => (events += 1));
    names.forEach(name => broadcast.part(name));
    expect(events).toBe(2);
    expect(broadcast.presentation.version).toBe(version + 1);
    expect(live?.hasReached('a', { msn: 1, part: 0 })).toBe(true);
  });

  it('makes the encoder cut parts only for low latency', () => {
    const options = { segmentSeconds: 2, windowSegments: 6 };
    expect(partPlanOf({ ...options, isLow: true })).toEqual({ partSeconds: 0.4 });
    expect(partPlanOf(options)).toEqual({});
  });
});
