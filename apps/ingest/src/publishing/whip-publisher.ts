import type { Clock, Timer } from '@rtms/clock';
import type { MediaKind } from '@rtms/contracts';
import ndc from 'node-datachannel';

const tracks = {
  audio: { payloadType: 111, ssrc: 1001, clockRate: 48_000 },
  video: { payloadType: 106, ssrc: 1002, clockRate: 90_000 },
} as const;

/** RFC 6184: constrained baseline, level 3.1, as browsers offer it. */
const usualProfile = '42e01f';

const connectTimeoutMs = 10_000;
const requestTimeoutMs = 10_000;

/**
 * A peer without RTCP for this long is dead. mediasoup reports on video at least every 1.5 s, and on audio at least every
 * 7.5 s. ICE notices a death only after 30 s.
 */
const silentAfterMs: Record<MediaKind, number> = { audio: 10_000, video: 4_000 };

/** The SFU's answer to a WHIP request that it refused. */
export class WhipRefusal extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
  ) {
    super(`the SFU answered ${status} ${reason}`);
    this.name = 'WhipRefusal';
  }
}

export interface WhipTarget {
  kinds: readonly MediaKind[];
  url: string;
  token: string;
  /** Of H264; undefined for constrained baseline. */
  profileLevelID: string | undefined;
}

/** A WHIP connection that sends RTP packets. Each connection numbers its packets anew. */
export class WhipPublisher {
  private readonly pc = new ndc.PeerConnection('ingest', { iceServers: [] });
  /** Referenced, because the native object calls the tracks during its lifetime. */
  private readonly open = new Map<MediaKind, { track: ndc.Track; sequenceNumber: number }>();
  private heardAt: number | undefined;
  private watch: Timer | undefined;
  private closed = false;
  private tell: (state: string) => void = () => undefined;
  /** Resolves once the connection is lost or closed, or the SFU sends no RTCP any more. */
  readonly lost: Promise<void>;

  private constructor(private readonly clock: Clock) {
    this.lost = new Promise(resolve => {
      this.tell = state => {
        if (['disconnected', 'failed', 'closed', 'silent'].includes(state)) resolve();
      };
    });
  }

  /** Rejects with a `WhipRefusal` when the SFU refuses, and with another error if the connection fails. */
  static async connect(target: WhipTarget, clock: Clock, signal: AbortSignal): Promise<WhipPublisher> {
    const publisher = new WhipPublisher(clock);
    try {
      await publisher.connect(target, signal);
      return publisher;
    } catch (error) {
      publisher.close();
      throw error;
    }
  }

  send(kind: MediaKind, packet: Buffer): void {
    const opened = this.open.get(kind);
    if (this.closed || !opened?.track.isOpen()) return;
    const { payloadType, ssrc } = tracks[kind];
    const sent = Buffer.from(packet);
    sent[1] = ((packet[1] ?? 0) & 0x80) | payloadType;
    sent.writeUInt16BE(opened.sequenceNumber, 2);
    sent.writeUInt32BE(ssrc, 8);
    opened.sequenceNumber = (opened.sequenceNumber + 1) & 0xffff;
    opened.track.sendMessageBinary(sent);
  }

  /** Leaves the session without ending it: the encoder may return. Safe to call twice. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.watch?.cancel();
    this.pc.close();
  }

  private async connect({ kinds, url, token, profileLevelID }: WhipTarget, signal: AbortSignal): Promise<void> {
    for (const kind of kinds) this.addTrack(kind, profileLevelID ?? usualProfile);
    const connected = new Promise<string>(resolve => {
      this.pc.onStateChange(state => {
        if (['connected', 'failed', 'closed'].includes(state)) resolve(state);
        this.tell(state);
      });
    });
    const request = new AbortController();
    const timer = this.clock.after(requestTimeoutMs, () => request.abort());
    signal.addEventListener('abort', () => request.abort(), { once: true });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp', authorization: `Bearer ${token}` },
      body: offered(await this.gather()),
      signal: request.signal,
    });
    const answer = await response.text().finally(() => timer.cancel());
    if (response.status !== 201) throw new WhipRefusal(response.status, reasonIn(answer));
    this.pc.setRemoteDescription(answer, 'answer');
    const late = this.clock.pause(connectTimeoutMs, signal).then(() => 'timeout');
    const state = await Promise.race([connected, late]);
    if (state !== 'connected') throw new Error(`no connection to the SFU: ${state}`);
    this.watchReports(kinds);
  }

  private addTrack(kind: MediaKind, profileLevelID: string): void {
    const { payloadType, ssrc } = tracks[kind];
    const section = kind === 'audio' ? new ndc.Audio('0', 'SendOnly') : new ndc.Video('1', 'SendOnly');
    if (section instanceof ndc.Audio) section.addOpusCodec(payloadType);
    else
      section.addH264Codec(
        payloadType,
        `profile-level-id=${profileLevelID};packetization-mode=1;level-asymmetry-allowed=1`,
      );
    section.addSSRC(ssrc, 'ingest', 'ingest', kind);
    const track = this.pc.addTrack(section);
    // Only RTCP comes back on a track that sends.
    track.onMessage(() => (this.heardAt = this.clock.now()));
    this.open.set(kind, { track, sequenceNumber: 0 });
  }

  private async gather(): Promise<string> {
    const complete = new Promise<void>(resolve => {
      this.pc.onGatheringStateChange(state => {
        if (state === 'complete') resolve();
      });
    });
    this.pc.setLocalDescription('offer');
    await complete;
    return this.pc.localDescription()?.sdp ?? '';
  }

  /** Waits for the first report, because a service may send none. */
  private watchReports(kinds: readonly MediaKind[]): void {
    const limitMs = silentAfterMs[kinds.includes('video') ? 'video' : 'audio'];
    this.watch = this.clock.every(500, () => {
      if (this.heardAt !== undefined && this.clock.now() - this.heardAt > limitMs) this.tell('silent');
    });
  }
}

/** This peer sends no header extensions, resends nothing and makes no keyframe on request. */
function offered(sdp: string): string {
  return sdp
    .split('\r\n')
    .filter(line => !/^a=(extmap|rtcp-fb|ice-options)/.test(line))
    .join('\r\n');
}

/** The reason in the failure of the service. */
function reasonIn(body: string): string {
  try {
    const { reason } = JSON.parse(body) as { reason?: unknown };
    return typeof reason === 'string' ? reason : '';
  } catch {
    return '';
  }
}
