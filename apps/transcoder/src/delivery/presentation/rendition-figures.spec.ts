import {
  describeRenditions,
  describeVariants,
  figuresOf,
  measureSet,
  refuseMissingNames,
} from './rendition-figures.js';
import type { RunRendition } from './run-segments.js';

const video = {
  ...{ kind: 'video' as const, name: 'v', width: 1280, height: 720 },
  ...{ frameRate: 30, bitrate: 1000 },
} satisfies RunRendition;
const audio = { kind: 'audio', name: 'a', bitrate: 100, channels: 2 } satisfies RunRendition;

describe('the measured bit rate of a rendition', () => {
  it.each<[string, RunRendition, RunRendition, boolean]>([
    ['is kept for the same size', { ...video, bitrate: 2000 }, video, true],
    ['begins anew for another width', { ...video, width: 960 }, video, false],
    ['begins anew for another height', { ...video, height: 540 }, video, false],
    ['is kept for audio', { ...audio, channels: 1 }, audio, true],
    ['begins anew for video that replaces audio', video, audio, false],
    ['begins anew for audio that replaces video', audio, video, false],
  ])('%s', (_rule, next, former, isKept) => {
    const before = figuresOf(former, undefined);
    expect(figuresOf(next, before).meter === before.meter).toBe(isKept);
  });

  it('is the highest of a segment, and the mean of all', () => {
    const figures = figuresOf(video, undefined);
    figures.meter.add(1000, 2);
    figures.meter.add(500, 0.5);
    expect(describeVariants([figures], '').variants).toMatchObject([{ bandwidth: 8000, averageBandwidth: 4800 }]);
  });

  it('is 0 before the first segment, so the playlist has the configured one', () => {
    const [variant] = describeVariants([figuresOf(video, undefined), figuresOf(audio, undefined)], '').variants;
    expect(variant).toMatchObject({ bandwidth: 1100, averageBandwidth: 0 });
  });
});

describe('the figures of a run', () => {
  it('are those of listed segments of its renditions', () => {
    const figures = new Map([['v', figuresOf(video, undefined)]]);
    const segment = {
      file: '0.m4s',
      mapFile: 'i.mp4',
      byteLength: 1000,
      durationSeconds: 2,
      programDateTime: new Date(0),
    };
    const set = [
      ['v', segment],
      ['w', segment],
    ] as const;
    measureSet(figures, new Map(set));
    expect(figures.get('v')).toMatchObject({ codecs: '', meter: { peak: 4000, mean: 4000 } });
  });

  it('name the renditions that a later run lacks', () => {
    const known = new Map(['v', 'a', 'b'].map(name => [name, figuresOf(video, undefined)]));
    const refuse = (...names: string[]) => refuseMissingNames(known, { renditions: names.map(name => ({ name })) });
    expect(() => refuse('v')).toThrow('a later run must have the rendition a, b as well');
    expect(() => refuse('b', 'a', 'v', 'c')).not.toThrow();
  });
});

describe('the description of renditions', () => {
  const withCodecs = (rendition: RunRendition, codecs: string) => ({ ...figuresOf(rendition, undefined), codecs });

  it('has the audio in its own entry, with its language', () => {
    const german = { ...audio, language: 'de' };
    expect(describeVariants([withCodecs(video, 'avc1'), withCodecs(german, 'mp4a')], 'p/')).toMatchObject({
      variants: [{ uri: 'p/v/index.m3u8', codecs: 'avc1,mp4a' }],
      audio: { uri: 'p/a/index.m3u8', channels: 2, language: 'de' },
    });
  });

  it('names no audio for a source without audio', () => {
    const figures = [withCodecs(video, 'avc1')];
    expect(describeVariants(figures, '')).toMatchObject({ variants: [{ codecs: 'avc1', bandwidth: 1000 }] });
    expect(describeVariants(figures, '')).not.toHaveProperty('audio');
    expect(describeRenditions(figures)).toMatchObject([{ codecs: 'avc1', audioBitrate: 0 }]);
  });

  it('calls a rendition by its label', () => {
    expect(describeRenditions([withCodecs({ ...video, label: '720p' }, 'avc1')])).toMatchObject([{ name: '720p' }]);
  });
});
