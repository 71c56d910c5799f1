import type { ExternalSessionState, HealthCode, MediaKind, SessionTrack } from '@rtms/contracts';
import { Column, Entity } from 'typeorm';
import { MediaResource } from '../media/media-resource.entity.js';
import type { IngestProtocol } from './dto/create-external-session.dto.js';

@Entity('external_sessions')
export class ExternalSession extends MediaResource {
  @Column('text')
  participantID!: string;

  @Column('text')
  displayName!: string;

  @Column('text')
  protocol!: IngestProtocol;

  @Column('jsonb')
  requestedTracks!: MediaKind[];

  @Column('text')
  state!: ExternalSessionState;

  @Column('jsonb')
  tracks!: SessionTrack[];

  @Column('jsonb')
  health!: HealthCode[];

  @Column('double precision', { nullable: true })
  keyframeIntervalSeconds!: number | null;

  /** Of the caller who ended it. */
  @Column('text', { nullable: true })
  reason!: string | null;
}
