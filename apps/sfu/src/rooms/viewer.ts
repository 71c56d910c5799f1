import type { Closeable } from '@rtms/bus';
import type { PayloadMatching, PayloadProfile } from '@rtms/contracts';
import type { MediaRoom, PublishedTrack, ViewerTransport } from '../media/media-engine.js';
import { sentBy, type PayloadNumbers } from '../media/payload-numbers.js';
import { answerUnused, answerViewed, isListed } from '../sdp/answer-sections.js';
import { answeredSetup, buildAnswer, remoteDtlsRole, type AnsweredSection } from '../sdp/build-answer.js';
import { adaptedNumbers, payloadTypeMismatch, type ViewedSection } from '../sdp/receiver-capabilities.js';
import type { SessionOffer } from '../sdp/session-offer.js';
import { SerialQueue } from './serial-queue.js';
import { SignalledPeer } from './signalled-peer.js';

export interface ViewerOptions {
  offer: SessionOffer;
  sections: readonly ViewedSection[];
  tracks: readonly PublishedTrack[];
  /** `adaptive`: tracks are sent by the offer's numbers. */
  payloadMatching: PayloadMatching;
  payloadProfile: PayloadProfile;
  /** Digest of the token. */
  openedBy: string;
  now: number;
}

/** A section of the viewer's with what it is sent now. */
interface Slot {
  viewed: ViewedSection;
  answered: AnsweredSection;
  trackID: string | undefined;
}

/** One connection of a viewer: from a WHEP POST until its DELETE or loss. */
export class Viewer implements Closeable {
  private readonly sending = new SerialQueue();
  private disconnectedSince: number | undefined;
  /** Whether it ever was connected. */
  wasConnected = false;

  private constructor(
    readonly peer: SignalledPeer<ViewerTransport>,
    private readonly slots: readonly Slot[],
    readonly answer: string,
    private readonly numbers: PayloadNumbers | undefined,
    now: number,
  ) {
    this.disconnectedSince = now;
  }

  /** Prepares what the viewer is sent; when one step fails nothing is left behind. */
  static async open(media: MediaRoom, options: ViewerOptions): Promise<Viewer> {
    const { offer, openedBy, now } = options;
    const numbers = numbersOf(options);
    const transport = await media.openViewer(numbers);
    try {
      const slots = await prepare(transport, options);
      await transport.connect({ role: remoteDtlsRole(offer.setup), fingerprints: offer.fingerprints });
      const { ice, fingerprints } = transport;
      const answered = slots.map(slot => slot.answered);
      const answer = buildAnswer(answered, { ice, fingerprints, setup: answeredSetup(offer.setup) });
      return new Viewer(new SignalledPeer(transport, offer, openedBy), slots, answer, numbers, now);
    } catch (error) {
      await transport.close();
      throw error;
    }
  }

  get isConnected(): boolean {
    return this.peer.transport.state === 'connected';
  }

  /** Notes since when the viewer is away; answers whether it has been for longer than `limit` ms. */
  isOverdue(now: number, limit: number): boolean {
    if (this.isConnected) {
      this.disconnectedSince = undefined;
      return false;
    }
    this.disconnectedSince ??= now;
    return this.peer.transport.state === 'closed' || now - this.disconnectedSince >= limit;
  }

  /** Sends what was prepared, from a keyframe on. */
  start(): Promise<void> {
    this.wasConnected = true;
    return this.sending.run(() => this.peer.transport.start());
  }

  /** The publisher came back: its tracks take the former ones' places where their format stands in the answer. */
  resend(tracks: readonly PublishedTrack[]): Promise<void> {
    return this.sending.run(async () => {
      for (const slot of this.slots) {
        const track = tracks.find(({ kind }) => kind === slot.viewed.section.kind);
        if (track) await this.sendAgain(slot, track);
      }
      if (this.isConnected) await this.peer.transport.start();
    });
  }

  close(): Promise<void> {
    return this.peer.close();
  }

  private async sendAgain(slot: Slot, track: PublishedTrack): Promise<void> {
    const { capabilities } = slot.viewed;
    if (!capabilities || slot.trackID === track.trackID || !this.isExpected(slot, track)) return;
    await this.peer.transport.send(track, capabilities);
    slot.trackID = track.trackID;
  }

  /** By numbers of its own a viewer is sent what they were taken for, and nothing else. */
  private isExpected({ answered }: Slot, { codec }: PublishedTrack): boolean {
    const sent = sentBy(this.numbers, codec);
    return sent !== undefined && (this.numbers !== undefined || isListed(answered, sent));
  }
}

function numbersOf({ payloadMatching, sections, tracks, payloadProfile }: ViewerOptions): PayloadNumbers | undefined {
  return payloadMatching === 'adaptive' ? adaptedNumbers(sections, tracks, payloadProfile) : undefined;
}

async function prepare(
  transport: ViewerTransport,
  { sections, tracks, payloadProfile }: ViewerOptions,
): Promise<Slot[]> {
  const slots: Slot[] = [];
  for (const viewed of sections) {
    const { capabilities, section } = viewed;
    const track = capabilities && tracks.find(({ kind }) => kind === section.kind);
    const sent = track && (await transport.send(track, capabilities));
    if (track && !sent) throw payloadTypeMismatch(section.kind, payloadProfile);
    const answered = sent ? answerViewed(viewed, sent, 'rtms') : answerUnused(section);
    slots.push({ viewed, answered, trackID: sent?.trackID });
  }
  return slots;
}
