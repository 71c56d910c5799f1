import type { IngestAdmission } from '@rtms/contracts';
import type { Ffmpeg } from '@rtms/ffmpeg';
import { createLogger } from '@rtms/logging';
import { EventLog, ManualClock } from '@rtms/testing';
import { EncoderStream, placesOf, type EncoderStreamParts } from './encoder-stream.js';

/** Two pictures that follow a later one. */
const reordered = ['0, 0, 80,', '0, 40, 40,', '0, 80, 160,'];
const frames = ['#tb 0: 1/1000', '#media_type 0: video', '#codec_id 0: h264', '#dimensions 0: 320x180', '0, 0, 0, 40,'];
/** Prints this list of frames for each inspection. */
const programOf = (list: readonly string[]): string =>
  `process.stdin.resume().on('end', () => console.log(${JSON.stringify(list.join('\n'))}))`;
const program = programOf(frames);
/** Announces H264 at the RTSP address, which is the last argument. */
const announcement = `
  const address = new URL(process.argv.at(-1));
  const body = 'm=video 0 RTP/AVP 96\\r\\na=fmtp:96 profile-level-id=64001F\\r\\n';
  const head = ['ANNOUNCE ' + address.href + ' RTSP/1.0', 'CSeq: 1', 'Content-Length: ' + body.length, '', ''];
  require('node:net').connect(Number(address.port), address.hostname).write(head.join('\\r\\n') + body);
`;
const admission: IngestAdmission = {
  ...{ sessionID: 'ext_1', tracks: ['video'], whipUrl: 'http://sfu.test/whip/ext_1', token: 'token' },
  maxSource: { pixels: 1920 * 1080, pixelsPerSecond: 1920 * 1080 * 60 },
};

describe('the stream of an encoder', () => {
  const logger = createLogger({ service: 'ingest', level: 'silent' });

  /** The programs that take the place of FFmpeg, one after the other. */
  const streamWith = (
    clock: ManualClock,
    launchers: string[][] = [],
    renew: EncoderStreamParts['renew'] = () => Promise.reject(new Error('no')),
  ) => {
    const ffmpeg = {
      path: '--',
      decoders: new Set(['h264']),
      get launcher() {
        return launchers.shift() ?? [];
      },
    } as unknown as Ffmpeg;
    const parts = { ffmpeg, clock, logger, renew, onDrain: () => undefined };
    return new EncoderStream(parts, 'flv', admission, false);
  };

  it.each([
    ['cannot start', '/nonexistent'],
    ['is no name of a file', '\0'],
  ])('ends with a problem when FFmpeg %s', async (_, file) => {
    const clock = new ManualClock();
    const stream = streamWith(clock, [[process.execPath, '-e', program], [file]]);
    await clock.advance(700);
    expect(await stream.ended).toEqual({ problem: 'conversion_failed' });
    expect(stream.write(Buffer.alloc(1))).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('tells the gateway, before it publishes, that the video has B-frames', async () => {
    const clock = new ManualClock();
    const asked = new EventLog<object>();
    const renew: EncoderStreamParts['renew'] = async media => {
      asked.add(media);
      throw Object.assign(new Error('ended'), { failure: { reason: 'session_ended' } });
    };
    const inspection = programOf([...frames, ...reordered]);
    const stream = streamWith(
      clock,
      [
        [process.execPath, '-e', inspection],
        [process.execPath, '-e', announcement],
      ],
      renew,
    );
    const first = asked.next();
    await clock.advance(700);
    expect(await first).toEqual({ hasBFrames: true });
    await clock.advance(900);
    expect(await stream.ended).toEqual({ problem: undefined });
    expect(asked).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('has no media when FFmpeg reads its beginning for 5 s, twice', async () => {
    const clock = new ManualClock();
    const hangs = ['/bin/sh', '-c', 'exec sleep 600'];
    const stream = streamWith(clock, [hangs, hangs]);
    for (const _time of [1, 2]) await clock.advance(700 + 5_000);
    expect(await stream.ended).toEqual({ problem: 'no_media' });
    expect(clock.pending).toBe(0);
  });

  it('takes three places of the node when it encodes smaller pictures', () => {
    expect([placesOf(admission), placesOf({ ...admission, webrtcRenditions: true })]).toEqual([1, 3]);
  });

  it('ends with the problem that closes it', async () => {
    const clock = new ManualClock();
    const stream = streamWith(clock);
    stream.close('codec_unsupported');
    stream.close();
    expect(await stream.ended).toEqual({ problem: 'codec_unsupported' });
    expect(clock.pending).toBe(0);
  });
});
