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
type ParticipantState = (typeof participantStates)[number];

/** A member of a room, or an external session that has been active. */
@Entity('participants')
export class Participant {
  /** `participantID` in the API. */
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

  /** Set for an external session. */
  @Column('text', { nullable: true })
  sessionID!: string | null;

  /** The time of the first connection. The others do not see a participant before it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  connectedAt!: Date | null;

  /** The socket that the participant uses now. */
  @Column('text', { nullable: true })
  connectionID!: string | null;

  /** The gateway process that holds the connection. */
  @Column('text', { nullable: true })
  replicaID!: string | null;

  @Column('boolean')
  isConnected!: boolean;

  /** A member that is not connected may connect until then. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  graceUntil!: Date | null;

  @Column('jsonb')
  tracks!: RoomTrack[];

  /** The permissions that a host gave in addition to the settings. */
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

/** The columns of a new participant. */
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
