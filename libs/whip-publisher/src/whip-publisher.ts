import type { Clock } from '@rtms/clock';
import type { MediaKind } from '@rtms/contracts';
import ndc from 'node-datachannel';
import { OutgoingStream, type StreamNumbers } from './outgoing-stream.js';
import { ReportWatch, silentAfterMs } from './report-watch.js';
import {
  kindOf,
  layerExtension,
  senderReport,
  videoStreams,
  withLayers,
  type StreamName,
  type TimeReport,
} from './simulcast.js';

const numbersOf: Readonly<Record<MediaKind, StreamNumbers>> = {
  audio: { payloadType: 111, ssrc: 1001, clockRate: 48_000 },
  video: { payloadType: 106, ssrc: 1002, clockRate: 90_000 },
};

/** RFC 6184: constrained baseline, level 3.1, as browsers offer it. */
const usualProfile = '42e01f';

const usualMs = { connect: 15_000, leave: 10_000 };

/** The service's answer to an offer that it refused. */
export class WhipRefusal extends Error {
  override readonly name = 'WhipRefusal';

  private constructor(
    readonly status: number,
    text: string,
    /** The stable code of the service's failure; empty in the answer of another service. */
    readonly reason: string,
  ) {
    super(`The service answered ${status}: ${text}`);
  }

  static of(status: number, body: string): WhipRefusal {
    try {
      const { error, reason } = JSON.parse(body) as { error?: unknown; reason?: unknown };
      if (typeof error === 'string' && typeof reason === 'string') {
        return new WhipRefusal(status, `${error} (${reason})`, reason);
      }
    } catch {
      // Another service, or a proxy, has answered.
    }
    return new WhipRefusal(status, body.slice(0, 200), '');
  }
}

export interface WhipTarget {
  url: string;
  /** Absent: the address alone authorizes. */
  token?: string;
}

export interface WhipPublisherOptions {
  clock: Clock;
  kinds: readonly MediaKind[];
  /** Of H264, six hexadecimal digits; default: constrained baseline, level 3.1. */
  profileLevelID?: string | undefined;
  /** Default: `h264`. */
  videoCodec?: 'h264' | 'vp8';
  /** Sends the requests; default: the global function. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** The number of video streams, 1 to 3; default: 1. More are offered as simulcast layers, and need reports. */
  layers?: number;
  /** The part in DTLS that is offered; FFmpeg's WHIP muxer offers `passive`. */
  setup?: 'actpass' | 'passive';
  /** The longest time from the offer to the connection. Default: 15,000. */
  connectWithinMs?: number;
  /** The longest wait for the answer to DELETE. Default: 10,000. */
  leaveWithinMs?: number;
}

/**
 * One WHIP connection over ICE, DTLS and SRTP that sends RTP packets. It offers no feedback, and no header extension but those that simulcast
 * needs.
 */
export class WhipPublisher {
  private readonly pc = new ndc.PeerConnection('publisher', { iceServers: [] });
  /** Referenced, because the native object calls the tracks during its lifetime. */
  private readonly tracks = new Map<MediaKind, ndc.Track>();
  private readonly streams = new Map<StreamName, { numbers: StreamNumbers; stream: OutgoingStream }>();
  private readonly request = new AbortController();
  private resource: WhipTarget | undefined;
  private watch: ReportWatch | undefined;
  private isClosed = false;
  private readonly connected: Promise<undefined>;
  /** Resolves with the reason once the connection is lost or closed, takes no packet, or the service sends no RTCP any more. */
  readonly lost: Promise<string>;
  private lose: (reason: string) => void = () => undefined;

  constructor(private readonly options: WhipPublisherOptions) {
    this.lost = new Promise(resolve => (this.lose = resolve));
    this.connected = new Promise(resolve => {
      this.pc.onStateChange(state => {
        if (state === 'connected') resolve(undefined);
        if (['disconnected', 'failed', 'closed'].includes(state)) this.lose(state);
      });
    });
    for (const kind of options.kinds) this.addSection(kind);
  }

  /** Publishes. Rejects with a `WhipRefusal` when the service refuses, and with another error if the connection fails. Call it once. */
  async connect({ url, token }: WhipTarget): Promise<void> {
    const { clock, kinds, fetch = globalThis.fetch, connectWithinMs = usualMs.connect } = this.options;
    const deadline = clock.after(connectWithinMs, () => this.close('timeout'));
    try {
      const headers = { 'content-type': 'application/sdp', ...authorization(token) };
      const { signal } = this.request;
      const body = await this.offer();
      const response = await unlessAborted(signal, fetch(url, { method: 'POST', headers, body, signal }));
      const answer = await unlessAborted(signal, response.text());
      if (response.status !== 201) throw WhipRefusal.of(response.status, answer);
      const location = new URL(response.headers.get('location') ?? '', url).href;
      this.resource = { url: location, ...(token !== undefined && { token }) };
      this.pc.setRemoteDescription(answer, 'answer');
      const problem = await Promise.race([this.connected, this.lost]);
      if (problem !== undefined) throw new Error(`no media connection to the service: ${problem}`);
      const limitMs = silentAfterMs[kinds.includes('video') ? 'video' : 'audio'];
      this.watch = new ReportWatch(clock, limitMs, () => this.lose('silent'));
    } catch (error) {
      this.close();
      throw error;
    } finally {
      deadline.cancel();
    }
  }

  /** Sends an RTP packet with the numbers of this connection. Drops it while there is no connection. */
  send(name: StreamName, packet: Buffer): void {
    const track = this.tracks.get(kindOf(name));
    const stream = this.streams.get(name)?.stream;
    if (this.isClosed || !stream || !track?.isOpen()) return;
    this.pass(track, stream.next(packet, this.options.clock.now()));
  }

  /** Sends a sender report. The timestamp is of the packets that `send` got. Does nothing before the first packet of the stream. */
  report(name: StreamName, { ntpMs, rtpTimestamp: given }: TimeReport): void {
    const track = this.tracks.get(kindOf(name));
    const { numbers, stream } = this.streams.get(name) ?? {};
    const rtpTimestamp = stream?.timestampOf(given);
    if (this.isClosed || !numbers || !stream || rtpTimestamp === undefined || !track?.isOpen()) return;
    this.pass(track, senderReport(numbers, { ntpMs, rtpTimestamp }, stream.sent));
  }

  /** Ends the session with DELETE (RFC 9725). Returns the status; undefined if nothing was published. */
  async leave(): Promise<number | undefined> {
    if (!this.resource) return undefined;
    const { url, token } = this.resource;
    const { fetch = globalThis.fetch, leaveWithinMs = usualMs.leave } = this.options;
    this.resource = undefined;
    const request = new AbortController();
    const { signal } = request;
    const deadline = this.options.clock.after(leaveWithinMs, () => request.abort());
    try {
      const headers = authorization(token);
      return (await unlessAborted(signal, fetch(url, { method: 'DELETE', headers, signal }))).status;
    } finally {
      deadline.cancel();
    }
  }

  /** Leaves the session without ending it: the publisher may return. Safe to call twice. */
  close(reason = 'closed'): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.lose(reason);
    this.request.abort(new Error(reason));
    this.watch?.close();
    this.pc.close();
  }

  /** Highest first. */
  private get layers() {
    return videoStreams.slice(0, this.options.layers ?? 1);
  }

  private pass(track: ndc.Track, packet: Buffer): void {
    const problem = trySend(track, packet);
    if (problem !== undefined) this.lose(problem);
  }

  private addSection(kind: MediaKind): void {
    const { payloadType, ssrc } = numbersOf[kind];
    const { profileLevelID = usualProfile, videoCodec = 'h264' } = this.options;
    const section = kind === 'audio' ? new ndc.Audio('0', 'SendOnly') : new ndc.Video('1', 'SendOnly');
    const parameters = `profile-level-id=${profileLevelID};packetization-mode=1;level-asymmetry-allowed=1`;
    if (section instanceof ndc.Audio) section.addOpusCodec(payloadType);
    else if (videoCodec === 'vp8') section.addVP8Codec(payloadType);
    else section.addH264Codec(payloadType, parameters);
    const names: readonly StreamName[] = kind === 'audio' ? ['audio'] : this.layers;
    for (const [index, name] of names.entries()) {
      const extension = name !== 'audio' && names.length > 1 ? { extension: layerExtension(name) } : {};
      const numbers = { ...numbersOf[kind], ssrc: ssrc + index, ...extension };
      section.addSSRC(numbers.ssrc, 'publisher', 'publisher', kind);
      this.streams.set(name, { numbers, stream: new OutgoingStream(numbers) });
    }
    const track = this.pc.addTrack(section);
    // Only RTCP comes back on a track that sends.
    track.onMessage(() => this.watch?.hear());
    this.tracks.set(kind, track);
  }

  /** This peer resends nothing and makes no keyframe on request. */
  private async offer(): Promise<string> {
    const { setup = 'actpass' } = this.options;
    const complete = new Promise<undefined>(resolve => {
      this.pc.onGatheringStateChange(state => {
        if (state === 'complete') resolve(undefined);
      });
    });
    this.pc.setLocalDescription('offer');
    const problem = await Promise.race([complete, this.lost]);
    if (problem !== undefined) throw new Error(`no offer: ${problem}`);
    const lines = (this.pc.localDescription()?.sdp ?? '')
      .split('\r\n')
      .filter(line => !/^a=(extmap|rtcp-fb|ice-options)/.test(line))
      .map(line => line.replace('a=setup:actpass', `a=setup:${setup}`));
    return (this.layers.length > 1 ? withLayers(lines, this.layers) : lines).join('\r\n');
  }
}

/**
 * Returns the problem if the track takes no packet. Once the other side closes the connection, a thread of the library closes the track. That may
 * happen between `isOpen` and a call of `sendMessageBinary`, which then throws.
 */
export function trySend(track: ndc.Track, packet: Buffer): string | undefined {
  try {
    track.sendMessageBinary(packet);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Settles with the work, or rejects once the signal aborts, even if the work never settles. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const fail = () => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
  return Promise.race([work, aborted]);
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
