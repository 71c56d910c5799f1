import HLS from 'hls-parser';
import type { Presentation } from './presentation.js';
import type { RunRendition } from './run-segments.js';
import { add, addEach, audio, begin, listed, setUp, video, warningsOf } from './testing/presentation-bed.js';

HLS.setOptions({ strictMode: true });

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
