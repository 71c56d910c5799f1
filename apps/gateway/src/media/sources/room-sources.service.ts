import { Injectable } from '@nestjs/common';
import type { ComposedRoom } from '@rtms/contracts';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { wholeAccount } from '../../platform/auth/room-scope.js';
import { groupInTurns } from '../../platform/jobs/in-turns.js';
import { selectRows } from '../../platform/rows/plain-rows.js';
import { RoomPlacesService } from '../../rooms/records/room-places.service.js';
import { ParticipantsService, type Participant } from '../../rooms/records/participants.service.js';
import { RoomHomesRepository } from '../nodes/room-homes.repository.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import type { LocatedSource } from './sources.service.js';
import { composeRoom, type ComposedJob, type RoomSource } from './compose-room.js';

/** The speakers of this many rooms are kept. A composition of another room keeps the speaker that it had. */
const mostSpeakers = 10_000;

/** Reads the members and external sessions of rooms as the sources of compositions. */
@Injectable()
export class RoomSourcesService {
  /** The last announced speaker of each room; undefined: silence. Every replica hears each announcement. */
  private readonly speakers = new LRUCache<string, { sourceID: string | undefined }>({ max: mostSpeakers });

  constructor(
    private readonly participants: ParticipantsService,
    private readonly places: RoomHomesRepository,
    private readonly rooms: RoomPlacesService,
  ) {}

  /** A member or external session speaks; undefined: nobody. */
  noteSpeaker(meetingID: string, sourceID: string | undefined): void {
    this.speakers.set(meetingID, { sourceID });
  }

  /** The present room of a new job. The room cannot end before this transaction ends. Throws CONFLICT, `room_ended`. */
  async open(
    manager: EntityManager,
    job: ComposedJob & { accountID: string },
  ): Promise<{ room: ComposedRoom; source: LocatedSource }> {
    await this.rooms.lockRunning(manager, wholeAccount(job.accountID), job.meetingID);
    const room = await this.composeOne(manager, job, job.composition);
    const nodeID = room.sources[0]?.sfuNodeID ?? '';
    return { room, source: { sourceID: job.meetingID, kinds: job.tracks, nodeID } };
  }

  async composeOne(
    manager: EntityManager,
    row: Omit<ComposedJob, 'composition'>,
    composition: ComposedJob['composition'],
  ): Promise<ComposedRoom> {
    const { meetingID, tracks, composed } = row;
    const [present] = await this.compose(manager, [{ meetingID, tracks, composed, composition }]);
    return present?.room ?? { sources: [] };
  }

  /** The present room of each job, by one reading. */
  async compose<Job extends ComposedJob>(
    manager: EntityManager,
    jobs: readonly Job[],
  ): Promise<{ job: Job; room: ComposedRoom }[]> {
    const present = await this.read(manager, [...new Set(jobs.map(({ meetingID }) => meetingID))]);
    return jobs.map(job => {
      const heard = this.speakers.get(job.meetingID);
      const speakerID = heard ? heard.sourceID : job.composed?.speakerID;
      return { job, room: composeRoom(present.get(job.meetingID) ?? [], job, speakerID) };
    });
  }

  private async read(manager: EntityManager, meetingIDs: readonly string[]): Promise<Map<string, RoomSource[]>> {
    const active = "WHERE meeting_id = ANY($1) AND state = 'active' AND node_id IS NOT NULL";
    const sessions = await selectRows(manager.getRepository(ExternalSession), active, [meetingIDs]);
    const members = await this.participants.listPublishing(manager, meetingIDs);
    const places = await this.places.listPlaces(meetingIDs, manager);
    const homes = new Map(places.map(({ meetingID, nodeID }) => [meetingID, nodeID]));
    const sources = [
      ...sessions.map(row => ({ meetingID: row.meetingID, source: sessionSource(row) })),
      ...members.flatMap(row => {
        const nodeID = homes.get(row.meetingID);
        return nodeID === undefined ? [] : { meetingID: row.meetingID, source: memberSource(row, nodeID) };
      }),
    ];
    const byRoom = await groupInTurns(sources, ({ meetingID }) => meetingID);
    return new Map([...byRoom].map(([meetingID, found]) => [meetingID, found.map(({ source }) => source)]));
  }
}

function sessionSource({ id, nodeID, displayName, activatedAt, createdAt, tracks }: ExternalSession): RoomSource {
  const times = { joinedAt: activatedAt ?? createdAt };
  const shown = tracks.map(track => ({ ...track, source: track.kind === 'audio' ? 'microphone' : 'camera' }) as const);
  const common = { sourceID: id, kind: 'externalSession' as const, sfuNodeID: nodeID ?? '', name: displayName };
  return { ...common, ...times, isHost: false, tracks: shown };
}

/** Co-hosts have the rights of hosts. */
function memberSource({ id, userName, role, joinedAt, tracks }: Participant, sfuNodeID: string): RoomSource {
  const isHost = role === 'host' || role === 'cohost';
  return { sourceID: id, kind: 'member', sfuNodeID, name: userName, isHost, joinedAt, tracks };
}
