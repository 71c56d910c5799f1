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
import { RtmsError } from './rtms-error.js';
import type { RoomSession } from './room-session.js';
import type { ConnectionState, RoomEventMap } from './room-events.js';
import type { RoomState } from './state/room-state.js';

/** A room as one member has it. `joinRoom` opens it. */
export class Room {
  constructor(private readonly session: RoomSession) {}

  /** Roster, chat and polls as of the last event; a new object after each. */
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

  /** This member in the roster. */
  get me(): RosterEntry | undefined {
    return this.state.roster.find(entry => entry.participantID === this.participantID);
  }

  /** Who speaks; null in silence. */
  get speaker(): string | null {
    return this.session.speaker;
  }

  get connectionState(): ConnectionState {
    return this.session.connectionState;
  }

  get mediaState(): MediaState {
    return this.session.media.state;
  }

  /** Returns what ends it. */
  on<Name extends keyof RoomEventMap>(name: Name, listener: (event: RoomEventMap[Name]) => void): () => void {
    return this.session.events.on(name, listener);
  }

  /** The track stays the page's: nothing here stops it. At most one of each source. */
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

  /** Also after a host muted it. */
  async unmute(source: TrackSource): Promise<void> {
    await this.requirePublished(source).unmute();
  }

  /** To a track of the roster; `subscription.track` is what an element plays. */
  subscribe(trackID: string, options?: SubscribeOptions): Promise<Subscription> {
    return this.session.media.subscribe(trackID, options);
  }

  /** To everybody, or to one. */
  async sendChat(message: string, { to }: { to?: string } = {}): Promise<string> {
    const { messageID } = await this.send('chat.send', { message, ...(to !== undefined && { recipientID: to }) });
    return messageID;
  }

  async createPoll(question: string, options: string[]): Promise<string> {
    return (await this.send('poll.create', { question, options })).pollID;
  }

  /** `choice`: the place of an option, from 0. */
  async vote(pollID: string, choice: number): Promise<void> {
    await this.send('poll.vote', { pollID, choice });
  }

  /** Votes for each option. */
  async endPoll(pollID: string): Promise<number[]> {
    return (await this.send('poll.end', { pollID })).results;
  }

  /** Asks the hosts, or raises the hand; with `active: false` takes it back. */
  async request(request: ParticipantRequest, active = true): Promise<RequestStatus> {
    return (await this.send('participant.request', { request, active })).status;
  }

  // Of hosts.

  async decideRequest(participantID: string, request: ParticipantRequest, accept: boolean): Promise<void> {
    await this.send('request.decide', { participantID, request, accept });
  }

  async muteParticipant(participantID: string, source: TrackSource): Promise<void> {
    await this.send('participant.mute', { participantID, source });
  }

  async removeParticipant(participantID: string): Promise<void> {
    await this.send('participant.remove', { participantID });
  }

  /** Makes a viewer a participant. */
  async admitParticipant(participantID: string): Promise<void> {
    await this.send('participant.admit', { participantID });
  }

  async assignBreakout(participantID: string, breakout: string | null): Promise<void> {
    await this.send('breakout.assign', { participantID, breakout });
  }

  async assignWhiteboard(participantID: string, whiteboard: RosterEntry['whiteboard']): Promise<void> {
    await this.send('whiteboard.assign', { participantID, whiteboard });
  }

  /** For good; twice without harm. */
  leave(): Promise<void> {
    return this.session.leave();
  }

  /** Without leaving: the participant may come back within the service's grace time. */
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
    if (!local) throw new RtmsError('NOT_FOUND', `There is no track of the ${source}.`, 'not_found');
    return local;
  }
}
