import { spawn } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { lateTicks, type Clock } from '@rtms/clock';
import type { RestreamProblem, RestreamProtocol, RestreamTarget } from '@rtms/contracts';
import { launch, type Ffmpeg } from '@rtms/ffmpeg';
import { withoutSecrets } from '@rtms/logging';
import { audioBitrate, type EncoderExit } from '../encoder/encoder.js';
import { FfmpegRun, nothingToTakeOut, type FfmpegProcess } from '../encoder/ffmpeg/ffmpeg-run.js';
import { secretArguments, writeSecretOptions } from './secret-options.js';
import { carries, SendFailure, type Delivery, type Sender, type SendListener, type SendPlan } from './sender.js';
import { resolveTarget, TargetConnection, type Network } from './target-connection.js';

/** FFmpeg reports its progress twice a second. A target that takes nothing for longer is dead. */
const stalledMs = 15_000;
const lookEveryMs = 1_000;
const progressSeconds = 0.5;

/** The way of FFmpeg's output to the target. */
interface Route {
  /** Contains no secret. */
  output: string[];
  secrets: Record<string, string | undefined>;
  connection?: TargetConnection;
}

/** Sends by RTMP, RTMPS and SRT, with one FFmpeg process for each target. */
export class FfmpegSender implements Sender {
  private readonly protocols: readonly RestreamProtocol[];

  constructor(
    private readonly ffmpeg: Ffmpeg,
    private readonly clock: Clock,
    { hasSrt }: { hasSrt: boolean },
    private readonly network: Network = {},
  ) {
    this.protocols = hasSrt ? ['rtmp', 'rtmps', 'srt'] : ['rtmp', 'rtmps'];
  }

  speaks(protocol: RestreamProtocol): boolean {
    return this.protocols.includes(protocol);
  }

  carries(...[protocol, codec]: Parameters<typeof carries>): boolean {
    return carries(protocol, codec);
  }

  async send(plan: SendPlan, listener: SendListener, signal: AbortSignal): Promise<Delivery> {
    const route = await this.routeTo(plan, signal);
    let secrets: FileHandle | undefined;
    try {
      secrets = await writeSecretOptions(route.secrets);
      if (signal.aborted) throw new SendFailure('sender_failed', 'the attempt was given up');
      const [command, args] = launch(this.ffmpeg, [...inputArguments(plan), ...secretArguments, ...route.output]);
      const process = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe', secrets.fd] });
      const { stdin, stdout, stderr } = process as { stdin?: Writable; stdout?: Readable; stderr?: Readable };
      return this.watch({ process, errors: stderr, inputs: [stdin], stdout }, plan.target, route, listener);
    } catch (error) {
      route.connection?.close();
      throw error;
    } finally {
      await secrets?.close();
    }
  }

  private async routeTo({ target, allowsPrivate }: SendPlan, signal: AbortSignal): Promise<Route> {
    const url = new URL(target.url);
    if (target.protocol === 'srt') return srtRoute(target, await resolveTarget(url, allowsPrivate, this.network));
    const connection = await TargetConnection.open({ url, allowsPrivate, network: this.network }, signal);
    return rtmpRoute(target, connection);
  }

  private watch(
    { stdout, ...pipes }: FfmpegProcess & { stdout: Readable | undefined },
    target: RestreamTarget,
    { connection }: Route,
    listener: SendListener,
  ): Delivery {
    const progress = new Progress(stdout, () => listener.onAccepted());
    let isStalled = false;
    let moved = { at: this.clock.now(), size: -1 };
    const isLate = lateTicks(this.clock, lookEveryMs);
    const look = this.clock.every(lookEveryMs, () => {
      // This process was blocked, and reports may wait.
      if (isLate() || progress.size !== moved.size) moved = { at: this.clock.now(), size: progress.size };
      if (this.clock.now() - moved.at < stalledMs || isStalled) return;
      isStalled = true;
      run.abandon('the target takes no media');
    });
    const onExit = (exit: EncoderExit) => {
      look.cancel();
      // The last lines are for the log. A target may repeat the key in its error.
      const lastLines = exit.lastLines.map(line => withoutSecrets(line, [target.streamKey, target.passphrase]));
      const { isAccepted } = progress;
      const stalled = isAccepted ? 'target_stalled' : 'connection_timed_out';
      const problem = isStalled ? stalled : problemOf(exit.lastLines, isAccepted, connection);
      connection?.close();
      listener.onExit({ ...exit, lastLines }, problem);
    };
    const run: FfmpegRun = new FfmpegRun(pipes, nothingToTakeOut, { onExit }, this.clock);
    return run;
  }
}

/** Reads FFmpeg's reports of its output. */
class Progress {
  /** Bytes that the target has taken. */
  size = 0;
  isAccepted = false;
  private rest = '';

  constructor(output: Readable | undefined, onAccepted: () => void) {
    output?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.rest + text).split('\n');
      this.rest = (lines.pop() ?? '').slice(-200);
      for (const line of lines) {
        const [name, value = ''] = line.split('=');
        if (name === 'total_size' && /^\d+$/.test(value)) this.size = Number(value);
        // The first bytes are the header. Only then media follows, with its time.
        if (name !== 'out_time_us' || !(Number(value) > 0) || this.size === 0 || this.isAccepted) continue;
        this.isAccepted = true;
        onAccepted();
      }
    });
  }
}

function inputArguments({ codecs }: SendPlan): string[] {
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'warning'],
    ...['-progress', 'pipe:1', '-stats_period', `${progressSeconds}`],
    // The Matroska header has all data, so probing is disabled.
    ...['-fpsprobesize', '0', '-analyzeduration', '0', '-f', 'matroska', '-i', 'pipe:0'],
    ...['-map', '0', '-c:v', 'copy'],
    ...soundArguments(codecs),
    ...['-flush_packets', '1'],
  ];
}

function soundArguments({ audio }: SendPlan['codecs']): string[] {
  if (!audio) return [];
  if (audio.aacSetup) return ['-c:a', 'copy'];
  return ['-c:a', 'aac', '-b:a', `${audioBitrate}`, '-ar', '48000', '-ac', '2', '-af', 'aresample=async=1000'];
}

function rtmpRoute({ url, streamKey }: RestreamTarget, connection: TargetConnection): Route {
  const { protocol, host, pathname } = new URL(url);
  const application = pathname.slice(1);
  return {
    output: ['-flvflags', 'no_duration_filesize', '-f', 'flv', `rtmp://127.0.0.1:${connection.port}/target`],
    secrets: {
      rtmp_app: application,
      rtmp_playpath: streamKey,
      // The target sees its own name, not the local address.
      rtmp_tcurl: `${protocol}//${host}/${application}`,
    },
    connection,
  };
}

function srtRoute({ url, streamKey, passphrase }: RestreamTarget, address: string): Route {
  const { port } = new URL(url);
  const host = address.includes(':') ? `[${address}]` : address;
  return {
    output: ['-muxdelay', '0', '-muxpreload', '0', '-f', 'mpegts', `srt://${host}:${port}?mode=caller`],
    secrets: { streamid: streamKey, passphrase },
  };
}

/**
 * FFmpeg's RTMP prints `Server error: …` for a refused command. libsrt prints `REJECT …` for a refused connection, and FFmpeg an
 * input/output error also when nobody answers.
 */
function problemOf(lines: readonly string[], isAccepted: boolean, connection?: TargetConnection): RestreamProblem {
  const text = lines.join('\n');
  if (/Server error|\bREJECT|incorrect passphrase/i.test(text)) return 'target_refused';
  const isSrt = connection === undefined;
  const isLost = isSrt ? /Input\/output error|Connection/i.test(text) : connection.isClosedByTarget;
  if (!isLost) return 'sender_failed';
  if (isAccepted) return 'target_closed';
  return isSrt ? 'connection_timed_out' : 'target_refused';
}
