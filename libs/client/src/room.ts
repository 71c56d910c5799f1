import type {
  ParticipantRequest,
  ParticipantRole,
  RequestStatus,
  RosterEntry,
  SocketCommandName,
  SocketCommands,
  TrackSource,
} from '@rtms/contracts';
import type { LocalTrack, PublishOptions } from './media/local-track.js';
import type { MediaState } from './media/room-media.js';
import type { SubscribeOptions, Subscription } from './media/subscription.js';
import { RtmsError } from './signalling/rtms-error.js';
import type { RoomSession } from './room-session.js';
import type { ConnectionState, RoomEventMap } from './room-events.js';
import type { RoomState } from './state/room-state.js';

/** A room that this member has joined with `joinRoom`. */
export class Room {
  constructor(private readonly session: RoomSession) {}

  /** Roster, chat and polls as of the last event. A new object after each event. */
  get state(): RoomState {
    return this.session.state;
  }

  get meetingID(): string {
    return this.state.meetingID;
  }

  get participantID(): string {
    return this.session.participantID;
  }

  get role(): ParticipantRole {
    return this.me?.role ?? this.session.role;
  }

  /** This member's entry in the roster. */
  get me(): RosterEntry | undefined {
    return this.state.roster.find(entry => entry.participantID === this.participantID);
  }

  /** `participantID` of the current speaker; null in silence. */
  get speaker(): string | null {
    return this.session.speaker;
  }

  get connectionState(): ConnectionState {
    return this.session.connectionState;
  }

  get mediaState(): MediaState {
    return this.session.media.state;
  }

  /** Returns a function that removes the listener. */
  on<Name extends keyof RoomEventMap>(name: Name, listener: (event: RoomEventMap[Name]) => void): () => void {
    return this.session.events.on(name, listener);
  }

  /** Publishes a track, at most one of each source. The page owns the track: the SDK never stops it. */
  publish(track: MediaStreamTrack, options: PublishOptions): Promise<LocalTrack> {
    return this.session.media.publish(track, options);
  }

  published(source: TrackSource): LocalTrack | undefined {
    return this.session.media.local(source);
  }

  async unpublish(source: TrackSource): Promise<void> {
    await this.published(source)?.unpublish();
  }

  async mute(source: TrackSource): Promise<void> {
    await this.requirePublished(source).mute();
  }

  /** Unmutes a track, also after a host muted it. */
  async unmute(source: TrackSource): Promise<void> {
    await this.requirePublished(source).unmute();
  }

  /** Subscribes to a track of the roster. Play `subscription.track` in a media element. */
  subscribe(trackID: string, options?: SubscribeOptions): Promise<Subscription> {
    return this.session.media.subscribe(trackID, options);
  }

  /** Sends a chat message to all members, or to one. */
  async sendChat(message: string, { to }: { to?: string } = {}): Promise<string> {
    const { messageID } = await this.send('chat.send', { message, ...(to !== undefined && { recipientID: to }) });
    return messageID;
  }

  async createPoll(question: string, options: string[]): Promise<string> {
    return (await this.send('poll.create', { question, options })).pollID;
  }

  /** `choice`: index of an option, from 0. */
  async vote(pollID: string, choice: number): Promise<void> {
    await this.send('poll.vote', { pollID, choice });
  }

  /** Ends a poll. Resolves with the votes for each option. */
  async endPoll(pollID: string): Promise<number[]> {
    return (await this.send('poll.end', { pollID })).results;
  }

  /** Sends a request to the hosts, or raises the hand. `active: false` withdraws it. */
  async request(request: ParticipantRequest, active = true): Promise<RequestStatus> {
    return (await this.send('participant.request', { request, active })).status;
  }

  // Commands of hosts and co-hosts.

  async decideRequest(participantID: string, request: ParticipantRequest, accept: boolean): Promise<void> {
    await this.send('request.decide', { participantID, request, accept });
  }

  async muteParticipant(participantID: string, source: TrackSource): Promise<void> {
    await this.send('participant.mute', { participantID, source });
  }

  async removeParticipant(participantID: string): Promise<void> {
    await this.send('participant.remove', { participantID });
  }

  /** Makes a viewer a participant. Hosts only. */
  async admitParticipant(participantID: string): Promise<void> {
    await this.send('participant.admit', { participantID });
  }

  async assignBreakout(participantID: string, breakout: string | null): Promise<void> {
    await this.send('breakout.assign', { participantID, breakout });
  }

  async assignWhiteboard(participantID: string, whiteboard: RosterEntry['whiteboard']): Promise<void> {
    await this.send('whiteboard.assign', { participantID, whiteboard });
  }

  /** Leaves the room for good. Idempotent. */
  leave(): Promise<void> {
    return this.session.leave();
  }

  /** Disconnects without leaving. The participant may return within the service's grace time. */
  close(): void {
    this.session.close();
  }

  private send<Name extends SocketCommandName>(
    name: Name,
    request: SocketCommands[Name]['request'],
  ): Promise<SocketCommands[Name]['reply']> {
    return this.session.send(name, request);
  }

  private requirePublished(source: TrackSource): LocalTrack {
    const local = this.published(source);
    if (!local) throw new RtmsError('NOT_FOUND', `The ${source} is not published.`, 'not_found');
    return local;
  }
}
