import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { spawnTied } from '../../../tools/setup/run-command.mjs';
import type { ExternalSession } from './api-client.js';

type Ingest = ExternalSession['ingest'];

/** The media of an encoder. Video blinks for the first tenth of each second, and audio beeps at the same time. */
export interface LiveMedia {
  size?: string;
  frameRate?: number;
  /** Default: H264 without B-frames. */
  video?: string[] | 'none';
  /** Default: AAC with 44.1 kHz. */
  audio?: string[] | 'none';
}

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'];
const aac = ['-c:a', 'aac', '-ar', '44100', '-ac', '2', '-b:a', '128k'];

/** FFmpeg as the encoder of a customer, with H264 and AAC. */
export class LiveEncoder {
  private output = '';
  readonly ended: Promise<number | null>;

  private constructor(private readonly process: ChildProcess) {
    process.stderr?.on('data', data => (this.output = `${this.output}${String(data)}`.slice(-4_000)));
    this.ended = new Promise(resolve => process.once('close', code => resolve(code)));
  }

  static srt({ url, passphrase = '' }: Ingest, media: LiveMedia = {}, more = ''): LiveEncoder {
    return LiveEncoder.send(media, ['-f', 'mpegts', `${url}&mode=caller&passphrase=${passphrase}${more}`]);
  }

  /** Waits for the call of an ingest node. */
  static listen(port: string, passphrase: string): LiveEncoder {
    return LiveEncoder.send({}, ['-f', 'mpegts', `srt://127.0.0.1:${port}?mode=listener&passphrase=${passphrase}`]);
  }

  /** Also RTMPS. */
  static rtmp({ url, streamKey = '' }: Ingest, media: LiveMedia = {}): LiveEncoder {
    return LiveEncoder.send(media, ['-f', 'flv', `${url}/${streamKey}`]);
  }

  /** FLV, or another format, into a stream. */
  static pipe(media: LiveMedia, output: Writable, format = 'flv'): LiveEncoder {
    const encoder = LiveEncoder.send(media, ['-f', format, 'pipe:1']);
    output.on('error', () => undefined);
    encoder.process.stdout?.pipe(output);
    return encoder;
  }

  /** Another program that encodes and sends. */
  static program(name: string, args: string[]): LiveEncoder {
    return new LiveEncoder(spawn(name, args, { stdio: ['pipe', 'ignore', 'pipe'] }));
  }

  /** MPEG-TS that another program reads on its standard input and sends. */
  static through(name: string, args: string[]): LiveEncoder[] {
    const sender = LiveEncoder.program(name, args);
    return sender.process.stdin ? [LiveEncoder.pipe({}, sender.process.stdin, 'mpegts'), sender] : [sender];
  }

  private static send(
    { size = '320x180', frameRate = 25, video = h264, audio = aac }: LiveMedia,
    output: string[],
  ): LiveEncoder {
    const picture = `color=black:size=${size}:rate=${frameRate},drawbox=color=white:t=fill:enable='lt(mod(t,1),0.1)'`;
    const sound = `aevalsrc='sin(2*PI*1000*t)*lt(mod(t,1),0.1)':sample_rate=48000`;
    const gop = ['-g', String(frameRate)];
    const args = [
      ...['-hide_banner', '-loglevel', 'error', '-re', '-f', 'lavfi', '-i', picture, '-re', '-f', 'lavfi', '-i', sound],
      ...(video === 'none' ? [] : ['-map', '0', ...video, ...gop]),
      ...(audio === 'none' ? [] : ['-map', '1', ...audio]),
      ...output,
    ];
    return new LiveEncoder(spawnTied('KILL', ['ffmpeg', ...args], { stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** The end of the error output. */
  get said(): string {
    return this.output;
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Ends without a word, like a power cut. */
  async vanish(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }
}
