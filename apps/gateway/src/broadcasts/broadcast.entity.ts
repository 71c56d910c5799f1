import type { BroadcastState, MediaKind, Rendition } from '@rtms/contracts';
import { Column, Entity } from 'typeorm';
import { MediaResource } from '../media/media-resource.entity.js';

@Entity('broadcasts')
export class Broadcast extends MediaResource {
  @Column('text')
  sourceSessionID!: string;

  @Column('jsonb')
  tracks!: MediaKind[];

  @Column('text')
  state!: BroadcastState;

  @Column('jsonb')
  renditions!: Rendition[];
}
