import type { BroadcastState, ComposedRoom, MediaKind, Rendition, SlateProblem } from '@rtms/contracts';
import { Column, Entity } from 'typeorm';
import type { RoomComposition } from './composition-of.js';
import { MediaResource } from './media-resource.entity.js';

@Entity('broadcasts')
export class Broadcast extends MediaResource {
  /** null: the source is a member. */
  @Column('text', { nullable: true })
  sourceSessionID!: string | null;

  /** null: the source is an external session. */
  @Column('text', { nullable: true })
  sourceParticipantID!: string | null;

  /** null: the broadcast has one source. */
  @Column('jsonb', { nullable: true })
  composition!: RoomComposition | null;

  /** The room as the transcoder has it. */
  @Column('jsonb', { nullable: true })
  composed!: ComposedRoom | null;

  /** The member's tracks in the broadcast; empty while the member sends no video. */
  @Column('jsonb')
  sourceTracks!: string[];

  @Column('jsonb')
  tracks!: MediaKind[];

  @Column('text')
  state!: BroadcastState;

  /** Seconds that viewers can seek back; 0: the window of the transcoder. */
  @Column('integer')
  dvrSeconds!: number;

  /** `low`: by low-latency HLS. */
  @Column('text')
  latency!: 'normal' | 'low';

  @Column('jsonb')
  renditions!: Rendition[];

  /** The image in place of a lost source; null: the last picture. */
  @Column('text', { nullable: true })
  slateImageUrl!: string | null;

  /** Why the image cannot be shown; null: it can, or there is none. */
  @Column('text', { nullable: true })
  slateProblem!: SlateProblem | null;

  /** The reason that the caller gave when it ended the broadcast. */
  @Column('text', { nullable: true })
  reason!: string | null;
}
