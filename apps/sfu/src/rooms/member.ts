import type { Closeable } from '@rtms/bus';
import {
  type MemberTransportParameters,
  type PublishTrackRequest,
  ServiceError,
  type SourceView,
  type SubscriptionParameters,
} from '@rtms/contracts';
import { SerialQueue } from '@rtms/node';
import type { MediaRoom, MemberTransport, PublishedTrack } from '../media/media-engine.js';
import type { MediaSource } from './room-media.js';
import {
  type MemberOptions,
  MemberReceiving,
  MemberSending,
  type ShownTrack,
  type SubscriptionChange,
} from './member-connection.js';
import { parseDtlsParameters } from './member-parameters.js';
import { type RoomContext, roomTimings } from './room-context.js';
import type { Session } from './session.js';

/** A member of a room on this node, with its sending and its receiving connection. Runs one change at a time. */
export class Member implements MediaSource, Closeable {
  private readonly changes = new SerialQueue();
  private sending: MemberSending | undefined;
  private receiving: MemberReceiving | undefined;
  private isClosed = false;

  constructor(
    private readonly options: MemberOptions,
    private readonly context: RoomContext,
  ) {}

  get participantID(): string {
    return this.options.participantID;
  }

  get sourceID(): string {
    return this.options.participantID;
  }

  get session(): Session | undefined {
    return this.options.session;
  }

  get liveTracks(): readonly PublishedTrack[] {
    return this.sending?.tracks ?? [];
  }

  tracksOf(view: SourceView): readonly PublishedTrack[] {
    return this.sending?.tracksOf(view) ?? [];
  }

  /** Opens a transport. Replaces the transport of the same direction and ends everything on it. */
  openTransport(
    openMedia: () => Promise<MediaRoom>,
    direction: 'send' | 'receive',
  ): Promise<MemberTransportParameters> {
    return this.change(async () => {
      const media = await openMedia();
      const opened = direction === 'send' ? await this.openSending(media) : await this.openReceiving(media);
      return opened.transport.parameters;
    });
  }

  connectTransport(transportID: string, dtlsParameters: unknown): Promise<void> {
    const remote = parseDtlsParameters(dtlsParameters);
    return this.change(() => this.connectionOf(transportID).connect(remote));
  }

  restartIce(transportID: string): Promise<Record<string, unknown>> {
    return this.change(async () => {
      const { transport } = this.connectionOf(transportID);
      await transport.restartIce();
      return transport.parameters.iceParameters;
    });
  }

  publish(request: Omit<PublishTrackRequest, 'participantID'>): Promise<PublishedTrack> {
    return this.change(() => {
      if (this.sending?.transportID !== request.transportID) throw unknownTransport();
      return this.sending.publish(request);
    });
  }

  /** Closes a track by command. Returns whether it was a track of this member. */
  closeTrack(trackID: string): Promise<boolean> {
    return this.changes.run(async () => (await this.sending?.closeTrack(trackID)) ?? false);
  }

  subscribe(
    track: ShownTrack,
    { transportID, rtpCapabilities }: { transportID: string; rtpCapabilities: unknown },
  ): Promise<SubscriptionParameters> {
    return this.change(() => {
      if (this.receiving?.transportID !== transportID) throw unknownTransport();
      return this.receiving.subscribe(track, rtpCapabilities);
    });
  }

  isReceiving(trackID: string): boolean {
    return this.receiving?.isReceiving(trackID) ?? false;
  }

  /** Ends the subscriptions whose track is shown by another copy now. */
  showAgain(shownOf: (track: PublishedTrack) => PublishedTrack): Promise<void> {
    return this.changes.run(async () => this.receiving?.showAgain(shownOf));
  }

  updateSubscription(subscriptionID: string, change: SubscriptionChange): Promise<void> {
    return this.change(async () => {
      if (!this.receiving)
        throw new ServiceError('not_found', 'The member has no subscription with this subscriptionID.');
      await this.receiving.update(subscriptionID, change);
    });
  }

  unsubscribe(subscriptionID: string): Promise<void> {
    return this.changes.run(async () => this.receiving?.unsubscribe(subscriptionID));
  }

  /** The media worker died, and with it the connections. */
  loseMedia(): void {
    this.sending = undefined;
    this.receiving = undefined;
    const { meetingID, participantID } = this.options;
    this.context.announce({ type: 'media.lost', meetingID, participantID });
  }

  /** Closes connections that have been lost for too long. */
  async sweep(): Promise<void> {
    for (const connection of [this.sending, this.receiving])
      if (connection?.isOverdue(this.context.clock.now(), roomTimings.returnsWithin)) await connection.drop();
  }

  close(): Promise<void> {
    this.isClosed = true;
    return this.changes.run(async () => {
      await this.sending?.close();
      await this.receiving?.close();
      this.sending = undefined;
      this.receiving = undefined;
    });
  }

  private change<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.changes.run(() => {
      if (this.isClosed) throw new ServiceError('not_found', 'The member has left the room.');
      return work();
    });
  }

  private connectionOf(transportID: string): MemberSending | MemberReceiving {
    const connection = [this.sending, this.receiving].find(candidate => candidate?.transportID === transportID);
    if (!connection) throw unknownTransport();
    return connection;
  }

  private async openSending(media: MediaRoom): Promise<{ transport: MemberTransport }> {
    await this.sending?.close();
    this.sending = undefined;
    const transport = await media.members.openSender({ isObserved: this.options.session !== undefined });
    this.sending = new MemberSending(transport, media.members, this.options, this.context);
    return this.sending;
  }

  private async openReceiving(media: MediaRoom): Promise<{ transport: MemberTransport }> {
    await this.receiving?.close();
    this.receiving = undefined;
    this.receiving = new MemberReceiving(await media.members.openReceiver(), this.options, this.context);
    return this.receiving;
  }
}

function unknownTransport(): ServiceError {
  return new ServiceError('not_found', 'The member has no transport with this transportID. Open one first.');
}
