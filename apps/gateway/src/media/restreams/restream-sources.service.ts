import { Injectable } from '@nestjs/common';
import { broadcastTransitions, isFinal, ServiceError } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import { Broadcast } from '../resources/broadcast.entity.js';
import type { Restream } from '../resources/restream.entity.js';
import { SourcesService, type LocatedSource } from '../sources/sources.service.js';

/** The source of a restream. `nodeID`: the SFU node of an external session, or the transcoder of a broadcast. */
export interface RestreamSource extends LocatedSource {
  from?: 'broadcast';
}

type SourceColumns = Pick<Restream, 'sourceSessionID' | 'sourceBroadcastID'>;

/** Finds external sessions and broadcasts as sources of restreams. */
@Injectable()
export class RestreamSourcesService {
  constructor(private readonly sources: SourcesService) {}

  /** Throws unless the source is active. The source cannot end before this transaction ends. */
  async require(
    manager: EntityManager,
    row: SourceColumns & Pick<Restream, 'accountID' | 'meetingID'>,
  ): Promise<RestreamSource> {
    const { accountID, meetingID, sourceSessionID, sourceBroadcastID } = row;
    if (sourceBroadcastID === null) return this.sources.requireSession(manager, row, sourceSessionID ?? '');
    const broadcast = await manager.findOne(Broadcast, {
      where: { id: sourceBroadcastID, accountID, meetingID },
      lock: { mode: 'pessimistic_read' },
    });
    if (!broadcast) throw new ServiceError('not_found', 'There is no such broadcast in this room.');
    const source = toSource(broadcast);
    if (source) return source;
    if (isFinal(broadcastTransitions, broadcast.state))
      throw new ServiceError('session_ended', 'The broadcast has ended. Choose a broadcast that is active.');
    throw new ServiceError('source_not_active', 'The broadcast is not active yet.');
  }

  /** undefined: the source sends no media now, or no node holds it. */
  async find(
    manager: EntityManager,
    { sourceSessionID, sourceBroadcastID }: SourceColumns,
  ): Promise<RestreamSource | undefined> {
    if (sourceBroadcastID !== null) {
      const broadcast = await manager.findOneBy(Broadcast, { id: sourceBroadcastID });
      return broadcast ? toSource(broadcast) : undefined;
    }
    const id = sourceSessionID ?? '';
    const source = (await this.sources.findSessions(manager, [id])).get(id);
    return source?.isActive ? source : undefined;
  }
}

function toSource({ id, state, tracks, nodeID, nodeEpoch }: Broadcast): RestreamSource | undefined {
  if (state !== 'active' || nodeID === null || nodeEpoch === null) return undefined;
  return { sourceID: id, kinds: tracks, nodeID, from: 'broadcast' };
}
