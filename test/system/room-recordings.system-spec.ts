/** @weight 0.65 for 25 s */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import { toneIn } from '../../apps/transcoder/test/composed-file.js';
import type { ApiClient } from './harness/api-client.js';
import { TestBrowser } from './harness/browser.js';
import { newestPart, recordedOnDisk } from './harness/recorded.js';
import { RoomMember } from './harness/room-member.js';
import { sharedStack, type SharedStack } from './harness/shared-stack.js';

const run = promisify(execFile);
const ffmpeg = async (...args: string[]): Promise<Buffer> => {
  const options = { encoding: 'buffer' as const, maxBuffer: 1 << 28 };
  return (await run('ffmpeg', ['-v', 'error', '-nostdin', ...args], options)).stdout;
};

/** The publishers, by the colour of their picture. */
const publishers = { red: { hertz: 440 }, blue: { hertz: 880 } };
type Colour = keyof typeof publishers;
/** The tone of a member who speaks. */
const speechHertz = 300;
const sampleRate = 48_000;

/** Of a picture only the colours count. */
const smaller = 'scale=32:18:flags=area';
const rawPictures = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
const pictureBytes = 32 * 18 * 3;

describe('a recording of a room', () => {
  let stack: SharedStack;
  let api: ApiClient;
  let browser: TestBrowser;
  let folder: string;
  const encoders: EncoderPublisher[] = [];

  beforeAll(async () => {
    stack = await sharedStack();
    api = stack.api;
    folder = await mkdtemp(join(tmpdir(), 'rtms-room-recordings-'));
    browser = await TestBrowser.open({ entryPoint: 'test/browser/room-page.ts' });
  });
  afterAll(async () => {
    await browser?.close();
    for (const encoder of encoders) await encoder.vanish();
    await rm(folder, { recursive: true, force: true });
  });

  const publish = async (meetingID: string, colour: Colour): Promise<EncoderPublisher> => {
    const file = join(folder, `${colour}.mkv`);
    const picture = `color=${colour}:size=320x180:rate=15:duration=4`;
    const sound = `sine=frequency=${publishers[colour].hertz}:sample_rate=${sampleRate}:duration=4`;
    const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound];
    await ffmpeg(...inputs, '-c:v', 'libx264', '-c:a', 'libopus', file);
    const { ingest, sessionID } = await api.openSession(meetingID);
    const encoder = await EncoderPublisher.publish({ ...ingest, file, size: '320x180' });
    encoders.push(encoder);
    await api.sessionBecomes(meetingID, sessionID, 'active');
    return encoder;
  };
  /** How much of the picture has each colour; from 0 to 1. A member's camera shows all colours in turn, but none so pure. */
  const sharesIn = (bytes: Buffer): Record<Colour, number> => {
    const pixels = Array.from({ length: bytes.length / 3 }, (_, index) => [
      ...bytes.subarray(3 * index, 3 * index + 3),
    ]);
    const share = (strong: number) =>
      pixels.filter(pixel => pixel.every((value, index) => (index === strong ? value > 240 : value < 13))).length /
      pixels.length;
    return { red: share(0), blue: share(2) };
  };
  /** Of each second of a file. */
  const sharesOf = async (path: string): Promise<Record<Colour, number>[]> => {
    const bytes = await ffmpeg('-i', path, '-vf', `fps=1,${smaller}`, ...rawPictures);
    return Array.from({ length: bytes.length / pictureBytes }, (_, second) =>
      sharesIn(bytes.subarray(second * pictureBytes, (second + 1) * pictureBytes)),
    );
  };
  /** Of the newest keyframe on the disk. On a busy machine the first picture of a layout does not show everybody yet. */
  const newestShares = async (recordingID: string): Promise<Record<Colour, number>> => {
    const part = await newestPart(stack.mediaDir, recordingID);
    if (part === undefined) throw new Error('no part is written');
    const input = ['-skip_frame', 'nokey', '-i', part, '-fps_mode', 'passthrough'];
    const keyframes = await ffmpeg(...input, '-vf', smaller, ...rawPictures);
    if (keyframes.length === 0) throw new Error('the part has no picture yet');
    return sharesIn(keyframes.subarray(-pictureBytes));
  };
  /** The share of some seconds in which a tone is heard: the quarters in which its amplitude is above 0.01. */
  const shareOfTone = async (path: string, hertz: number, from: number, seconds: number) => {
    const form = ['-map', '0:a', '-ac', '1', '-ar', String(sampleRate), '-f', 'f32le', '-'];
    const bytes = await ffmpeg('-ss', String(from), '-t', String(seconds), '-i', path, ...form);
    const samples = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
    const quarters = Math.floor((samples.length / sampleRate) * 4);
    const amplitudes = Array.from({ length: quarters }, (_, quarter) => toneIn(samples, hertz, quarter / 4, 1 / 4));
    return amplitudes.filter(amplitude => amplitude > 0.01).length / amplitudes.length;
  };

  it('shows and plays everybody, follows who leaves, and is one file', async () => {
    const meetingID = await api.createRoom();
    await publish(meetingID, 'red');
    const blue = await publish(meetingID, 'blue');
    const grace = await RoomMember.join(browser, await api.join(meetingID, 'Grace'));
    await grace.publishCamera();
    await grace.speak();
    for (const source of ['camera', 'microphone'] as const) await grace.trackOf(grace.participantID, source);
    const recording = await api.startRecording(meetingID);
    expect(recording).toMatchObject({ layout: 'grid', source: { sessionID: null, participantID: null } });
    const { recordingID } = recording;
    await recordedOnDisk(stack.mediaDir, recordingID, 10);
    // A publisher on a busy machine may be away for a moment.
    const showsBoth = async () => {
      const { red, blue } = await newestShares(recordingID);
      return red > 0 && blue > 0;
    };
    await waitFor(showsBoth, { everyMs: 500, what: 'a picture with both publishers' });
    expect(await api.call('POST', '/v1/recordings', { action: 'start', meetingID })).toMatchObject({
      status: 409,
      body: { reason: 'already_exists' },
    });
    await blue.leave();
    const showsRedOnly = async () => {
      const { red, blue } = await newestShares(recordingID);
      // A layout of three without its blue picture yet shows less red than one of two.
      return blue === 0 && red > 0.3;
    };
    await waitFor(showsRedOnly, {
      ...{ timeoutMs: 180_000, everyMs: 500, what: 'a picture without the publisher that left' },
    });
    const without = await recordedOnDisk(stack.mediaDir, recordingID, 1);
    await recordedOnDisk(stack.mediaDir, recordingID, without + 6);
    await api.stopRecording(recordingID);
    const ready = await api.recordingBecomes(recordingID, 'ready');
    expect(ready).toMatchObject({ format: 'mp4', width: 1280, height: 720 });
    const path = join(folder, 'room.mp4');
    await writeFile(path, Buffer.from(await (await fetch(ready.downloadUrl)).arrayBuffer()));

    const shares = await sharesOf(path);
    // A tile of three takes a quarter of the picture.
    const showsAll = ({ red, blue }: Record<Colour, number>) => Math.min(red, blue) > 0.15;
    const [from, to] = [shares.findIndex(showsAll), shares.findLastIndex(showsAll)];
    expect(to - from).toBeGreaterThan(3);
    const alone = Math.floor(ready.durationSeconds) - 2;
    expect(shares[alone]?.blue).toBe(0);
    expect(shares[alone]?.red).toBeGreaterThan(0.3);
    const heardIn = (from: number, seconds: number) =>
      Promise.all(
        [publishers.red.hertz, publishers.blue.hertz, speechHertz].map(hertz =>
          shareOfTone(path, hertz, from, seconds),
        ),
      );
    // On a busy machine, sound that is late is silence, for several seconds too.
    for (const share of await heardIn(from, to - from)) expect(share).toBeGreaterThan(0.1);
    const [red, gone, speech] = await heardIn(alone - 2, 3);
    expect(Math.min(red!, speech!)).toBeGreaterThan(0.2);
    expect(gone).toBe(0);
    await grace.close();
    // A busy machine composes slower than the room plays.
  });
});
