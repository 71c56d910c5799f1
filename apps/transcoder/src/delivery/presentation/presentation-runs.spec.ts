import { systemClock } from '@rtms/clock';
import { ManualClock } from '@rtms/testing';
import HLS from 'hls-parser';
import { MemorySegmentStore } from '../testing/memory-segment-store.js';
import { Presentation } from './presentation.js';
import type { RunRendition } from './run-segments.js';
import { add, addEach, audio, begin, listed, setUp, startsAt, video, warningsOf } from './testing/presentation-bed.js';

HLS.setOptions({ strictMode: true });

function mapsOf(presentation: Presentation): string[] {
  return [...(presentation.mediaPlaylist('90p') ?? '').matchAll(/MAP:URI="(.*)"/g)].map(([, uri]) => uri!);
}

describe('the runs of a presentation', () => {
  it('starts each later run with a discontinuity, a new init segment and new names', async () => {
    const { presentation } = setUp(10);
    await begin(presentation);
    await addEach(presentation, 2);
    await begin(presentation, 1);
    await addEach(presentation, 2);
    expect(presentation.mediaPlaylist('90p')!.match(/EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
    expect(presentation.mediaPlaylist('audio')!.match(/EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
    expect(new Set(mapsOf(presentation)).size).toBe(2);
    expect(new Set(listed(presentation)).size).toBe(4);
  });

  it('continues above all numbers of another node, after a discontinuity', async () => {
    const options = { segmentSeconds: 2, windowSegments: 6 };
    const presentation = new Presentation('bcast_1', options, new MemorySegmentStore(), systemClock, {
      ageSeconds: 20.5,
    });
    await begin(presentation);
    await addEach(presentation);
    const playlist = presentation.mediaPlaylist('90p')!;
    expect(playlist).toContain('#EXT-X-TARGETDURATION:2\n');
    expect(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(playlist)![1]).toBe('21');
    expect(/#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)/.exec(playlist)![1]).toBe('21');
    expect(playlist).toContain('#EXT-X-DISCONTINUITY\n');
    expect(warningsOf(playlist)).toEqual([]);
  });

  it('returns the former node for two windows', async () => {
    const options = { segmentSeconds: 2, windowSegments: 6 };
    const clock = new ManualClock();
    const continues = { ageSeconds: 1, formerUrl: 'http://former' };
    const presentation = new Presentation('bcast_1', options, new MemorySegmentStore(), clock, continues);
    await clock.advance(24_000);
    expect(presentation.formerUrl).toBe('http://former');
    await clock.advance(1);
    expect(presentation.formerUrl).toBeUndefined();
  });

  it('ignores segments after a hand-over and has no end tag', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    await addEach(presentation);
    presentation.handOver();
    const last = presentation.mediaPlaylist('90p')!;
    await addEach(presentation);
    presentation.end();
    expect(presentation.mediaPlaylist('90p')).toBe(last);
    expect(last).not.toContain('#EXT-X-ENDLIST');
    expect({ ended: presentation.ended, isElsewhere: presentation.isHandedOver }).toEqual({
      ended: true,
      isElsewhere: true,
    });
  });

  it('ends here without a hand-over', () => {
    const { presentation } = setUp();
    presentation.end();
    presentation.handOver();
    expect(presentation.isHandedOver).toBe(false);
  });

  it('is overtaken once a player has a playlist of the successor', () => {
    const { presentation } = setUp();
    presentation.handOver();
    expect(presentation.isOvertaken).toBe(false);
    presentation.beOvertaken();
    expect(presentation.isOvertaken).toBe(true);
  });

  it('has no discontinuity if nothing was published before the encoder restarted', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    await add(presentation, '90p');
    await begin(presentation, 1);
    await addEach(presentation);
    expect(presentation.mediaPlaylist('90p')).not.toContain('EXT-X-DISCONTINUITY\n');
  });

  it('drops segments that some rendition lacks when the encoder fails', async () => {
    const { presentation } = setUp(10);
    await begin(presentation);
    await addEach(presentation);
    await add(presentation, '90p');
    await begin(presentation, 1);
    await addEach(presentation);
    expect(listed(presentation, '90p')).toHaveLength(2);
    expect(listed(presentation, 'audio')).toHaveLength(2);
    const lacking = listed(presentation)[0]!.replace('-0.', '-1.');
    expect(await presentation.segment(`90p/${lacking}`)).toBeUndefined();
  });

  it('deletes an init segment when no segment that needs it can be fetched', async () => {
    const { presentation, store } = setUp(2);
    const has = async (...names: string[]) =>
      Promise.all(names.map(async name => (await store.get('bcast_1', `90p/${name}`)) !== undefined));
    await begin(presentation);
    await addEach(presentation, 2);
    const [init = ''] = mapsOf(presentation);
    const [first = '', second = ''] = listed(presentation);
    await begin(presentation, 1);
    await addEach(presentation, 3);
    expect(await has(init, first, second)).toEqual([true, false, true]);
    await addEach(presentation);
    expect(await has(init, first, second)).toEqual([false, false, false]);
    await addEach(presentation, 2);
    expect(await has(...mapsOf(presentation), ...listed(presentation))).toEqual([true, true, true]);
  });

  it('deletes the init segments of a run that published nothing', async () => {
    const { presentation, store } = setUp();
    await begin(presentation);
    const put = store.put.bind(store);
    const stored: string[] = [];
    store.put = (broadcastID, name, content) => {
      stored.push(name);
      return put(broadcastID, name, content);
    };
    await begin(presentation, 1);
    await begin(presentation, 2);
    expect(await store.get('bcast_1', stored[0]!)).toBeUndefined();
    expect(await store.get('bcast_1', stored.at(-1)!)).toBeDefined();
  });

  it('refuses a later run that lacks a published rendition', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    await addEach(presentation);
    expect(() => presentation.beginRun({ renditions: [video], startsAt })).toThrow('the rendition audio as well');
  });

  it('neither lists nor keeps a segment of an earlier run that is stored after the next run began', async () => {
    const { presentation, store } = setUp();
    await begin(presentation);
    await addEach(presentation);
    await add(presentation, '90p');
    const put = store.put.bind(store);
    let late = '';
    store.put = async (broadcastID, name, content) => {
      store.put = put;
      late = name;
      await begin(presentation, 1);
      await put(broadcastID, name, content);
    };
    await add(presentation, 'audio');
    expect(listed(presentation)).toHaveLength(1);
    expect(late).toMatch(/^audio\/.*m4s$/);
    expect(await store.get('bcast_1', late)).toBeUndefined();
  });
});

describe('a presentation whose source grows', () => {
  const grown: RunRendition = { ...video, width: 1280, height: 720, bitrate: 2_000_000 };
  const second: RunRendition = { ...video, name: 'v2', width: 640, height: 360, bitrate: 800_000 };
  const names = ['90p', 'v2', 'audio'];

  const addAll = (presentation: Presentation) => addEach(presentation, 1, names);

  /** Discontinuity sequence numbers by segment number. RFC 8216 requires the same in all playlists. */
  function numbersOf(presentation: Presentation, name: string): [number, number][] {
    const playlist = HLS.parse(presentation.mediaPlaylist(name)!) as HLS.types.MediaPlaylist;
    return playlist.segments.map(segment => [segment.mediaSequenceNumber, segment.discontinuitySequence]);
  }

  async function grow(before: number, windowSegments = 4): Promise<Presentation> {
    const { presentation } = setUp(windowSegments);
    await begin(presentation);
    await addEach(presentation, before);
    await begin(presentation, 1, [grown, second, audio]);
    return presentation;
  }

  it('shows no rendition before it has a segment', async () => {
    const presentation = await grow(2);
    for (const name of ['90p', 'audio']) await add(presentation, name);
    expect(presentation.multivariantPlaylist()).toContain('RESOLUTION=160x90');
    expect(presentation.multivariantPlaylist()).not.toContain('v2/');
    expect(presentation.renditions()).toHaveLength(1);
    expect(presentation.mediaPlaylist('v2')).toBeUndefined();
    await add(presentation, 'v2');
    expect(presentation.multivariantPlaylist()).toMatch(/RESOLUTION=1280x720[^]+90p\/[^]+RESOLUTION=640x360[^]+v2\//);
    expect(presentation.renditions().map(({ height }) => height)).toEqual([720, 360]);
  });

  it('keeps its URLs, and new renditions start at the discontinuity', async () => {
    const presentation = await grow(2);
    await addAll(presentation);
    expect(listed(presentation, '90p')).toHaveLength(3);
    expect(listed(presentation, 'v2')).toHaveLength(1);
    const text = presentation.mediaPlaylist('v2')!;
    expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:2\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n#EXT-X-DISCONTINUITY\n');
  });

  it('numbers the segments of all renditions alike while the window slides', async () => {
    const presentation = await grow(3);
    for (let count = 0; count < 7; count += 1) {
      await addAll(presentation);
      const all = numbersOf(presentation, '90p');
      expect(numbersOf(presentation, 'audio')).toEqual(all);
      expect(numbersOf(presentation, 'v2')).toEqual(all.slice(-Math.min(count + 1, 4)));
    }
  });

  it('is read by strict readers without a warning, whatever has slid out', async () => {
    const presentation = await grow(3);
    for (let count = 0; count < 6; count += 1) {
      await addAll(presentation);
      for (const text of [presentation.multivariantPlaylist()!, ...names.map(n => presentation.mediaPlaylist(n)!)]) {
        expect(() => HLS.parse(text)).not.toThrow();
        expect(warningsOf(text)).toEqual([]);
      }
    }
  });

  it('measures the bit rate again for another size', async () => {
    const presentation = await grow(2);
    await addAll(presentation);
    expect(presentation.multivariantPlaylist()).toContain('BANDWIDTH=2128000,');
  });
});
