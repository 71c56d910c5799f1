import { ManualClock } from '@rtms/testing';
import HLS from 'hls-parser';
import { MemorySegmentStore } from '../testing/memory-segment-store.js';
import { Presentation } from './presentation.js';
import {
  add,
  addEach,
  audio,
  begin,
  listed,
  mediaOf,
  setUp,
  startsAt,
  video,
  warningsOf,
} from './testing/presentation-bed.js';

HLS.setOptions({ strictMode: true });

describe('a presentation', () => {
  it('has no playlist before every rendition has a segment', async () => {
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

  it('slides its window and keeps removed segments for one more window', async () => {
    const { presentation, store } = setUp(3);
    await begin(presentation);
    await addEach(presentation, 3);
    const first = listed(presentation)[0]!;
    await addEach(presentation, 3);
    expect(listed(presentation)).not.toContain(first);
    expect(presentation.mediaPlaylist('90p')).toContain('#EXT-X-MEDIA-SEQUENCE:3\n');
    expect(await store.get('bcast_1', `90p/${first}`)).toBeDefined();
    await addEach(presentation);
    expect(await store.get('bcast_1', `90p/${first}`)).toBeUndefined();
  });

  it('drops a set with a segment above the target duration and marks a discontinuity', async () => {
    const { presentation } = setUp(10);
    await begin(presentation);
    await addEach(presentation);
    await add(presentation, '90p', 1.6);
    await add(presentation, 'audio', 1);
    await addEach(presentation);
    const text = presentation.mediaPlaylist('audio')!;
    expect(listed(presentation, 'audio')).toHaveLength(2);
    expect(text).toContain('#EXT-X-DISCONTINUITY\n');
    expect(text).toContain('#EXT-X-TARGETDURATION:1\n');
  });

  it('ends with ENDLIST and ignores later segments', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    await addEach(presentation);
    presentation.end();
    await addEach(presentation);
    presentation.end();
    expect(listed(presentation)).toHaveLength(1);
    expect(presentation.mediaPlaylist('90p')).toMatch(/#EXT-X-ENDLIST\n$/);
  });

  it('deletes everything when it is closed, also twice', async () => {
    const { presentation, store } = setUp();
    await begin(presentation);
    await addEach(presentation);
    const [uri] = listed(presentation);
    await presentation.close();
    await presentation.close();
    expect(await store.get('bcast_1', `90p/${uri}`)).toBeUndefined();
  });

  it('refuses a rendition that is a whole window ahead of another', async () => {
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
    await expect(presentation.addInit('4320p', mediaOf('90p').init)).rejects.toThrow('not part of the current run');
  });

  it('describes its renditions with the codecs of the init segments', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    await addEach(presentation);
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

  it('reports the measured peak, but at least the configured bit rate', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    await addEach(presentation);
    const bits = (name: string): number => mediaOf(name).segment.length * 8;
    const measured = bits('90p') + bits('audio');
    const text = presentation.multivariantPlaylist('some/prefix/')!;
    expect(text).toContain(`BANDWIDTH=${Math.max(228_000, measured)},AVERAGE-BANDWIDTH=${measured}`);
    expect(text).toContain('\nsome/prefix/90p/index.m3u8\n');
    expect(text).toContain('URI="some/prefix/audio/index.m3u8"');
  });

  it('deletes segments whose write was in progress at close', async () => {
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

  it('is read by strict readers without a warning', async () => {
    const { presentation } = setUp(4);
    await begin(presentation);
    await addEach(presentation, 3);
    await begin(presentation, 1);
    await addEach(presentation, 3);
    presentation.end();
    for (const text of [presentation.mediaPlaylist('90p')!, presentation.multivariantPlaylist()!]) {
      expect(() => HLS.parse(text)).not.toThrow();
      expect(warningsOf(text)).toEqual([]);
    }
  });

  it('has a new version with each published set, and with its end', async () => {
    const { presentation } = setUp();
    const versions = [presentation.version];
    const note = () => versions.push(presentation.version);
    await begin(presentation);
    await add(presentation, '90p');
    note();
    await add(presentation, 'audio');
    note();
    presentation.end();
    note();
    presentation.end();
    note();
    expect(versions).toEqual([0, 0, 1, 2, 2]);
  });

  it('serves its init segments and segments, and the kind of its renditions', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    await addEach(presentation);
    const [init = ''] = /init-[^"]*/.exec(presentation.mediaPlaylist('90p')!) ?? [];
    expect(await presentation.segment(`90p/${init}`)).toEqual(mediaOf('90p').init);
    expect(await presentation.segment('90p/other.m4s')).toBeUndefined();
    expect(['90p', 'audio', 'other'].map(name => presentation.kindOf(name))).toEqual(['video', 'audio', undefined]);
  });

  it('stores nothing after its end', async () => {
    const { presentation, store } = setUp();
    await begin(presentation);
    presentation.end();
    const names: string[] = [];
    store.put = async (_broadcastID, name) => void names.push(name);
    await presentation.addInit('90p', mediaOf('90p').init);
    await add(presentation, '90p');
    expect(names).toEqual([]);
  });

  it('returns the last listed segment behind its init segment', async () => {
    const { presentation } = setUp();
    await begin(presentation);
    expect(await presentation.lastSegment('90p')).toBeUndefined();
    expect(presentation.newest).toBeUndefined();
    await addEach(presentation, 2);
    const last = { bytes: Buffer.from('last'), durationSeconds: 1, programDateTime: startsAt };
    await presentation.addSegment('90p', last);
    await add(presentation, 'audio');
    expect(await presentation.lastSegment('90p')).toEqual(Buffer.concat([mediaOf('90p').init, last.bytes]));
    expect(await presentation.lastSegment('other')).toBeUndefined();
    const [uri = ''] = listed(presentation).slice(-1);
    expect(presentation.newest?.get('90p')?.file).toBe(uri);
    expect(presentation.segmentInMemory(`90p/${uri}`)).toBe(last.bytes);
    expect(presentation.segmentInMemory('90p/other.m4s')).toBeUndefined();
  });

  it('tells listeners of each segment that it lists, and of no other', async () => {
    const { presentation } = setUp();
    const heard: (string | undefined)[] = [];
    const stop = presentation.onListed(set => heard.push(set.get('90p')?.file));
    await begin(presentation);
    await addEach(presentation, 2);
    await add(presentation, '90p', 1.6);
    await add(presentation, 'audio');
    expect(heard).toEqual(listed(presentation));
    stop();
    await addEach(presentation);
    expect(heard).toHaveLength(2);
  });

  it('tells listeners of each change of a playlist', async () => {
    const { presentation } = setUp();
    let changes = 0;
    const stop = presentation.onChanged(() => (changes += 1));
    await begin(presentation);
    await addEach(presentation, 2);
    expect(changes).toBe(2);
    stop();
    presentation.end();
    expect(changes).toBe(2);
  });

  it('notes when each segment is listed, to tell which comes late', async () => {
    const clock = new ManualClock();
    const options = { segmentSeconds: 2, windowSegments: 3 };
    const presentation = new Presentation('bcast_1', options, new MemorySegmentStore(), clock);
    await begin(presentation);
    await addEach(presentation);
    await clock.advance(3_999);
    expect(presentation.pace.troubles(10_000).lateMs).toBe(0);
    await clock.advance(1);
    expect(presentation.pace.troubles(10_000).lateMs).toBe(2_000);
  });
});
