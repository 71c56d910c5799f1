import type { Closeable } from '@rtms/bus';
import { type PayloadMatching, type PayloadProfile, type PreferredLayers, ServiceError } from '@rtms/contracts';
import { SerialQueue } from '@rtms/node';
import { nanoid } from 'nanoid';
import type { PublishedTrack, SentTrack, ViewerOpener, ViewerTransport } from '../media/media-engine.js';
import { type PayloadNumbers, sentBy } from '../media/payload-numbers.js';
import {
  type AnsweredSection,
  answeredSetup,
  answerUnused,
  answerViewed,
  buildAnswer,
  isListed,
  remoteDtlsRole,
} from '../signalling/sdp/build-answer.js';
import { adaptedNumbers, payloadTypeMismatch, type ViewedSection } from '../signalling/sdp/receiver-capabilities.js';
import type { SessionOffer } from '../signalling/sdp/session-offer.js';
import { roomTimings } from './room-context.js';
import { describeLayers, type LayerWish, wishedLayers } from './layer-wish.js';
import { ViewerEvents } from './viewer-events.js';
import { SignalledPeer } from './signalled-peer.js';

interface ViewerOptions {
  offer: SessionOffer;
  sections: readonly ViewedSection[];
  tracks: readonly PublishedTrack[];
  /** Whether the viewer must wait for other tracks. `resend` ends the wait. */
  isWaiting: () => boolean;
  /** `adaptive`: use the payload types of the offer. */
  payloadMatching: PayloadMatching;
  payloadProfile: PayloadProfile;
  /** SHA-256 digest of the token. */
  openedBy: string;
  now: number;
}

/** A section of the viewer's offer and the track that it receives now. */
interface Slot {
  viewed: ViewedSection;
  answered: AnsweredSection;
  sent: SentTrack | undefined;
  encodingIDs: readonly string[];
  /** The layers that the viewer selected. */
  wish: LayerWish | undefined;
  /** The layers that the viewer receives. */
  current: PreferredLayers | undefined;
}

/** One connection of a viewer, from its WHEP POST until DELETE or loss. */
export class Viewer implements Closeable {
  /** Names the viewer in reports. Unlike the key of the session URL, it is no secret. */
  readonly viewerID = `vwr_${nanoid()}`;
  private readonly sending = new SerialQueue();
  readonly events = new ViewerEvents();
  private disconnectedSince: number | undefined;
  wasConnected = false;

  private constructor(
    readonly peer: SignalledPeer<ViewerTransport>,
    private readonly slots: readonly Slot[],
    readonly answer: string,
    private readonly numbers: PayloadNumbers | undefined,
    private readonly isWaiting: () => boolean,
    now: number,
  ) {
    this.disconnectedSince = now;
    for (const slot of slots) this.followLayers(slot);
    this.events.emit('active');
  }

  /** Opens the transport and prepares the tracks. Closes everything if one step fails. */
  static async open(viewers: ViewerOpener, options: ViewerOptions): Promise<Viewer> {
    const numbers = numbersOf(options);
    const transport = await viewers.openViewer(numbers);
    try {
      return await Viewer.openOn(transport, numbers, options);
    } catch (error) {
      const other = await viewers.openViewerInstead?.(transport, error, numbers);
      if (!other) throw error;
      return Viewer.openOn(other, numbers, options);
    }
  }

  private static async openOn(
    transport: ViewerTransport,
    numbers: PayloadNumbers | undefined,
    options: ViewerOptions,
  ): Promise<Viewer> {
    const { offer, openedBy, isWaiting, now } = options;
    try {
      const preparing = prepare(transport, options);
      const connecting = transport.connect({
        role: remoteDtlsRole(offer.setup),
        fingerprints: offer.fingerprints,
      });
      // Waits for both before one error closes the transport, so that no track appears on a closed transport.
      await Promise.allSettled([preparing, connecting]);
      const slots = await preparing;
      await connecting;
      const { ice, fingerprints } = transport;
      const answered = slots.map(slot => slot.answered);
      const answer = buildAnswer(answered, { ice, fingerprints, setup: answeredSetup(offer.setup) });
      return new Viewer(new SignalledPeer(transport, offer, openedBy), slots, answer, numbers, isWaiting, now);
    } catch (error) {
      await transport.close();
      throw error;
    }
  }

  get isConnected(): boolean {
    return this.peer.transport.state === 'connected';
  }

  /** Returns whether the viewer has been disconnected for too long. Call it regularly. */
  isOverdue(now: number): boolean {
    if (this.isConnected) {
      this.disconnectedSince = undefined;
      return false;
    }
    this.disconnectedSince ??= now;
    const limit = this.wasConnected ? roomTimings.returnsWithin : roomTimings.viewerConnectsWithin;
    return this.peer.transport.state === 'closed' || now - this.disconnectedSince >= limit;
  }

  /** Starts the prepared tracks with a keyframe, unless the viewer must wait. */
  start(): Promise<void> {
    this.wasConnected = true;
    return this.sending.run(() => this.startPrepared());
  }

  /** Sends the new tracks of a publisher that has reconnected, if the answer lists their codecs. */
  resend(tracks: readonly PublishedTrack[]): Promise<void> {
    return this.sending.run(async () => {
      for (const slot of this.slots) {
        const track = tracks.find(({ kind }) => kind === slot.viewed.section.kind);
        if (track) await this.sendAgain(slot, track);
      }
      await this.startPrepared();
    });
  }

  /** Selects layers of a section, by default of the video. Without a wish, the bandwidth decides. Throws `invalid_request`. */
  async prefer(wish: LayerWish | undefined): Promise<void> {
    const meant = this.slots.filter(({ sent, viewed }) => sent && isMeant(viewed, wish?.mediaId));
    if (meant.length === 0)
      throw new ServiceError('invalid_request', 'No such media section. mediaId must be a mid of the offer.');
    for (const slot of meant) {
      const layers = wish && slot.sent && wishedLayers(wish, { ...slot, layers: slot.sent.layers });
      await slot.sent?.prefer(layers);
      slot.wish = wish;
    }
  }

  async close(): Promise<void> {
    await this.events.close();
    await this.peer.close();
  }

  private async startPrepared(): Promise<void> {
    if (this.isConnected && !this.isWaiting()) await this.peer.transport.start();
  }

  private followLayers(slot: Slot): void {
    const { sent } = slot;
    slot.current = undefined;
    sent?.onLayersChange(layers => {
      if (slot.sent !== sent) return;
      slot.current = layers;
      this.tellLayers();
    });
    if (sent) this.tellLayers();
  }

  private tellLayers(): void {
    const sections = this.slots.flatMap(slot => {
      const { sent, viewed, current } = slot;
      return sent ? [[viewed.section.mid, describeLayers({ ...slot, layers: sent.layers }, current)] as const] : [];
    });
    this.events.emit('layers', Object.fromEntries(sections));
  }

  private async sendAgain(slot: Slot, track: PublishedTrack): Promise<void> {
    const { capabilities } = slot.viewed;
    if (!capabilities || slot.sent?.trackID === track.trackID || !this.isExpected(slot, track)) return;
    try {
      slot.sent = await this.peer.transport.send(track, capabilities);
    } catch (error) {
      // The publisher has left again.
      if (track.state === 'ended') return;
      throw error;
    }
    slot.encodingIDs = track.encodingIDs;
    this.followLayers(slot);
    // The layers may have changed. Drop a wish that no longer fits.
    const mediaId = slot.viewed.section.mid;
    if (slot.wish) await this.prefer({ ...slot.wish, mediaId }).catch(() => (slot.wish = undefined));
  }

  /** With its own payload types, a viewer receives only the codecs that these were chosen for. */
  private isExpected({ answered }: Slot, { codec }: PublishedTrack): boolean {
    const sent = sentBy(this.numbers, codec);
    return sent !== undefined && (this.numbers !== undefined || isListed(answered, sent));
  }
}

function numbersOf({ payloadMatching, sections, tracks, payloadProfile }: ViewerOptions): PayloadNumbers | undefined {
  return payloadMatching === 'adaptive' ? adaptedNumbers(sections, tracks, payloadProfile) : undefined;
}

function isMeant({ section: { mid, kind } }: ViewedSection, mediaId: string | undefined): boolean {
  return mediaId === undefined ? kind === 'video' : mid === mediaId;
}

/** Waits for all tracks, also after an error. */
async function prepare(transport: ViewerTransport, options: ViewerOptions): Promise<Slot[]> {
  const preparing = options.sections.map(viewed => prepareSlot(transport, viewed, options));
  await Promise.allSettled(preparing);
  return Promise.all(preparing);
}

async function prepareSlot(
  transport: ViewerTransport,
  viewed: ViewedSection,
  { tracks, payloadProfile }: ViewerOptions,
): Promise<Slot> {
  const { capabilities, section } = viewed;
  const track = capabilities && tracks.find(({ kind }) => kind === section.kind);
  const sent = track && (await transport.send(track, capabilities));
  if (track && !sent) throw payloadTypeMismatch(section.kind, payloadProfile);
  const answered = sent ? answerViewed(viewed, sent, 'rtms') : answerUnused(section);
  const encodingIDs = track?.encodingIDs ?? [];
  return { viewed, answered, sent, encodingIDs, wish: undefined, current: undefined };
}
