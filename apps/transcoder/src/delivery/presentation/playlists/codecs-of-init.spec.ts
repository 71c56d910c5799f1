import fc from 'fast-check';
import { createFile, MP4BoxBuffer } from 'mp4box';
import { codecsOfInit } from './codecs-of-init.js';
import { recordedAudio, recordedVideo } from '../testing/recorded-media.js';

function codecsByMp4box(init: Buffer): string {
  const file = createFile();
  let codecs = '';
  file.onReady = info => (codecs = info.tracks.map(track => track.codec).join(','));
  file.appendBuffer(MP4BoxBuffer.fromArrayBuffer(new Uint8Array(init).buffer, 0));
  file.flush();
  return codecs;
}

describe('the codecs of an init segment', () => {
  const renditions = [recordedVideo, recordedAudio];

  it('equal those of another parser', () => {
    const found = renditions.map(({ init }) => codecsOfInit(init));
    expect(found).toEqual(renditions.map(({ init }) => codecsByMp4box(init)));
    expect(found).toEqual([expect.stringMatching(/^avc1\.[0-9a-f]{6}$/), 'mp4a.40.2']);
  });

  it('throw an Error for a truncated segment', () => {
    for (const { init } of renditions) {
      for (let length = 0; length < init.length * 0.6; length += 1) {
        const part = init.subarray(0, length);
        expect(() => codecsOfInit(part)).toThrow();
      }
    }
  });

  it('name a sample entry that the encoder never makes, and a box without a length', () => {
    const { init } = recordedVideo;
    const other = Buffer.from(init.toString('latin1').replace('avc1', 'hvc1'), 'latin1');
    expect(() => codecsOfInit(other)).toThrow('init segment with an unexpected sample entry: hvc1');
    expect(() => codecsOfInit(Buffer.alloc(8))).toThrow('segment with a box of 0 bytes');
    expect(() => codecsOfInit(Buffer.alloc(0))).toThrow('segment without a moov box');
    const empty = Buffer.from('00000008' + '6d6f6f76', 'hex');
    expect(() => codecsOfInit(empty)).toThrow('init segment without a track');
  });

  it('never hang the parser, which throws only Errors', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
        try {
          codecsOfInit(Buffer.from(bytes));
          return false;
        } catch (error) {
          return error instanceof Error;
        }
      }),
    );
  });
});
