import type { MediaKind, PayloadProfile, PlaybackState } from '@rtms/contracts';
import { Column, Entity } from 'typeorm';
import { MediaResource } from './media-resource.entity.js';

@Entity('playbacks')
export class Playback extends MediaResource {
  @Column('text')
  sourceSessionID!: string;

  @Column('jsonb')
  tracks!: MediaKind[];

  @Column('text')
  state!: PlaybackState;

  @Column('text')
  payloadMatching!: 'fixed' | 'adaptive';

  /** null until a media node has opened the playback. */
  @Column('jsonb', { nullable: true })
  payloadProfile!: PayloadProfile | null;

  @Column('integer')
  viewerCount!: number;

  /** The reason that the caller gave when it ended the playback. */
  @Column('text', { nullable: true })
  reason!: string | null;
}
