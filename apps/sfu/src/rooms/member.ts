import type { Closeable } from '@rtms/bus';
import {
  ServiceError,
  type MemberTransportParameters,
  type PublishTrackRequest,
  type SubscriptionParameters,
} from '@rtms/contracts';
import type { MediaRoom, PublishedTrack } from '../media/media-engine.js';
import type { MemberTransport } from '../media/member-media.js';
import type { MediaSource } from './media-source.js';
import type { MemberOptions } from './member-options.js';
import { MemberReceiving, type SubscriptionChange } from './member-receiving.js';
import { MemberSending } from './member-sending.js';
import { parseDtlsParameters } from './member-parameters.js';
import { roomTimings, type RoomContext } from './room-context.js';
import { SerialQueue } from './serial-queue.js';
import type { Session } from './session.js';

export interface SubscribeRequest {
  transportID: string;
  rtpCapabilities: unknown;
}

/** A member of a room on this node: what it sends and what it is sent. One change at a time. */
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

  /** Opens it anew where there was one of that direction: everything on the former is gone. */
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

  /** Closes one of its tracks by command; whether it was one. */
  closeTrack(trackID: string): Promise<boolean> {
    return this.changes.run(async () => (await this.sending?.closeTrack(trackID)) ?? false);
  }

  subscribe(
    track: PublishedTrack,
    { transportID, rtpCapabilities }: SubscribeRequest,
  ): Promise<SubscriptionParameters> {
    return this.change(() => {
      if (this.receiving?.transportID !== transportID) throw unknownTransport();
      return this.receiving.subscribe(track, rtpCapabilities);
    });
  }

  updateSubscription(subscriptionID: string, change: SubscriptionChange): Promise<void> {
    return this.change(async () => {
      if (!this.receiving) throw new ServiceError('not_found', 'The member has no such subscription.');
      await this.receiving.update(subscriptionID, change);
    });
  }

  unsubscribe(subscriptionID: string): Promise<void> {
    return this.changes.run(async () => this.receiving?.unsubscribe(subscriptionID));
  }

  /** Everything of the media worker is gone. */
  loseMedia(): void {
    this.sending = undefined;
    this.receiving = undefined;
    const { meetingID, participantID } = this.options;
    this.context.announce({ type: 'media.lost', meetingID, participantID });
  }

  /** Drops connections that were lost and did not come back. */
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
      if (this.isClosed) throw new ServiceError('not_found', 'The member has left.');
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
  return new ServiceError('not_found', 'The member has no such transport.');
}
