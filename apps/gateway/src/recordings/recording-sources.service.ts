import { Injectable } from '@nestjs/common';
import { ServiceError, type MediaKind } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import { SessionSources } from '../external-sessions/session-sources.service.js';
import { Participant } from '../participants/participant.entity.js';
import { RoomMediaPlace } from '../room-media/room-media.entity.js';
import type { Recording } from './recording.entity.js';

/** What is recorded, where it is now. */
export interface RecordingSource {
  sourceID: string;
  kinds: MediaKind[];
  nodeID: string;
}

/** `away`: it may come back. */
interface Whereabouts {
  standing: 'sending' | 'away' | 'gone';
  nodeID?: string;
}

type SourceColumns = Pick<Recording, 'accountID' | 'meetingID' | 'sourceSessionID' | 'sourceParticipantID'>;

/** External sessions and members as sources of recordings. */
@Injectable()
export class RecordingSources {
  constructor(private readonly sessions: SessionSources) {}

  /** Throws unless it sends something now. */
  async require(manager: EntityManager, row: SourceColumns): Promise<RecordingSource> {
    const { accountID, meetingID, sourceSessionID, sourceParticipantID } = row;
    if (sourceSessionID !== null) {
      const source = await this.sessions.requireActive(manager, { accountID, meetingID, sessionID: sourceSessionID });
      return { sourceID: sourceSessionID, kinds: source.kinds, nodeID: source.nodeID };
    }
    return this.requireMember(manager, { accountID, meetingID, id: sourceParticipantID ?? '' });
  }

  /** Where it stands, and on which SFU node it sends. Needs no transaction: nothing is kept from changing. */
  async locate(manager: EntityManager, row: SourceColumns): Promise<Whereabouts> {
    if (row.sourceSessionID === null) return this.locateMember(manager, row);
    // A session ends its recordings itself.
    const source = await this.sessions.find(manager, row.sourceSessionID);
    return source?.isActive ? { standing: 'sending', nodeID: source.nodeID } : { standing: 'away' };
  }

  private async locateMember(manager: EntityManager, row: SourceColumns): Promise<Whereabouts> {
    try {
      return { standing: 'sending', nodeID: (await this.require(manager, row)).nodeID };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { standing: (await this.isGone(manager, row)) ? 'gone' : 'away' };
    }
  }

  /** Members who left come back as somebody else. */
  private async isGone(manager: EntityManager, { sourceParticipantID }: SourceColumns): Promise<boolean> {
    return !(await manager.existsBy(Participant, { id: sourceParticipantID ?? '', state: 'joined' }));
  }

  private async requireMember(
    manager: EntityManager,
    where: { accountID: string; meetingID: string; id: string },
  ): Promise<RecordingSource> {
    const member = await manager.findOneBy(Participant, { ...where, kind: 'member' });
    if (!member) throw new ServiceError('not_found', 'There is no such participant in this room.');
    const kinds = [...new Set(member.tracks.map(track => track.kind))];
    const place = await manager.findOneBy(RoomMediaPlace, { meetingID: where.meetingID });
    if (member.state !== 'joined' || kinds.length === 0 || !place) {
      throw new ServiceError('source_not_active', 'The participant sends nothing right now.');
    }
    return { sourceID: member.id, kinds, nodeID: place.nodeID };
  }
}
