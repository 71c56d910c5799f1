import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The kinds of credential that an action was done with. */
export const actorKinds = ['administrator', 'user', 'main', 'subUser', 'disposable'] as const;
export type ActorKind = (typeof actorKinds)[number];

/** `unknown`: the gateway ended before it could note how the action went. `repeated`: an idempotent POST was answered again. */
export const auditOutcomes = ['unknown', 'succeeded', 'failed', 'repeated'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** One administrative action. It refers to nothing, so that it outlives the account and all that it names. */
@Entity('audit_entries')
export class AuditEntry {
  @PrimaryColumn('text')
  id!: string;

  /** The order of the entries; PostgreSQL numbers them. */
  @Column({ type: 'bigint', insert: false, update: false })
  number!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;

  @Column('text')
  actorKind!: ActorKind;

  /** A dashboard user or a key; null: the administrator token. */
  @Column('text', { nullable: true })
  actorID!: string | null;

  /** The e-mail address of the user, or the API user name. */
  @Column('text', { nullable: true })
  actorName!: string | null;

  @Column('text')
  action!: string;

  /** The account that the action was about; null: the platform, or one that the request does not name. */
  @Column('text', { nullable: true })
  accountID!: string | null;

  /** Identifiers and harmless values, by their field. */
  @Column('jsonb')
  details!: Record<string, string | number | boolean>;

  /** Of the client. */
  @Column('text')
  address!: string;

  @Column('text')
  requestID!: string;

  @Column('text')
  outcome!: AuditOutcome;

  /** Of a failure. */
  @Column('text', { nullable: true })
  reason!: string | null;
}
