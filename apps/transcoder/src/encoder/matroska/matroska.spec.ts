import { element, openElement, unsigned, MatroskaMuxer } from './matroska.js';
import { silentOpusFrame, SilenceFiller, StreamWriter } from './stream-writer.js';

describe('EBML', () => {
  it.each([
    [0, '80'],
    [126, 'fe'],
    [127, '407f'],
    [16_382, '7ffe'],
    [16_383, '203fff'],
  ])('writes a size of %d as the shortest number that is not "unknown"', (size, hex) => {
    expect(
      element(0xa3, Buffer.alloc(size))
        .subarray(1, 1 + hex.length / 2)
        .toString('hex'),
    ).toBe(hex);
  });

  it('writes numbers and open elements', () => {
    expect(unsigned(0xe7, 300).toString('hex')).toBe('e782012c');
    expect(openElement(0x1f43b675).toString('hex')).toBe('1f43b67501ffffffffffffff');
  });
});

describe('MatroskaMuxer', () => {
  it('starts a cluster when a block is too far from the last one', () => {
    const muxer = new MatroskaMuxer({ codec: 'vp8', size: { width: 64, height: 48 } });
    const hasCluster = (timeMs: number) =>
      muxer
        .block({ kind: 'video', timeMs, keyframe: false, data: Buffer.of(1) })
        .subarray(0, 4)
        .toString('hex') === '1f43b675';
    expect([0, 33, 4999, 5000, 4980, 9999].map(hasCluster)).toEqual([true, false, false, true, false, false]);
  });
});

describe('StreamWriter', () => {
  it('begins a cluster after each block that a slow reader may have lost', () => {
    const written: string[] = [];
    let isTaking = true;
    const write = (data: Buffer) => written.push(data.subarray(0, 4).toString('hex')) > 0 && isTaking;
    const frame = (timeMs: number) => {
      return { kind: 'audio', timeMs, keyframe: true, rtpTimestamp: 0, receivedAt: 0, data: silentOpusFrame } as const;
    };
    const writer = new StreamWriter({ write }, { audio: { channels: 2 } }, frame(0));
    for (const timeMs of [0, 20, 40, 60]) {
      isTaking = timeMs !== 20;
      writer.write(frame(timeMs));
    }
    expect(written.slice(1).map(id => id === '1f43b675')).toEqual([true, false, true, false]);
  });
});

describe('SilenceFiller', () => {
  const audio = (timeMs: number) => ({ timeMs, data: silentOpusFrame });
  const times = (pieces: { timeMs: number }[]) => pieces.map(({ timeMs }) => timeMs);

  it('passes audio on and fills gaps with silence', () => {
    const filler = new SilenceFiller();
    expect(times(filler.onAudio(audio(0)))).toEqual([0]);
    expect(times(filler.onAudio(audio(20)))).toEqual([20]);
    expect(times(filler.onAudio(audio(100)))).toEqual([40, 60, 80, 100]);
  });

  it('inserts silence when audio is late', () => {
    const filler = new SilenceFiller();
    expect(filler.onVideo(400)).toEqual([]);
    expect(times(filler.onVideo(440))).toEqual([0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 220]);
    expect(filler.onAudio(audio(100))).toEqual([]);
    expect(times(filler.onAudio(audio(240)))).toEqual([240]);
  });

  it('refuses audio that jumps into the future, and takes what follows in time', () => {
    let now = 0;
    const filler = new SilenceFiller(() => now);
    expect(times(filler.onAudio(audio(0)))).toEqual([0]);
    expect(filler.onAudio(audio(3_600_000))).toEqual([]);
    expect(times(filler.onAudio(audio(20)))).toEqual([20]);
    now = 60_000;
    expect(times(filler.onAudio(audio(60_000))).slice(-2)).toEqual([59_980, 60_000]);
  });

  it('moves audio by no more than half a frame, and drops what is earlier', () => {
    const filler = new SilenceFiller();
    expect(times(filler.onAudio(audio(0)))).toEqual([0]);
    expect(filler.onAudio(audio(9))).toEqual([]);
    expect(times(filler.onAudio(audio(11)))).toEqual([20]);
  });
});
