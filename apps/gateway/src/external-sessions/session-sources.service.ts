import { Injectable } from '@nestjs/common';
import { ServiceError, type MediaKind } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import { selectRows } from '../database/plain-rows.js';
import { ExternalSession } from './external-session.entity.js';

/** A session that something is about to be made from. */
export interface Source {
  sessionID: string;
  meetingID: string;
  /** What it sends now. */
  kinds: MediaKind[];
  nodeID: string;
  nodeEpoch: number;
}

interface PlacedSource extends Source {
  isActive: boolean;
}

export interface SourceQuery {
  accountID: string;
  meetingID: string;
  sessionID: string;
}

/** External sessions as sources of playbacks and broadcasts. */
@Injectable()
export class SessionSources {
  /** The source as it is placed now; undefined when no node has it. */
  async find(manager: EntityManager, sessionID: string): Promise<PlacedSource | undefined> {
    return (await this.findAll(manager, [sessionID])).get(sessionID);
  }

  /** As `find`, by the sessions' ids; a source that no node has is absent. */
  async findAll(manager: EntityManager, sessionIDs: readonly string[]): Promise<Map<string, PlacedSource>> {
    const rows = await selectRows(manager.getRepository(ExternalSession), 'WHERE id = ANY($1)', [sessionIDs]);
    const sources = new Map<string, PlacedSource>();
    for (const row of rows) {
      const { id, nodeID, nodeEpoch, state } = row;
      if (nodeID === null || nodeEpoch === null) continue;
      sources.set(id, { ...toSource(row, nodeID, nodeEpoch), isActive: state === 'active' });
    }
    return sources;
  }

  /** Throws unless it is active; it can't end before this transaction does. */
  async requireActive(manager: EntityManager, { accountID, meetingID, sessionID }: SourceQuery): Promise<Source> {
    const row = await manager.findOne(ExternalSession, {
      where: { id: sessionID, accountID, meetingID },
      lock: { mode: 'pessimistic_read' },
    });
    if (!row) throw new ServiceError('not_found', 'There is no such source session in this room.');
    if (row.state !== 'active' || row.nodeID === null || row.nodeEpoch === null) throw notActive(row);
    return toSource(row, row.nodeID, row.nodeEpoch);
  }
}

function toSource({ id, meetingID, tracks }: ExternalSession, nodeID: string, nodeEpoch: number): Source {
  const kinds = tracks.filter(track => track.state !== 'ended').map(track => track.kind);
  return { sessionID: id, meetingID, kinds, nodeID, nodeEpoch };
}

function notActive({ state }: ExternalSession): ServiceError {
  if (state === 'pending') return new ServiceError('source_not_active', 'The source session is not active yet.');
  return new ServiceError('session_ended', 'The source session has ended. Choose a session that is active.');
}
