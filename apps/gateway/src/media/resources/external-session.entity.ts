import {
  encoderProtocols,
  type ExternalSessionState,
  type HealthCode,
  type MediaKind,
  type SessionTrack,
} from '@rtms/contracts';
import { Column, Entity } from 'typeorm';
import type { SessionEvent } from './session-events.js';
import { MediaResource } from './media-resource.entity.js';

export const ingestProtocols = ['whip', 'service-webrtc', ...encoderProtocols] as const;
type IngestProtocol = (typeof ingestProtocols)[number];

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

  /** The ingest node encodes smaller pictures too. */
  @Column('boolean')
  webrtcRenditions!: boolean;

  @Column('text')
  state!: ExternalSessionState;

  @Column('jsonb')
  tracks!: SessionTrack[];

  @Column('jsonb')
  health!: HealthCode[];

  @Column('double precision', { nullable: true })
  keyframeIntervalSeconds!: number | null;

  @Column('jsonb')
  events!: SessionEvent[];

  /** The reason that the caller gave when it ended the session. */
  @Column('text', { nullable: true })
  reason!: string | null;
}
