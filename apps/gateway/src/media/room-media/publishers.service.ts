import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import {
  externalSessionTransitions,
  isFinal,
  kindOfSource,
  ServiceError,
  sfuCommands,
  type ParticipantRole,
  type RoomTrack,
  type TrackSource,
} from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { mayPublish, requireCurrent, type Speaker } from '../../rooms/life/permissions.js';
import type { RoomChange } from '../../rooms/life/room-change.js';
import { RoomChangesService } from '../../rooms/life/room-changes.service.js';
import { ParticipantsService, type Participant } from '../../rooms/records/participants.service.js';
import { requireRoom, requireRunning } from '../../rooms/records/room-places.service.js';
import { RoomsService, type Room } from '../../rooms/room/rooms.service.js';
import { sourceOfSessionTrack } from '../external-sessions/session-roster.service.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { NodeMediaService } from './node-media.service.js';

/** A member, or the publisher of an external session, that uses media over the room socket. */
export interface Publisher {
  /** The ID of the publisher on the media node. */
  mediaID: string;
  room: Room;
  /** undefined: an external session, which receives no media. */
  role: ParticipantRole | undefined;
  mayPublish: readonly TrackSource[];
  tracks: readonly RoomTrack[];
}

/** Finds publishers and keeps their tracks in the roster. The tracks of external sessions come with their facts instead. */
@Injectable()
export class PublishersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rooms: RoomsService,
    private readonly participants: ParticipantsService,
    private readonly changes: RoomChangesService,
    private readonly node: NodeMediaService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The publisher of a connection, with its current permissions and tracks. */
  async find(speaker: Speaker & { sessionID?: string | undefined }): Promise<Publisher> {
    const { meetingID, sessionID } = speaker;
    const room = requireRunning(requireRoom(await this.rooms.findByID(meetingID)), this.clock.now());
    return sessionID === undefined ? this.findMember(room, speaker) : this.findSession(room, sessionID);
  }

  /** The node already forwards the track. Closes the track when the member may no longer publish it. */
  async addTrack(me: Publisher, { source, ...added }: Pick<RoomTrack, 'trackID' | 'codec' | 'source'>): Promise<void> {
    const track: RoomTrack = { ...added, kind: kindOfSource(source), source, state: 'live' };
    try {
      await this.change(me, async (change, row) => {
        if (!mayPublish(change.room.settings, row).includes(source))
          throw new ServiceError('not_permitted', `You may not publish ${source} in this room.`);
        const others = row.tracks.filter(each => each.source !== source);
        await change.update(row, { tracks: [...others, track] });
      });
    } catch (error) {
      const { trackID } = track;
      await this.node.ask(me.room.id, sfuCommands.closeTrack, { trackID }).catch(() => undefined);
      throw error;
    }
  }

  changeTracks(me: Publisher, next: (tracks: RoomTrack[]) => RoomTrack[]): Promise<void> {
    return this.change(me, (change, row) => changeTracks(change, row, next));
  }

  private async change(me: Publisher, work: (change: RoomChange, row: Participant) => Promise<void>): Promise<void> {
    if (me.role === undefined) return;
    await this.changes.run(me.room.id, async change => work(change, await change.require(me.mediaID)));
  }

  private async findSession(room: Room, id: string): Promise<Publisher> {
    const row = await this.dataSource.manager.findOneBy(ExternalSession, { id, meetingID: room.id });
    if (!row || isFinal(externalSessionTransitions, row.state)) throw new ServiceError('session_ended');
    const tracks = row.tracks.map(track => ({ ...track, source: sourceOfSessionTrack(track) }));
    const allowed = row.requestedTracks.map(kind => sourceOfSessionTrack({ kind }));
    return { mediaID: id, room, role: undefined, mayPublish: allowed, tracks };
  }

  private async findMember(room: Room, speaker: Speaker): Promise<Publisher> {
    const found = await this.participants.findJoined(speaker.participantID);
    const row = requireCurrent(found?.meetingID === room.id ? found : null, speaker);
    return { mediaID: row.id, room, role: row.role, mayPublish: mayPublish(room.settings, row), tracks: row.tracks };
  }
}

/** Emits no event when nothing changes. */
export async function changeTracks(
  change: RoomChange,
  row: Participant,
  next: (tracks: RoomTrack[]) => RoomTrack[],
): Promise<void> {
  const tracks = next(row.tracks);
  if (JSON.stringify(tracks) !== JSON.stringify(row.tracks)) await change.update(row, { tracks });
}
