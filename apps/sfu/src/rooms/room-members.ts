import type { Closeable } from '@rtms/bus';
import { ServiceError, type RtpDescription, type SubscriptionParameters } from '@rtms/contracts';
import type { MediaRoom, PublishedTrack } from '../media/media-engine.js';
import { Member } from './member.js';
import type { RoomContext } from './room-context.js';
import type { RoomMedia } from './room-media.js';
import type { Session } from './session.js';

interface SubscribeRequest {
  participantID: string;
  trackID: string;
  transportID: string;
  rtpCapabilities: unknown;
}

/** The parts of a room that its members use. */
interface MembersRoom {
  readonly meetingID: string;
  readonly media: RoomMedia;
  listSessions(): Session[];
  /** A member receives a track of the session now. */
  refreshRepair(session: Session): void;
}

/** The members of a room and its current speaker. */
export class RoomMembers implements Closeable {
  private readonly members = new Map<string, Member>();
  private readonly listenedTo = new WeakSet<MediaRoom>();
  private speaker: string | undefined;

  constructor(
    private readonly room: MembersRoom,
    private readonly context: RoomContext,
  ) {}

  /** Adds a member, or an external session's publisher by the session's id. */
  async open(participantID: string): Promise<RtpDescription> {
    const media = await this.openMedia();
    if (!this.members.has(participantID)) this.members.set(participantID, this.create(participantID));
    await this.watchSessions();
    return media.members.routerRtpCapabilities;
  }

  get isEmpty(): boolean {
    return this.members.size === 0;
  }

  has(participantID: string): boolean {
    return this.members.has(participantID);
  }

  /** Throws `not_found` if it does not exist. */
  get(participantID: string): Member {
    const member = this.members.get(participantID);
    if (!member) throw new ServiceError('not_found', 'The member has not opened its media. Send `openMember` first.');
    return member;
  }

  list(): Member[] {
    return [...this.members.values()];
  }

  openTransport(participantID: string, direction: 'send' | 'receive') {
    return this.get(participantID).openTransport(() => this.openMedia(), direction);
  }

  /** A track of any publisher in the room. Throws `not_found`. */
  track(trackID: string): PublishedTrack {
    const track = this.findTrack(trackID);
    if (!track) throw new ServiceError('not_found', 'The room has no track with this trackID.');
    return track;
  }

  /** Subscribes a member to a track of its room. */
  async subscribe({ participantID, trackID, ...request }: SubscribeRequest): Promise<SubscriptionParameters> {
    const track = this.track(trackID);
    const session = this.sessionOf(trackID);
    const isWaiting = (): boolean => track.kind === 'video' && (session?.repair.isAwaited ?? false);
    const wanted = { track, shown: this.shown(track), isWaiting };
    const parameters = await this.get(participantID).subscribe(wanted, request);
    if (session) this.room.refreshRepair(session);
    return parameters;
  }

  isReceived({ trackID }: PublishedTrack): boolean {
    return this.list().some(member => member.isReceiving(trackID));
  }

  /** Ends subscriptions to tracks that are shown by another copy now, so that the members subscribe again. */
  async showAgain(): Promise<void> {
    await Promise.all(this.list().map(member => member.showAgain(track => this.shown(track))));
  }

  findTrack(trackID: string): PublishedTrack | undefined {
    return this.publishers()
      .flatMap(({ tracks }) => tracks)
      .find(track => track.trackID === trackID);
  }

  /** A paused track sends nothing to viewers, members and feeds. */
  async pauseTrack(trackID: string): Promise<void> {
    await this.track(trackID).pause();
    this.tracksChanged(trackID);
  }

  async resumeTrack(trackID: string): Promise<void> {
    await this.track(trackID).resume();
    this.tracksChanged(trackID);
  }

  async closeTrack(trackID: string): Promise<void> {
    const track = this.findTrack(trackID);
    const session = this.sessionOf(trackID);
    for (const member of this.members.values()) if (await member.closeTrack(trackID)) break;
    await track?.close();
    session?.tracksChanged();
  }

  /** Watches the audio tracks of sessions for the speaker. Does nothing while the room has no members. */
  async watchSessions(): Promise<void> {
    if (this.members.size === 0) return;
    const media = await this.openMedia();
    for (const session of this.room.listSessions())
      for (const track of session.openTracks) if (track.kind === 'audio') await media.members.watchSpeaker(track);
  }

  async closeMember(participantID: string): Promise<void> {
    const member = this.members.get(participantID);
    this.members.delete(participantID);
    await member?.close();
    this.context.noteEnd();
  }

  /** Ends the members' media on this node. The members open it again on another node. */
  async dismiss(): Promise<void> {
    for (const [participantID, member] of [...this.members]) {
      await this.closeMember(participantID);
      member.loseMedia();
    }
  }

  /** The media worker died, and with it all connections. */
  loseMedia(): void {
    this.speaker = undefined;
    for (const member of this.members.values()) member.loseMedia();
  }

  async sweep(): Promise<void> {
    for (const member of this.members.values()) await member.sweep();
  }

  async close(): Promise<void> {
    for (const participantID of [...this.members.keys()]) await this.closeMember(participantID);
  }

  private create(participantID: string): Member {
    const { meetingID } = this.room;
    const session = this.room.listSessions().find(({ sessionID }) => sessionID === participantID);
    return new Member({ meetingID, participantID, session }, this.context);
  }

  private async openMedia(): Promise<MediaRoom> {
    const media = await this.room.media.get();
    if (!this.listenedTo.has(media)) media.members.onSpeakerChange(trackID => this.changeSpeaker(trackID));
    this.listenedTo.add(media);
    return media;
  }

  private publishers(): { participantID: string; tracks: readonly PublishedTrack[] }[] {
    const sessions = this.room.listSessions().map(({ sessionID, openTracks }) => ({
      participantID: sessionID,
      tracks: openTracks,
    }));
    const members = this.list().map(({ participantID, liveTracks }) => ({ participantID, tracks: liveTracks }));
    return [...sessions, ...members];
  }

  /** The repaired copy of a session's track, or the track itself. */
  private shown(track: PublishedTrack): PublishedTrack {
    return this.sessionOf(track.trackID)?.repair.shown(track) ?? track;
  }

  private sessionOf(trackID: string): Session | undefined {
    return this.room.listSessions().find(session => session.openTracks.some(track => track.trackID === trackID));
  }

  private tracksChanged(trackID: string): void {
    this.sessionOf(trackID)?.tracksChanged();
  }

  private changeSpeaker(trackID: string | undefined): void {
    const speaker = this.publishers().find(({ tracks }) => tracks.some(track => track.trackID === trackID));
    const participantID = speaker?.participantID;
    if (participantID === this.speaker) return;
    this.speaker = participantID;
    this.context.announce({ type: 'speaker.changed', meetingID: this.room.meetingID, participantID });
  }
}
