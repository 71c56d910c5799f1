import type { BroadcastState, MediaKind, Rendition } from '@rtms/contracts';
import { Column, Entity } from 'typeorm';
import { MediaResource } from '../media/media-resource.entity.js';

@Entity('broadcasts')
export class Broadcast extends MediaResource {
  /** null: it is made of a member. */
  @Column('text', { nullable: true })
  sourceSessionID!: string | null;

  /** null: it is made of an external session. */
  @Column('text', { nullable: true })
  sourceParticipantID!: string | null;

  /** Of the member's tracks those that it is made of now; none while the member sends no picture. */
  @Column('jsonb')
  sourceTracks!: string[];

  @Column('jsonb')
  tracks!: MediaKind[];

  @Column('text')
  state!: BroadcastState;

  @Column('jsonb')
  renditions!: Rendition[];

  /** Of the caller who ended it. */
  @Column('text', { nullable: true })
  reason!: string | null;
}
