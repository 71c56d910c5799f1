import { Inject, Injectable } from '@nestjs/common';
import { ServiceError, type EndReason, type JoinToken } from '@rtms/contracts';
import { closeMember } from '../media-commands/worker-command.js';
import { UsageLedger } from '../metering/usage-ledger.service.js';
import { leftColumns, ParticipantsService, returnedColumns } from '../participants/participants.service.js';
import { Participant } from '../participants/participant.entity.js';
import { RoomPlaces } from '../rooms/room-places.service.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { GatewayReplica } from './gateway-replica.service.js';
import { presentRosterEntry } from './present-roster.js';
import type { RoomChange } from './room-change.js';
import { RoomChanges } from './room-changes.service.js';

/** A socket that speaks for a participant. */
export interface Connection {
  connectionID: string;
  participantID: string;
  meetingID: string;
}

/** Who is there: from the first connection of a participant until it leaves. */
@Injectable()
export class Presence {
  constructor(
    private readonly changes: RoomChanges,
    private readonly participants: ParticipantsService,
    private readonly places: RoomPlaces,
    private readonly usage: UsageLedger,
    private readonly replica: GatewayReplica,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
  ) {}

  /** `read` sees the room as it is with the newcomer. CONFLICT when the room has ended or the participant has left. */
  async connect<Result>(
    token: JoinToken,
    connectionID: string,
    read: (change: RoomChange, row: Participant) => Promise<Result>,
  ): Promise<Result> {
    return this.changes.run(token.meetingID, async change => {
      const row = await this.find(change, token);
      if (row.state === 'left') await this.takeBack(change, row);
      await this.arrive(change, row, connectionID);
      return read(change, row);
    });
  }

  /**
   * The connection broke; its participant may come back within the grace time. `silent`: nobody saw it break, as the
   * gateway that held it is gone, and what came after that gateway was last heard costs nothing.
   */
  async lose({ meetingID, participantID, connectionID }: Connection, silent?: { heardAt: Date | null }): Promise<void> {
    await this.changes.runUnlessEnded(meetingID, async change => {
      const row = await change.find(participantID);
      if (row?.connectionID !== connectionID) return;
      const graceUntil = new Date(change.now.getTime() + this.settings.graceMs);
      await change.update(row, { connectionID: null, replicaID: null, isConnected: false, graceUntil });
      if (silent) await this.usage.finish(change.manager, participantID, silent.heardAt ?? undefined);
    });
  }

  /** It was taken for lost, e.g. after an outage, and is there. */
  async resume({ meetingID, participantID, connectionID }: Connection): Promise<void> {
    await this.changes.runUnlessEnded(meetingID, async change => {
      const row = await change.find(participantID);
      if (row?.connectionID === null) await this.arrive(change, row, connectionID);
    });
  }

  /** For good, whoever wants it. */
  async leave(change: RoomChange, row: Participant, reason: EndReason): Promise<void> {
    const wasSeen = row.connectedAt !== null;
    // Who is given up was waited for until then, however much later a gateway sees it.
    const until = reason === 'participant_lost' ? (row.graceUntil ?? change.now) : change.now;
    await change.store(row, leftColumns(reason, change.now));
    await this.usage.finish(change.manager, row.id, until);
    if (wasSeen) change.emit('participant.left', { participantID: row.id, reason });
    if (row.kind === 'member') change.commands.push(...closeMember({ id: row.id, nodeID: await mediaNodeOf(change) }));
  }

  private async arrive(change: RoomChange, row: Participant, connectionID: string): Promise<void> {
    const { now, room } = change;
    const isFirst = row.connectedAt === null;
    const wasConnected = row.isConnected;
    const connectedAt = row.connectedAt ?? now;
    const here = { connectionID, replicaID: this.replica.id, isConnected: true };
    await change.store(row, { ...here, connectedAt, graceUntil: null });
    change.news.push({ kind: 'connected', participantID: row.id, connectionID });
    const { id: resourceID, meetingID } = row;
    await this.usage.begin(change.manager, { kind: 'participant', resourceID, meetingID, at: now });
    if (!isFirst && wasConnected) return;
    change.emit(isFirst ? 'participant.joined' : 'participant.changed', { participant: presentRosterEntry(row, room) });
  }

  /** The creator's place is kept. A ticket that nobody used in time needs a place that is free. */
  private async takeBack(change: RoomChange, row: Participant): Promise<void> {
    const isCreator = row.id === change.room.creatorID;
    if (row.leaveReason !== 'participant_lost' || (row.connectedAt !== null && !isCreator)) {
      throw new ServiceError('participant_left', 'This participant has left the room. Join anew.');
    }
    if (!isCreator) await this.places.take(change.manager, row);
    await change.store(row, returnedColumns(change.now, change.now));
  }

  private async find(change: RoomChange, token: JoinToken): Promise<Participant> {
    const { manager, room } = change;
    const row = await manager.findOneBy(Participant, { id: token.resourceID, meetingID: room.id });
    return row ?? this.joinCreator(change, token);
  }

  /** The creator has a token and a place from the start, and a row from the first connection. */
  private async joinCreator({ manager, room, now }: RoomChange, token: JoinToken): Promise<Participant> {
    const { accountID, id: meetingID, hostName: userName, creatorID } = room;
    if (token.resourceID !== creatorID) await this.places.take(manager, { accountID, meetingID });
    const who = { id: token.resourceID, accountID, meetingID, userName, role: token.role };
    return this.participants.join(manager, who, now, now);
  }
}

/** null: nobody has opened media in the room. */
async function mediaNodeOf({ manager, room }: RoomChange): Promise<string | null> {
  const sql = 'SELECT node_id AS "nodeID" FROM room_media WHERE meeting_id = $1';
  const [place] = await manager.query<{ nodeID: string }[]>(sql, [room.id]);
  return place?.nodeID ?? null;
}
