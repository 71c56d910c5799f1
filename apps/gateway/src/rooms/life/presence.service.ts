import { Inject, Injectable } from '@nestjs/common';
import { ServiceError, type EndReason, type JoinToken } from '@rtms/contracts';
import { closeMember } from '../../platform/workers/worker-command.js';
import { noteChange } from '../../platform/changes/announcing-query-runner.js';
import { UsageLedgerRepository } from '../../accounts/balance/usage-ledger.repository.js';
import { leftColumns, ParticipantsService, returnedColumns } from '../records/participants.service.js';
import { Participant } from '../records/participant.entity.js';
import { RoomPlacesService } from '../records/room-places.service.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { GatewayReplica } from './gateway-replica.js';
import { presentRosterEntry, type RoomChange } from './room-change.js';
import { PresenceRepository, type SocketConnection } from './presence.repository.js';
import { RoomChangesService } from './room-changes.service.js';

/** Tracks the presence of participants, from the first connection until they leave. */
@Injectable()
export class PresenceService {
  constructor(
    private readonly changes: RoomChangesService,
    private readonly participants: ParticipantsService,
    private readonly places: RoomPlacesService,
    private readonly usage: UsageLedgerRepository,
    private readonly replica: GatewayReplica,
    private readonly rows: PresenceRepository,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
  ) {}

  /** `read` sees the room with the new participant. Throws CONFLICT when the room has ended or the participant has left. */
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
   * The connection broke. Its participant may reconnect within the grace time. `silent`: the gateway that held the
   * connection is dead, so usage counts only until its last heartbeat.
   */
  async lose(
    { meetingID, participantID, connectionID }: SocketConnection,
    silent?: { heardAt: Date | null },
  ): Promise<void> {
    await this.changes.runUnlessEnded(meetingID, async change => {
      const row = await change.find(participantID);
      if (row?.connectionID !== connectionID) return;
      const graceUntil = new Date(change.now.getTime() + this.settings.graceMs);
      await change.update(row, { connectionID: null, replicaID: null, isConnected: false, graceUntil });
      if (silent) await this.usage.finish(change.manager, participantID, silent.heardAt ?? undefined);
    });
  }

  /**
   * Restores a connection that was given up by mistake, e.g. after an outage. `isOpen` is asked under the lock of the room, because
   * nobody notes the loss of a connection that has broken before.
   */
  async resume({ meetingID, participantID, connectionID }: SocketConnection, isOpen: () => boolean): Promise<void> {
    await this.changes.runUnlessEnded(meetingID, async change => {
      const row = await change.find(participantID);
      if (row?.connectionID === null && isOpen()) await this.arrive(change, row, connectionID);
    });
  }

  /** Ends the presence of the participant. */
  async leave(change: RoomChange, row: Participant, reason: EndReason): Promise<void> {
    const wasSeen = row.connectedAt !== null;
    // A lost participant held its place until the grace time ended, even when a gateway notices it later.
    const until = reason === 'participant_lost' ? (row.graceUntil ?? change.now) : change.now;
    await change.store(row, leftColumns(reason, change.now));
    await this.usage.finish(change.manager, row.id, until);
    if (wasSeen) change.emit('participant.left', { participantID: row.id, reason });
    if (row.kind === 'member')
      change.commands.push(
        ...closeMember({ id: row.id, nodeID: await this.rows.mediaNodeOf(change.manager, change.room.id) }),
      );
  }

  private async arrive(change: RoomChange, row: Participant, connectionID: string): Promise<void> {
    const { now, room } = change;
    const isFirst = row.connectedAt === null;
    const wasConnected = row.isConnected;
    const connectedAt = row.connectedAt ?? now;
    const here = { connectionID, replicaID: this.replica.id, isConnected: true };
    await change.store(row, { ...here, connectedAt, graceUntil: null });
    const { id: resourceID, meetingID, accountID } = row;
    noteChange(change.manager, { kind: 'connection', id: connectionID, accountID, participantID: row.id });
    await this.usage.begin(change.manager, { kind: 'participant', resourceID, meetingID, at: now });
    if (!isFirst && wasConnected) return;
    change.emit(isFirst ? 'participant.joined' : 'participant.changed', { participant: presentRosterEntry(row, room) });
  }

  /** Lets a lost participant come back. The creator's place is kept; anybody else needs a free place. */
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

  /** The creator has a token and a place from the start, but a row only from the first connection. */
  private async joinCreator({ manager, room, now }: RoomChange, token: JoinToken): Promise<Participant> {
    const { accountID, id: meetingID, hostName: userName, creatorID } = room;
    if (token.resourceID !== creatorID) await this.places.take(manager, { accountID, meetingID });
    const who = { id: token.resourceID, accountID, meetingID, userName, role: token.role };
    return this.participants.join(manager, who, now, now);
  }
}
