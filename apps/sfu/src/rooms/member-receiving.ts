import { ServiceError, type SubscriptionParameters } from '@rtms/contracts';
import type { PublishedTrack } from '../media/media-engine.js';
import type { MemberReceiver, Subscription } from '../media/member-media.js';
import { MemberConnection } from './member-connection.js';
import type { MemberOptions } from './member-options.js';
import { parseCapabilities, parseLayers } from './member-parameters.js';
import type { RoomContext } from './room-context.js';

export interface SubscriptionChange {
  paused?: boolean | undefined;
  layers?: unknown;
}

/** What a member is sent. */
export class MemberReceiving extends MemberConnection<MemberReceiver> {
  private readonly subscriptions = new Map<string, Subscription>();

  constructor(
    transport: MemberReceiver,
    private readonly options: MemberOptions,
    private readonly context: RoomContext,
  ) {
    super(transport);
  }

  /** Starts paused. Repeated for one track, it is answered as it was. */
  async subscribe(track: PublishedTrack, rtpCapabilities: unknown): Promise<SubscriptionParameters> {
    const capabilities = parseCapabilities(rtpCapabilities);
    const former = [...this.subscriptions.values()].find(({ parameters }) => parameters.trackID === track.trackID);
    await former?.pause();
    const subscription = former ?? (await this.transport.subscribe(track, capabilities));
    if (!former) this.keep(subscription);
    return subscription.parameters;
  }

  /** Throws `not_found`. */
  async update(subscriptionID: string, { paused, layers }: SubscriptionChange): Promise<void> {
    const wanted = layers === undefined ? undefined : parseLayers(layers);
    const subscription = this.subscriptions.get(subscriptionID);
    if (!subscription) throw new ServiceError('not_found', 'The member has no such subscription.');
    if (wanted) {
      const { spatialLayer, temporalLayer } = wanted;
      await subscription.prefer({ spatialLayer, ...(temporalLayer !== undefined && { temporalLayer }) });
    }
    if (paused === true) await subscription.pause();
    if (paused === false) await subscription.resume();
  }

  async unsubscribe(subscriptionID: string): Promise<void> {
    const subscription = this.subscriptions.get(subscriptionID);
    this.subscriptions.delete(subscriptionID);
    await subscription?.close();
  }

  async close(): Promise<void> {
    this.subscriptions.clear();
    await this.transport.close();
  }

  private keep(subscription: Subscription): void {
    const { meetingID, participantID } = this.options;
    const { subscriptionID } = subscription.parameters;
    this.subscriptions.set(subscriptionID, subscription);
    const about = { meetingID, participantID, subscriptionID };
    subscription.onLayersChange(layers => this.context.announce({ type: 'subscription.layers', ...about, layers }));
    subscription.onEnded(() => {
      // Closed by command, or with its transport, it is no news.
      if (this.subscriptions.delete(subscriptionID)) this.context.announce({ type: 'subscription.ended', ...about });
    });
  }
}
