import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@rtms/testing';
import type { ApiClient, ExternalSession } from './api-client.js';
import { usualOffsetOf } from './lip-sync.js';
import { LiveEncoder, type LiveMedia } from './live-encoder.js';
import { recordedOnDisk } from './recorded.js';
import { sharedIngestStack } from './shared-stack.js';
import type { Stack } from './stack.js';

type BenchStack = Pick<Stack, 'api' | 'mediaDir' | 'folder'>;

type Protocol = 'srt' | 'rtmp' | 'rtmps';

/** A session that waits for its encoder. */
interface Opened {
  meetingID: string;
  session: ExternalSession;
}

/** ms that audio and video may be apart: as long as a picture of the encoders lasts. */
export const mostOffsetMs = 40;

/** H264 with B-frames, for FFmpeg. */
export const bFrames = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-bf',
  '2',
  '-b_strategy',
  '0',
  '-pix_fmt',
  'yuv420p',
];

/** Encoders that publish to an ingest node of a stack. */
export class IngestBench {
  private readonly encoders: LiveEncoder[] = [];
  private readonly rooms: string[] = [];

  private constructor(
    readonly stack: BenchStack,
    private readonly folder: string,
  ) {}

  /** By default with the stack that the whole run shares. */
  static async with(stack?: BenchStack): Promise<IngestBench> {
    return new IngestBench(stack ?? (await sharedIngestStack()), await mkdtemp(join(tmpdir(), 'rtms-ingest-')));
  }

  get api(): ApiClient {
    return this.stack.api;
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  async open(protocol: Protocol, tracks?: string[], more?: object): Promise<Opened> {
    const meetingID = await this.api.createRoom();
    this.rooms.push(meetingID);
    return { meetingID, session: await this.api.openSession(meetingID, tracks, protocol, more) };
  }

  send({ ingest }: Pick<ExternalSession, 'ingest'>, media?: LiveMedia): LiveEncoder {
    const encoder = ingest.passphrase === undefined ? LiveEncoder.rtmp(ingest, media) : LiveEncoder.srt(ingest, media);
    this.encoders.push(encoder);
    return encoder;
  }

  /** An encoder on this machine that the ingest node may call. */
  listen(url: string, passphrase: string): LiveEncoder {
    const encoder = LiveEncoder.listen(new URL(url).port, passphrase);
    this.encoders.push(encoder);
    return encoder;
  }

  /**
   * Sends until `look` finds something, and again whenever the encoder ends before, as encoders of customers do: libsrt gives a call up
   * after 3 s, and a node drops an encoder whose media it does not understand in time. Both happen on a busy machine.
   */
  private async sendUntil<Found>(
    start: () => LiveEncoder[],
    look: () => Promise<Found>,
    what: string,
  ): Promise<{ found: NonNullable<Found>; encoder: LiveEncoder }> {
    let sending = start();
    const send = async (): Promise<Found> => {
      if (!sending.every(each => each.isRunning)) {
        await Promise.all(sending.map(each => each.vanish()));
        sending = start();
      }
      this.encoders.push(...sending.filter(each => !this.encoders.includes(each)));
      return look();
    };
    const found = await waitFor(send, { everyMs: 200, what }).catch((error: unknown) => {
      const said = sending.map(encoder => encoder.said).join('\n');
      throw new Error(`the encoder said: ${said}`, { cause: error });
    });
    return { found, encoder: sending[0]! };
  }

  /** Publishes. Resolves with the active session and the encoder. */
  async activate(
    { meetingID, session }: Opened,
    start: () => LiveEncoder[] = () => [this.send(session)],
  ): Promise<{ active: ExternalSession; encoder: LiveEncoder }> {
    const look = async (): Promise<ExternalSession> => {
      const read = await this.api.session(meetingID, session.sessionID);
      if (read.state !== 'active') throw new Error(`the session is ${read.state}`);
      return read;
    };
    const { found: active, encoder } = await this.sendUntil(start, look, 'the encoder to publish');
    return { active, encoder };
  }

  /** Sends until the session shows the problem. Resolves with the encoder. */
  async fail({ meetingID, session }: Opened, problem: string, start: () => LiveEncoder): Promise<LiveEncoder> {
    const look = () => this.shows(meetingID, session.sessionID, problem);
    return (await this.sendUntil(() => [start()], look, `the session to show ${problem}`)).encoder;
  }

  /** Kills the encoders, then ends their rooms: a session without an encoder would keep a port and wait. */
  async vanishAll(): Promise<void> {
    await Promise.all(this.encoders.splice(0).map(each => each.vanish()));
    for (const meetingID of this.rooms.splice(0))
      await this.api.expect(200, 'POST', '/v1/rooms', { action: 'end', meetingID });
  }

  /** Records a session and downloads the file. Returns its path. */
  async record(meetingID: string, sessionID: string, fragments: number): Promise<string> {
    const { recordingID } = await this.api.startRecording(meetingID, { sourceSessionID: sessionID });
    await recordedOnDisk(this.stack.mediaDir, recordingID, fragments);
    await this.api.stopRecording(recordingID);
    const { downloadUrl } = await this.api.recordingBecomes(recordingID, 'ready');
    const path = join(this.folder, `${recordingID}.mp4`);
    await writeFile(path, Buffer.from(await (await fetch(downloadUrl)).arrayBuffer()));
    return path;
  }

  /**
   * Records until audio and video are together in a recording, by the median of their distances. The sender of an encoder's media sends no
   * reports, so their arrival tells their distance: a machine that is busy with other tests delays one of both for seconds.
   */
  async recordTogether(meetingID: string, sessionID: string, fragments: number) {
    const record = async () => {
      const path = await this.record(meetingID, sessionID, fragments);
      const offsetMs = await usualOffsetOf(path);
      if (offsetMs > mostOffsetMs) throw new Error(`audio and video are ${offsetMs} ms apart`);
      return { path, offsetMs };
    };
    return waitFor(record, { timeoutMs: 180_000, what: 'a recording with audio and video together' });
  }

  /** Between two calls to an encoder, an ingest node pauses for up to 30 s. */
  problemBecomes(meetingID: string, sessionID: string, problem: string) {
    const look = () => this.shows(meetingID, sessionID, problem);
    return waitFor(look, { everyMs: 200, what: `the session to show ${problem}` });
  }

  private async shows(meetingID: string, sessionID: string, problem: string): Promise<boolean> {
    return (await this.api.session(meetingID, sessionID)).ingest.problem === problem;
  }

  /** Passes once the session has no other problem than that FFmpeg makes no keyframe on request. */
  soundBecomes(meetingID: string, sessionID: string) {
    const isSound = async () =>
      String((await this.api.session(meetingID, sessionID)).health) === 'no_keyframe_requests';
    return waitFor(isSound, { everyMs: 200, what: 'no other problem of the media' });
  }
}
