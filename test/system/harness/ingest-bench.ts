import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitFor } from '@rtms/testing';
import type { ApiClient, ExternalSession } from './api-client.js';
import { LiveEncoder, type LiveMedia } from './live-encoder.js';
import { recordedOnDisk } from './recorded.js';
import type { ServiceProcess } from './service-process.js';
import { startStack, type Stack } from './stack.js';

type Protocol = 'srt' | 'rtmp' | 'rtmps';

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

/** All services with one ingest node, and encoders that publish there. */
export class IngestBench {
  private readonly encoders: LiveEncoder[] = [];

  private constructor(
    readonly stack: Stack,
    readonly node: ServiceProcess,
    private readonly folder: string,
  ) {}

  static async start(protocols: readonly Protocol[], env: Record<string, string>): Promise<IngestBench> {
    const stack = await startStack({
      env: { GRACE_SECONDS: '20', RESTREAM_PRIVATE_TARGETS: 'true', LIMIT_ENCODER_PLACES: '100' },
    });
    for (const feature of protocols)
      await stack.admin.expect(200, 'PUT', '/admin/v1/features', { feature, enabled: true });
    const node = await stack.addIngest('ingest-1', env);
    return new IngestBench(stack, node, await mkdtemp(join(tmpdir(), 'rtms-ingest-')));
  }

  /** With five ports for SRT alone. */
  static async startSrt(): Promise<IngestBench> {
    const port = await freePort();
    return IngestBench.start(['srt'], { SRT_PORTS: `${port}-${port + 4}` });
  }

  get api(): ApiClient {
    return this.stack.api;
  }

  async close(): Promise<void> {
    await this.stack.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  async open(protocol: Protocol, tracks?: string[], more?: object) {
    const meetingID = await this.api.createRoom();
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

  get lastEncoder(): LiveEncoder | undefined {
    return this.encoders.at(-1);
  }

  async vanishAll(): Promise<void> {
    await Promise.all(this.encoders.splice(0).map(each => each.vanish()));
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

  problemBecomes(meetingID: string, sessionID: string, problem: string) {
    const shows = async () => (await this.api.session(meetingID, sessionID)).ingest.problem === problem;
    return waitFor(shows, { what: `the session to show ${problem}` });
  }

  /** Passes once the session has no other problem than that FFmpeg makes no keyframe on request. */
  soundBecomes(meetingID: string, sessionID: string) {
    const isSound = async () =>
      String((await this.api.session(meetingID, sessionID)).health) === 'no_keyframe_requests';
    return waitFor(isSound, { what: 'no other problem of the media' });
  }
}
