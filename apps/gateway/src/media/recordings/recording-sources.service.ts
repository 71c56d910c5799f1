import { Injectable } from '@nestjs/common';
import { ServiceError, type MediaKind } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import { SessionSourcesService } from '../resources/session-sources.service.js';
import { ParticipantsService } from '../../rooms/records/participants.service.js';
import { RoomMediaPlace } from '../resources/media-resource.entity.js';
import type { Recording } from '../resources/recording.entity.js';

/** The source of a recording, and its node. */
export interface RecordingSource {
  sourceID: string;
  kinds: MediaKind[];
  nodeID: string;
}

/** `away`: the source may come back. */
interface Whereabouts {
  standing: 'sending' | 'away' | 'gone';
  nodeID?: string;
}

type SourceColumns = Pick<Recording, 'accountID' | 'meetingID' | 'sourceSessionID' | 'sourceParticipantID'>;

/** Finds external sessions and members as sources of recordings. */
@Injectable()
export class RecordingSourcesService {
  constructor(
    private readonly sessions: SessionSourcesService,
    private readonly participants: ParticipantsService,
  ) {}

  /** Throws unless the source sends media now. */
  async require(manager: EntityManager, row: SourceColumns): Promise<RecordingSource> {
    const { accountID, meetingID, sourceSessionID, sourceParticipantID } = row;
    if (sourceSessionID !== null) {
      const source = await this.sessions.requireActive(manager, { accountID, meetingID, sessionID: sourceSessionID });
      return { sourceID: sourceSessionID, kinds: source.kinds, nodeID: source.nodeID };
    }
    return this.requireMember(manager, { accountID, meetingID, id: sourceParticipantID ?? '' });
  }

  /** The state of the source, and its SFU node. Takes no locks. */
  async locate(manager: EntityManager, row: SourceColumns): Promise<Whereabouts> {
    if (row.sourceSessionID === null) return this.locateMember(manager, row);
    // The end of a session also ends its recordings, so a session is never `gone` here.
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

  /** A member who left never comes back with the same ID. */
  private async isGone(manager: EntityManager, { sourceParticipantID }: SourceColumns): Promise<boolean> {
    return (await this.participants.findJoined(sourceParticipantID ?? '', manager)) === null;
  }

  private async requireMember(
    manager: EntityManager,
    where: { accountID: string; meetingID: string; id: string },
  ): Promise<RecordingSource> {
    const member = await this.participants.requireMember(manager, where);
    const kinds = [...new Set(member.tracks.map(track => track.kind))];
    const place = await manager.findOneBy(RoomMediaPlace, { meetingID: where.meetingID });
    if (member.state !== 'joined' || kinds.length === 0 || !place) {
      throw new ServiceError('source_not_active', 'The participant sends nothing right now.');
    }
    return { sourceID: member.id, kinds, nodeID: place.nodeID };
  }
}
