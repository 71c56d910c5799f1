import { Injectable } from '@nestjs/common';
import { ServiceError, type MediaKind } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import { selectRows } from '../../platform/rows/plain-rows.js';
import { ExternalSession } from './external-session.entity.js';

/** A session as the source of a playback, broadcast or recording. */
export interface Source {
  sessionID: string;
  meetingID: string;
  /** The kinds of its tracks that have not ended. */
  kinds: MediaKind[];
  nodeID: string;
  nodeEpoch: number;
}

interface PlacedSource extends Source {
  isActive: boolean;
}

interface SourceQuery {
  accountID: string;
  meetingID: string;
  sessionID: string;
}

/** Finds external sessions as sources of playbacks, broadcasts and recordings. */
@Injectable()
export class SessionSourcesService {
  /** The source on its current node; undefined when no node holds it. */
  async find(manager: EntityManager, sessionID: string): Promise<PlacedSource | undefined> {
    return (await this.findAll(manager, [sessionID])).get(sessionID);
  }

  /** As `find`, by session ID. A source that no node holds is absent. */
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

  /** Throws unless the session is active. The session cannot end before this transaction ends. */
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

/** Throws when the source does not send one of the wanted kinds. */
export function requireKinds(wanted: readonly MediaKind[], sent: readonly MediaKind[]): void {
  const missing = wanted.filter(kind => !sent.includes(kind));
  if (missing.includes('video')) throw new ServiceError('source_has_no_video', 'The source session sends no video.');
  if (missing.includes('audio')) throw new ServiceError('source_not_active', 'The source session sends no audio.');
}
