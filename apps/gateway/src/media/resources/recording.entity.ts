import {
  recordingTransitions,
  type ComposedRoom,
  type MediaKind,
  type RecordedSpan,
  type RecordingState,
  type RecordingStorage,
} from '@rtms/contracts';
import { Column, Entity } from 'typeorm';
import type { KeyType } from '../../platform/auth/caller.js';
import type { RoomComposition } from './composition-of.js';
import { bigintAsNumber, MediaResource } from './media-resource.entity.js';

export const recordingStates = Object.keys(recordingTransitions) as [RecordingState, ...RecordingState[]];

/**
 * A recording that one start of a transcoder makes. `graceUntil`: after the node is lost, another transcoder may record
 * the source until then.
 */
@Entity('recordings')
export class Recording extends MediaResource {
  /** The environment of the room. */
  @Column('text')
  keyType!: KeyType;

  @Column('text', { nullable: true })
  sourceSessionID!: string | null;

  @Column('text', { nullable: true })
  sourceParticipantID!: string | null;

  /** null: the recording has one source. */
  @Column('jsonb', { nullable: true })
  composition!: RoomComposition | null;

  /** The room as the transcoder has it. */
  @Column('jsonb', { nullable: true })
  composed!: ComposedRoom | null;

  @Column('text')
  state!: RecordingState;

  @Column('jsonb')
  tracks!: MediaKind[];

  @Column('integer')
  maxDurationSeconds!: number;

  /** The source may be lost and come back this often. */
  @Column('integer')
  pausesLimit!: number;

  @Column('integer')
  pauseCount!: number;

  @Column('integer')
  retentionDays!: number;

  /** The file will also be stored as HLS; when the recording is `ready`: it is. */
  @Column('boolean')
  addHLS!: boolean;

  /** The recording that this one continues. */
  @Column('text', { nullable: true })
  previousRecordingID!: string | null;

  /** The recordings whose files are composed. null: a transcoder records media as it comes. */
  @Column('jsonb', { nullable: true })
  sourceRecordingIDs!: string[] | null;

  /** The duration of the media in the file. */
  @Column('double precision', { nullable: true })
  durationSeconds!: number | null;

  /** null: there is no file. */
  @Column('text', { nullable: true })
  storage!: RecordingStorage | null;

  /** The time at which the file is deleted. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column('bigint', { nullable: true, transformer: bigintAsNumber })
  sizeBytes!: number | null;

  @Column('text', { nullable: true })
  format!: string | null;

  @Column('integer', { nullable: true })
  width!: number | null;

  @Column('integer', { nullable: true })
  height!: number | null;

  @Column('text', { nullable: true })
  checksumSha256!: string | null;

  /** When the media of the file was recorded. null: there is no file, or its transcoder is older. */
  @Column('jsonb', { nullable: true })
  spans!: RecordedSpan[] | null;
}

/** The columns of a recording without a file. */
export const noFile = {
  storage: null,
  expiresAt: null,
  sizeBytes: null,
  format: null,
  width: null,
  height: null,
  checksumSha256: null,
  spans: null,
} satisfies Partial<Recording>;
