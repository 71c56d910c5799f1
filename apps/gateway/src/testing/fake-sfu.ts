import type { Bus } from '@rtms/bus';
import {
  kindOfSource,
  pageOfInventory,
  ServiceError,
  roomMediaEventSubject,
  sfuCommands,
  type MediaKind,
  type RoomMediaEvent,
  type SampledMinute,
  type SamplesPage,
  type SamplesQuery,
  type SessionStatistics,
  type SessionTrack,
  type SfuInventory,
  type ViewerMinute,
  type ViewerSamplesQuery,
} from '@rtms/contracts';
import { FakeNode, type FakeNodeOptions } from './fake-node.js';

export const videoTrack: SessionTrack = { trackID: 'trk_video', kind: 'video', codec: 'VP8', state: 'live' };
export const audioTrack: SessionTrack = { trackID: 'trk_audio', kind: 'audio', codec: 'opus', state: 'live' };

/** An SFU that keeps the resources of its commands and forwards no media. */
export class FakeSfu extends FakeNode {
  readonly sessions = new Map<string, SfuInventory['sessions'][number]>();
  readonly playbacks = new Map<string, SfuInventory['playbacks'][number]>();

  /** The minutes that the node has sampled, oldest first. */
  sampled: SampledMinute[] = [];

  /** The minutes of viewers that the node has sampled, oldest first. */
  sampledViewers: ViewerMinute[] = [];

  /** A node may return smaller pages of its inventory than requested. */
  entriesPerPage = Infinity;

  /** Viewers of other nodes' rooms. */
  relayedViewers = 0;

  constructor(bus: Bus, nodeID: string, options: FakeNodeOptions) {
    super(bus, nodeID, 'sfu', options);
  }

  /** The publisher connects and sends media. */
  async activate(sessionID: string, kinds: MediaKind[] = ['video', 'audio']): Promise<void> {
    const session = this.sessions.get(sessionID);
    if (session) session.state = 'active';
    const tracks = [videoTrack, audioTrack].filter(track => kinds.includes(track.kind));
    await this.report(sessionID, { type: 'external_session.active', tracks });
  }

  /** `node_draining`: the drain's time is over. */
  async loseSource(sessionID: string, reason: 'publisher_lost' | 'node_draining' = 'publisher_lost'): Promise<void> {
    const session = this.sessions.get(sessionID);
    if (session) session.state = 'pending';
    await this.report(sessionID, { type: 'external_session.interrupted', reason });
  }

  override forgetAll(): void {
    this.sessions.clear();
    this.playbacks.clear();
  }

  protected override async answerAll(): Promise<void> {
    await this.answer(sfuCommands.drain, ({ draining }) => {
      this.draining = draining;
      return {};
    });
    await this.answer(sfuCommands.openSession, ({ sessionID, meetingID }) => {
      if (!this.sessions.has(sessionID)) this.sessions.set(sessionID, { sessionID, meetingID, state: 'pending' });
      return {};
    });
    await this.answer(sfuCommands.openPlayback, ({ playbackID, sessionID }) => {
      this.playbacks.set(playbackID, { playbackID, sessionID, state: 'ready' });
      return { payloadProfile: { codecs: [] } };
    });
    await this.answer(sfuCommands.setViewerLimits, () => ({}));
    await this.answer(sfuCommands.closeSession, ({ sessionID }) => this.closed(this.sessions.delete(sessionID)));
    await this.answer(sfuCommands.closePlayback, ({ playbackID }) => this.closed(this.playbacks.delete(playbackID)));
    await this.answer(sfuCommands.closeRoom, ({ meetingID }) => this.closeRoom(meetingID));
    await this.answer(sfuCommands.sessionStatistics, ({ sessionID }) => this.statisticsOf(sessionID));
    await this.answer(sfuCommands.readSamples, query => this.samplesOf(query));
    await this.answer(sfuCommands.readViewerSamples, query => this.viewerSamplesOf(query));
    await this.answerMembers();
    await this.answer(sfuCommands.inventory, query =>
      pageOfInventory(this.inventory(), { ...query, atMost: Math.min(query.atMost ?? Infinity, this.entriesPerPage) }),
    );
  }

  private inventory(): SfuInventory {
    return {
      epoch: this.epoch,
      meetingIDs: [...new Set([...this.sessions.values()].map(each => each.meetingID))],
      sessions: [...this.sessions.values()],
      playbacks: [...this.playbacks.values()],
      members: [],
      relayedViewers: this.relayedViewers,
    };
  }

  /** Announces a room media event to all gateways. */
  tell(event: RoomMediaEvent): void {
    this.bus.announce(`${roomMediaEventSubject}.${event.meetingID}`, event);
  }

  private statisticsOf(sessionID: string): SessionStatistics {
    if (!this.sessions.has(sessionID)) throw new ServiceError('not_found', 'There is no such session.');
    const counters = { bitrate: 1_200_000, packetsReceived: 900, packetsLost: 3, fractionLost: 0.01, jitterMs: 4.5 };
    const picture = { width: 1280, height: 720, frameRate: 30 };
    const tracks = [{ ...videoTrack, ...counters, roundTripMs: 20, ...picture }];
    return {
      sessionID,
      measuredAt: new Date(this.clock.now()).toISOString(),
      tracks: tracks.map(({ state: _, ...track }) => track),
    };
  }

  /** One minute a page. */
  private samplesOf({ sessionID, after = '' }: SamplesQuery): SamplesPage {
    const placeOf = (each: SampledMinute) => `${each.minute} ${each.sessionID}`;
    if (sessionID !== undefined)
      return { minutes: this.sampled.filter(each => each.sessionID === sessionID), isLast: true };
    const [first, ...others] = this.sampled.filter(each => placeOf(each) > after);
    return { minutes: first ? [first] : [], next: first ? placeOf(first) : after, isLast: others.length === 0 };
  }

  /** One minute a page. */
  private viewerSamplesOf({ playbackID, afterViewer = '', viewers = 0, after = '' }: ViewerSamplesQuery) {
    const placeOf = (each: ViewerMinute) => `${each.minute} ${each.playbackID} ${each.viewerID}`;
    const own = this.sampledViewers.filter(each => each.playbackID === playbackID && each.viewerID > afterViewer);
    const wanted = [...new Set(own.map(({ viewerID }) => viewerID))].sort().slice(0, viewers);
    if (playbackID !== undefined)
      return { minutes: own.filter(({ viewerID }) => wanted.includes(viewerID)), isLast: true };
    const [first, ...others] = this.sampledViewers.filter(each => placeOf(each) > after);
    return { minutes: first ? [first] : [], next: first ? placeOf(first) : after, isLast: others.length === 0 };
  }

  private async answerMembers(): Promise<void> {
    let opened = 0;
    const transport = () => ({
      transportID: `transport-${++opened}`,
      iceParameters: {},
      iceCandidates: [],
      dtlsParameters: {},
    });
    const parameters = { kind: 'video' as const, rtpParameters: {}, layers: { spatial: 1, temporal: 1 } };
    await this.answer(sfuCommands.openMember, () => ({ routerRtpCapabilities: { codecs: [] } }));
    await this.answer(sfuCommands.closeMember, () => ({}));
    await this.answer(sfuCommands.openMemberTransport, transport);
    await this.answer(sfuCommands.connectMemberTransport, () => ({}));
    await this.answer(sfuCommands.restartMemberIce, () => ({ iceParameters: {} }));
    await this.answer(sfuCommands.publishTrack, ({ source }) => ({
      trackID: `trk_${++opened}`,
      codec: kindOfSource(source) === 'audio' ? 'opus' : 'VP8',
    }));
    await this.answer(sfuCommands.pauseTrack, () => ({}));
    await this.answer(sfuCommands.resumeTrack, () => ({}));
    await this.answer(sfuCommands.closeTrack, () => ({}));
    await this.answer(sfuCommands.requestTrackKeyframe, () => ({}));
    await this.answer(sfuCommands.subscribe, ({ trackID }) => ({
      subscriptionID: `sub_${++opened}`,
      trackID,
      ...parameters,
    }));
    await this.answer(sfuCommands.updateSubscription, () => ({}));
    await this.answer(sfuCommands.unsubscribe, () => ({}));
  }

  private closeRoom(meetingID: string): Record<string, never> {
    const sessions = [...this.sessions.values()].filter(session => session.meetingID === meetingID);
    for (const { sessionID } of sessions) this.sessions.delete(sessionID);
    return {};
  }

  private closed(_wasThere: boolean): Record<string, never> {
    return {};
  }
}
