import { jest } from '@jest/globals';
import { systemClock } from '@rtms/clock';
import { ManualClock } from '@rtms/testing';
import { Parser } from 'm3u8-parser';
import HLS from 'hls-parser';
import { encodeFmp4, type Fmp4Rendition } from '../../../../../test/media/fmp4.js';
import { MemorySegmentStore } from '../../delivery/memory-segment-store.js';
import { Presentation, type RunRendition } from './presentation.js';

HLS.setOptions({ strictMode: true });

const startsAt = new Date('2026-11-21T10:00:00.000Z');
const video: RunRendition = { kind: 'video', name: '90p', width: 160, height: 90, frameRate: 30, bitrate: 100_000 };
const audio: RunRendition = { kind: 'audio', name: 'audio', bitrate: 128_000, channels: 2 };

let media: Fmp4Rendition[];
beforeAll(async () => {
  const videos = [{ name: '90p', width: 160, height: 90 }];
  media = await encodeFmp4({ seconds: 2, segmentSeconds: 1, videos, audio: true });
});

interface Setup {
  store: MemorySegmentStore;
  presentation: Presentation;
}

function setUp(windowSegments = 3): Setup {
  const store = new MemorySegmentStore();
  return {
    store,
    presentation: new Presentation('bcast_1', { segmentSeconds: 1, windowSegments }, store, systemClock),
  };
}

async function begin(presentation: Presentation, minutes = 0, renditions = [video, audio]): Promise<void> {
  presentation.beginRun({ renditions, startsAt: new Date(startsAt.getTime() + minutes * 60_000) });
  for (const { name, kind } of renditions) await presentation.addInit(name, mediaOf(kind).init);
}

function mediaOf(kind: RunRendition['kind']): Fmp4Rendition {
  return media.find(({ name }) => (name === 'audio') === (kind === 'audio'))!;
}

async function add(presentation: Presentation, name: string, durationSeconds = 1): Promise<void> {
  const { bytes } = media.find(rendition => rendition.name === name)!.segments[0]!;
  await presentation.addSegment(name, { bytes, durationSeconds, programDateTime: startsAt });
}

async function addBoth(presentation: Presentation, count = 1): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await add(presentation, '90p');
    await add(presentation, 'audio');
  }
}

function listed(presentation: Presentation, name = '90p'): string[] {
  return [...(presentation.mediaPlaylist(name) ?? '').matchAll(/^[^#\n].*$/gm)].map(([uri]) => uri);
}

function mapsOf(presentation: Presentation): string[] {
  return [...(presentation.mediaPlaylist('90p') ?? '').matchAll(/MAP:URI="(.*)"/g)].map(([, uri]) => uri!);
}

function warningsOf(text: string): string[] {
  const warnings: string[] = [];
  const parser = new Parser();
  parser.on('warn', ({ message }) => warnings.push(message));
  parser.push(text);
  parser.end();
  return warnings;
}

describe('a presentation', () => {
  it('has nothing to show before every rendition has a segment', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    await add(presentation, '90p');
    expect(presentation.allHaveSegment()).toBe(false);
    expect(presentation.mediaPlaylist('90p')).toBeUndefined();
    expect(presentation.multivariantPlaylist()).toBeUndefined();
    await add(presentation, 'audio');
    expect(presentation.allHaveSegment()).toBe(true);
    expect(listed(presentation)).toHaveLength(1);
  });

  it('lists a segment only when the store has it', async () => {
    const { presentation, store } = setUp();
    await begin(presentation);
    let finishWrite = (): void => undefined;
    const put = store.put.bind(store);
    store.put = async (...parameters) => {
      await new Promise<void>(resolve => (finishWrite = resolve));
      await put(...parameters);
    };
    const adding = add(presentation, '90p');
    finishWrite();
    await adding;
    const last = add(presentation, 'audio');
    expect(presentation.allHaveSegment()).toBe(false);
    finishWrite();
    await last;
    expect(presentation.allHaveSegment()).toBe(true);
  });

  it('keeps the order of a rendition whose segments are written in another order', async () => {
    const { presentation, store } = setUp();
    await begin(presentation);
    const writes: (() => void)[] = [];
    const put = store.put.bind(store);
    store.put = async (...parameters) => {
      await new Promise<void>(resolve => writes.push(resolve));
      await put(...parameters);
    };
    const adding = [
      add(presentation, '90p'),
      add(presentation, '90p'),
      add(presentation, 'audio'),
      add(presentation, 'audio'),
    ];
    for (const write of writes.reverse()) write();
    await Promise.all(adding);
    expect(listed(presentation).map(uri => uri.split('-')[1])).toEqual(['0.m4s', '1.m4s']);
  });

  it('slides its window and keeps what it removed for one more', async () => {
    const { presentation, store } = setUp(3);
    await begin(presentation);
    await addBoth(presentation, 3);
    const first = listed(presentation)[0]!;
    await addBoth(presentation, 3);
    expect(listed(presentation)).not.toContain(first);
    expect(presentation.mediaPlaylist('90p')).toContain('#EXT-X-MEDIA-SEQUENCE:3\n');
    expect(await store.get('bcast_1', `90p/${first}`)).toBeDefined();
    await addBoth(presentation);
    expect(await store.get('bcast_1', `90p/${first}`)).toBeUndefined();
  });

  it('begins each later run with a discontinuity, a new init segment and other names', async () => {
    const { presentation } = setUp(10);
    await begin(presentation);
    await addBoth(presentation, 2);
    await begin(presentation, 1);
    await addBoth(presentation, 2);
    expect(presentation.mediaPlaylist('90p')!.match(/EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
    expect(presentation.mediaPlaylist('audio')!.match(/EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
    expect(new Set(mapsOf(presentation)).size).toBe(2);
    expect(new Set(listed(presentation)).size).toBe(4);
  });

  it('goes on above all numbers that another node may have used, behind a discontinuity', async () => {
    const options = { segmentSeconds: 2, windowSegments: 6 };
    const presentation = new Presentation('bcast_1', options, new MemorySegmentStore(), systemClock, {
      ageSeconds: 20.5,
    });
    await begin(presentation);
    await addBoth(presentation);
    const playlist = presentation.mediaPlaylist('90p')!;
    expect(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(playlist)![1]).toBe('21');
    expect(/#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)/.exec(playlist)![1]).toBe('21');
    expect(playlist).toContain('#EXT-X-DISCONTINUITY\n');
    expect(warningsOf(playlist)).toEqual([]);
  });

  it('knows the node that had it before for two windows, after which there is nothing there', async () => {
    const options = { segmentSeconds: 2, windowSegments: 6 };
    const clock = new ManualClock();
    const continues = { ageSeconds: 1, formerUrl: 'http://former' };
    const presentation = new Presentation('bcast_1', options, new MemorySegmentStore(), clock, continues);
    await clock.advance(24_000);
    expect(presentation.formerUrl).toBe('http://former');
    await clock.advance(1);
    expect(presentation.formerUrl).toBeUndefined();
  });

  it('that was handed over takes nothing more, and does not say that the broadcast is over', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    await addBoth(presentation);
    presentation.handOver();
    const last = presentation.mediaPlaylist('90p')!;
    await addBoth(presentation);
    presentation.end();
    expect(presentation.mediaPlaylist('90p')).toBe(last);
    expect(last).not.toContain('#EXT-X-ENDLIST');
  });

  it('has no discontinuity when nothing was published before the encoder started again', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    await add(presentation, '90p');
    await begin(presentation, 1);
    await addBoth(presentation);
    expect(presentation.mediaPlaylist('90p')).not.toContain('EXT-X-DISCONTINUITY\n');
  });

  it('leaves out what only some renditions have when the encoder dies', async () => {
    const { presentation } = setUp(10);
    await begin(presentation);
    await addBoth(presentation);
    await add(presentation, '90p');
    await begin(presentation, 1);
    await addBoth(presentation);
    expect(listed(presentation, '90p')).toHaveLength(2);
    expect(listed(presentation, 'audio')).toHaveLength(2);
  });

  it('deletes an init segment when no segment that needs it can be fetched', async () => {
    const { presentation, store } = setUp(2);
    await begin(presentation);
    await addBoth(presentation);
    const [init] = mapsOf(presentation);
    await begin(presentation, 1);
    await addBoth(presentation, 3);
    expect(await store.get('bcast_1', `90p/${init}`)).toBeDefined();
    await addBoth(presentation);
    expect(await store.get('bcast_1', `90p/${init}`)).toBeUndefined();
    expect(await store.get('bcast_1', `90p/${mapsOf(presentation)[0]}`)).toBeDefined();
  });

  it('deletes the init segments of a run that published nothing', async () => {
    const { presentation, store } = setUp();
    await begin(presentation);
    const put = jest.spyOn(store, 'put');
    await begin(presentation, 1);
    await begin(presentation, 2);
    expect(await store.get('bcast_1', put.mock.calls[0]![1])).toBeUndefined();
  });

  it('leaves out a stretch with a segment over the target duration and breaks the timeline there', async () => {
    const { presentation } = setUp(10);
    await begin(presentation);
    await addBoth(presentation);
    await add(presentation, '90p', 1.6);
    await add(presentation, 'audio', 1);
    await addBoth(presentation);
    const text = presentation.mediaPlaylist('audio')!;
    expect(listed(presentation, 'audio')).toHaveLength(2);
    expect(text).toContain('#EXT-X-DISCONTINUITY\n');
    expect(text).toContain('#EXT-X-TARGETDURATION:1\n');
  });

  it('ends with ENDLIST and takes nothing after it', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    await addBoth(presentation);
    presentation.end();
    await addBoth(presentation);
    presentation.end();
    expect(listed(presentation)).toHaveLength(1);
    expect(presentation.mediaPlaylist('90p')).toMatch(/#EXT-X-ENDLIST\n$/);
  });

  it('deletes everything when it is closed, also twice', async () => {
    const { presentation, store } = setUp();
    await begin(presentation);
    await addBoth(presentation);
    const [uri] = listed(presentation);
    await presentation.close();
    await presentation.close();
    expect(await store.get('bcast_1', `90p/${uri}`)).toBeUndefined();
  });

  it('refuses a later run without a rendition that players may hold on to', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    await addBoth(presentation);
    expect(() => presentation.beginRun({ renditions: [video], startsAt })).toThrow('the rendition audio as well');
  });

  it('refuses a rendition that runs a whole window ahead of another', async () => {
    const { presentation } = setUp(2);
    await begin(presentation);
    await add(presentation, '90p');
    await add(presentation, '90p');
    await expect(add(presentation, '90p')).rejects.toThrow('2 segments ahead');
  });

  it('refuses a segment before its init segment and one of an unknown rendition', async () => {
    const { presentation } = setUp();
    presentation.beginRun({ renditions: [video, audio], startsAt });
    await expect(add(presentation, '90p')).rejects.toThrow('no init segment');
    await expect(presentation.addInit('4320p', media[0]!.init)).rejects.toThrow('not part of the current run');
  });

  it('tells the API what it offers, with the codecs of the init segments', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    await addBoth(presentation);
    expect(presentation.renditions()).toEqual([
      {
        name: '90p',
        width: 160,
        height: 90,
        frameRate: 30,
        videoBitrate: 100_000,
        audioBitrate: 128_000,
        codecs: expect.stringMatching(/^avc1\.[0-9a-f]{6},mp4a\.40\.2$/),
      },
    ]);
  });

  it('shows the measured peak, but at least what was configured', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    await addBoth(presentation);
    const bits = (name: string): number => media.find(m => m.name === name)!.segments[0]!.bytes.length * 8;
    const measured = bits('90p') + bits('audio');
    const text = presentation.multivariantPlaylist('some/prefix/')!;
    expect(text).toContain(`BANDWIDTH=${Math.max(228_000, measured)},AVERAGE-BANDWIDTH=${measured}`);
    expect(text).toContain('\nsome/prefix/90p/index.m3u8\n');
    expect(text).toContain('URI="some/prefix/audio/index.m3u8"');
  });

  it('leaves nothing on the store of what was on its way there when it closed', async () => {
    const { presentation, store } = setUp();
    await begin(presentation);
    const names: string[] = [];
    const put = store.put.bind(store);
    let finishWrite = (): void => undefined;
    store.put = async (broadcastID, name, content) => {
      names.push(name);
      await new Promise<void>(resolve => (finishWrite = resolve));
      await put(broadcastID, name, content);
    };
    const adding = add(presentation, '90p');
    const closing = presentation.close();
    finishWrite();
    await Promise.all([adding, closing]);
    expect(names).toHaveLength(1);
    expect(await store.get('bcast_1', names[0]!)).toBeUndefined();
  });

  it('neither lists nor keeps a segment of an earlier run that is stored after the next run began', async () => {
    const { presentation, store } = setUp();
    await begin(presentation);
    await addBoth(presentation);
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

  it('is read by strict readers without a warning', async () => {
    const { presentation } = setUp(4);
    await begin(presentation);
    await addBoth(presentation, 3);
    await begin(presentation, 1);
    await addBoth(presentation, 3);
    presentation.end();
    for (const text of [presentation.mediaPlaylist('90p')!, presentation.multivariantPlaylist()!]) {
      expect(() => HLS.parse(text)).not.toThrow();
      expect(warningsOf(text)).toEqual([]);
    }
  });
});

describe('a presentation whose source grows', () => {
  const grown: RunRendition = { ...video, width: 1280, height: 720, bitrate: 2_000_000 };
  const second: RunRendition = { ...video, name: 'v2', width: 640, height: 360, bitrate: 800_000 };
  const names = ['90p', 'v2', 'audio'];

  async function addAll(presentation: Presentation, count = 1): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      for (const name of names) await addSegment(presentation, name);
    }
  }

  async function addSegment(presentation: Presentation, name: string): Promise<void> {
    const { bytes } = mediaOf(name === 'audio' ? 'audio' : 'video').segments[0]!;
    await presentation.addSegment(name, { bytes, durationSeconds: 1, programDateTime: startsAt });
  }

  /** By segment number, each with its discontinuity sequence number: what RFC 8216 wants alike in all playlists. */
  function numbersOf(presentation: Presentation, name: string): [number, number][] {
    const playlist = HLS.parse(presentation.mediaPlaylist(name)!) as HLS.types.MediaPlaylist;
    return playlist.segments.map(segment => [segment.mediaSequenceNumber, segment.discontinuitySequence]);
  }

  async function grow(before: number, windowSegments = 4): Promise<Presentation> {
    const { presentation } = setUp(windowSegments);
    await begin(presentation);
    await addBoth(presentation, before);
    await begin(presentation, 1, [grown, second, audio]);
    return presentation;
  }

  it('shows no rendition before it has a segment', async () => {
    const presentation = await grow(2);
    for (const name of ['90p', 'audio']) await addSegment(presentation, name);
    expect(presentation.multivariantPlaylist()).toContain('RESOLUTION=160x90');
    expect(presentation.multivariantPlaylist()).not.toContain('v2/');
    expect(presentation.renditions()).toHaveLength(1);
    expect(presentation.mediaPlaylist('v2')).toBeUndefined();
    await addSegment(presentation, 'v2');
    expect(presentation.multivariantPlaylist()).toMatch(/RESOLUTION=1280x720[^]+90p\/[^]+RESOLUTION=640x360[^]+v2\//);
    expect(presentation.renditions().map(({ height }) => height)).toEqual([720, 360]);
  });

  it('goes on under the same addresses, and further ones begin at the discontinuity', async () => {
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

  it('counts bits anew for a picture of another size', async () => {
    const presentation = await grow(2);
    await addAll(presentation);
    expect(presentation.multivariantPlaylist()).toContain('BANDWIDTH=2128000,');
  });
});
