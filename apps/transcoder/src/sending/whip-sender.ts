import { spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Clock } from '@rtms/clock';
import type { CodecName, MediaKind, RestreamProblem, RestreamProtocol } from '@rtms/contracts';
import { launch, rtpPacketBytes, type Ffmpeg } from '@rtms/ffmpeg';
import { WhipPublisher } from '@rtms/whip-publisher';
import { audioBitrate } from '../encoder/encoder.js';
import { FfmpegRun, nothingToTakeOut } from '../encoder/ffmpeg/ffmpeg-run.js';
import { checkedFetch } from './checked-fetch.js';
import { carries, SendFailure, type Delivery, type Sender, type SendListener, type SendPlan } from './sender.js';
import type { Network } from './target-connection.js';

/** Sends by WHIP. One FFmpeg process for each target packs the copied media into RTP, which a WebRTC connection of this process sends. */
export class WhipSender implements Sender {
  constructor(
    private readonly ffmpeg: Ffmpeg,
    private readonly clock: Clock,
    private readonly network: Network = {},
  ) {}

  speaks(protocol: RestreamProtocol): boolean {
    return protocol === 'whip';
  }

  carries(protocol: RestreamProtocol, codec: CodecName): boolean {
    return carries(protocol, codec);
  }

  async send(plan: SendPlan, listener: SendListener, signal: AbortSignal): Promise<Delivery> {
    const kinds = kindsOf(plan);
    const publisher = await this.connect(plan, kinds, signal);
    const sockets = new Map<MediaKind, Socket>();
    try {
      for (const kind of kinds) sockets.set(kind, await openSocket());
      return this.pass(plan, publisher, sockets, listener);
    } catch (error) {
      for (const socket of sockets.values()) socket.close();
      publisher.close();
      throw error;
    }
  }

  private async connect(plan: SendPlan, kinds: MediaKind[], signal: AbortSignal): Promise<WhipPublisher> {
    const { target, allowsPrivate, codecs, profileLevelID } = plan;
    const videoCodec = codecs.video?.codec === 'vp8' ? 'vp8' : 'h264';
    const fetch = checkedFetch(allowsPrivate, this.network);
    const publisher = new WhipPublisher({ clock: this.clock, kinds, videoCodec, profileLevelID, fetch });
    const stop = () => publisher.close('given up');
    signal.addEventListener('abort', stop, { once: true });
    try {
      const token = target.streamKey;
      await publisher.connect({ url: target.url, ...(token !== undefined && { token }) });
      if (signal.aborted) throw new SendFailure('sender_failed', 'the attempt was given up');
      return publisher;
    } catch (error) {
      publisher.close();
      throw failureOf(error);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  private pass(
    plan: SendPlan,
    publisher: WhipPublisher,
    sockets: ReadonlyMap<MediaKind, Socket>,
    listener: SendListener,
  ): Delivery {
    const [command, args] = launch(this.ffmpeg, rtpArguments(plan, sockets));
    const process = spawn(command, args, { stdio: ['pipe', 'ignore', 'pipe'] });
    let problem: RestreamProblem = 'sender_failed';
    let isAccepted = false;
    let isLast = false;
    const { stdin, stderr } = process;
    const run = new FfmpegRun(
      { process, errors: stderr, inputs: [stdin] },
      nothingToTakeOut,
      {
        onExit: exit => {
          for (const socket of sockets.values()) socket.close();
          // DELETE ends the session at the target for good. Without it the next connection may continue the session.
          const left = isLast ? publisher.leave().catch(() => undefined) : Promise.resolve();
          void left.finally(() => publisher.close());
          listener.onExit(exit, problem);
        },
      },
      this.clock,
    );
    for (const [kind, socket] of sockets) {
      socket.on('message', packet => {
        publisher.send(kind, packet);
        if (isAccepted) return;
        isAccepted = true;
        listener.onAccepted();
      });
    }
    void publisher.lost.then(reason => {
      problem = 'target_closed';
      run.abandon(`the WebRTC connection was lost: ${reason}`);
    });
    return Object.assign(run, { retire: () => void (isLast = true) });
  }
}

function kindsOf({ codecs }: SendPlan): MediaKind[] {
  return [...(codecs.video ? (['video'] as const) : []), ...(codecs.audio ? (['audio'] as const) : [])];
}

async function openSocket(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.on('error', () => undefined);
  return socket;
}

function rtpArguments({ codecs }: SendPlan, sockets: ReadonlyMap<MediaKind, Socket>): string[] {
  const output = (kind: MediaKind, codec: string[]): string[] => {
    const socket = sockets.get(kind);
    if (!socket) return [];
    const { port } = socket.address();
    // Reports of FFmpeg's own clock go to the discard port.
    const url = `rtp://127.0.0.1:${port}?rtcpport=9&pkt_size=${rtpPacketBytes}`;
    return ['-map', `0:${kind[0]}`, ...codec, '-f', 'rtp', url];
  };
  // Receivers find the parameter sets in the stream, because no SDP of FFmpeg reaches them.
  const filter = codecs.video?.codec === 'h264' ? ['-bsf:v', 'h264_mp4toannexb'] : [];
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'warning'],
    ...['-fpsprobesize', '0', '-analyzeduration', '0', '-f', 'matroska', '-i', 'pipe:0'],
    ...output('video', ['-c', 'copy', ...filter]),
    // WebRTC has no AAC.
    ...output('audio', codecs.audio?.aacSetup ? ['-c', 'libopus', '-b:a', `${audioBitrate}`] : ['-c', 'copy']),
  ];
}

/** Other failures may pass: a former connection still counts, or the service is busy. */
const finalStatus = [400, 401, 403, 404, 405, 406, 410, 415, 422];

function failureOf(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error;
  const { status } = error as { status?: unknown };
  if (typeof status !== 'number') return new SendFailure('connection_timed_out', 'no media connection');
  // The answer of another service may repeat the token.
  const problem = finalStatus.includes(status) ? 'target_refused' : 'connection_refused';
  return new SendFailure(problem, `the target answered ${status}`);
}

/** Chooses the sender of each protocol. */
export class SenderOfProtocol implements Sender {
  constructor(private readonly senders: readonly Sender[]) {}

  speaks(protocol: RestreamProtocol): boolean {
    return this.senders.some(sender => sender.speaks(protocol));
  }

  carries(protocol: RestreamProtocol, codec: CodecName): boolean {
    return carries(protocol, codec);
  }

  send(plan: SendPlan, listener: SendListener, signal: AbortSignal): Promise<Delivery> {
    const sender = this.senders.find(each => each.speaks(plan.target.protocol));
    return sender
      ? sender.send(plan, listener, signal)
      : Promise.reject(new SendFailure('sender_failed', 'no sender speaks the protocol'));
  }
}
