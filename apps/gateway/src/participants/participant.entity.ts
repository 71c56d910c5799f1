import type {
  EndReason,
  HealthCode,
  ParticipantRequest,
  ParticipantRole,
  RoomTrack,
  RosterEntry,
} from '@rtms/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export const participantStates = ['joined', 'left'] as const;
export type ParticipantState = (typeof participantStates)[number];

/** Somebody who was let into a room; an external session, once it was active, is one too. */
@Entity('participants')
export class Participant {
  /** Callers know it as `participantID`. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

  @Column('text')
  meetingID!: string;

  @Column('text')
  userName!: string;

  @Column('text')
  role!: ParticipantRole;

  @Column('text')
  state!: ParticipantState;

  @Column({ type: 'timestamptz', precision: 3 })
  joinedAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leftAt!: Date | null;

  @Column('text', { nullable: true })
  leaveReason!: EndReason | null;

  @Column('text')
  kind!: RosterEntry['kind'];

  /** Of an external session. */
  @Column('text', { nullable: true })
  sessionID!: string | null;

  /** The first time; who never connected is not seen by the others. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  connectedAt!: Date | null;

  /** Of the one socket that speaks for it now. */
  @Column('text', { nullable: true })
  connectionID!: string | null;

  /** The gateway process that has the connection. */
  @Column('text', { nullable: true })
  replicaID!: string | null;

  @Column('boolean')
  isConnected!: boolean;

  /** Until when a member that is not connected may come. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  graceUntil!: Date | null;

  @Column('jsonb')
  tracks!: RoomTrack[];

  /** What a host allowed it besides the settings. */
  @Column('jsonb')
  granted!: ParticipantRequest[];

  @Column('jsonb')
  requests!: ParticipantRequest[];

  @Column('text', { nullable: true })
  breakout!: string | null;

  @Column('text', { nullable: true })
  whiteboard!: RosterEntry['whiteboard'];

  @Column('jsonb')
  health!: HealthCode[];
}

type LifeColumns = Omit<
  Participant,
  'id' | 'accountID' | 'meetingID' | 'userName' | 'role' | 'state' | 'joinedAt' | 'leftAt' | 'leaveReason'
>;

/** What a new participant begins with. */
export function newLife(): LifeColumns {
  return {
    kind: 'member',
    sessionID: null,
    connectedAt: null,
    connectionID: null,
    replicaID: null,
    isConnected: false,
    graceUntil: null,
    tracks: [],
    granted: [],
    requests: [],
    breakout: null,
    whiteboard: null,
    health: [],
  };
}
