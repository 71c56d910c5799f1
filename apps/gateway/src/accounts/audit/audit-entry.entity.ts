import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The kinds of credential that an action was done with. `platform`: the platform acted without a request. */
export const actorKinds = ['administrator', 'user', 'main', 'subUser', 'disposable', 'platform'] as const;
export type ActorKind = (typeof actorKinds)[number];

/** `unknown`: the gateway stopped before it could note the outcome. `repeated`: an idempotent POST was answered again. */
export const auditOutcomes = ['unknown', 'succeeded', 'failed', 'repeated'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** One administrative action. It has no foreign keys, so that it outlives the account and the resources that it names. */
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

  /** The email address of the user, or the API user name. */
  @Column('text', { nullable: true })
  actorName!: string | null;

  @Column('text')
  action!: string;

  /** The account of the action; null: the platform, or an account that the request does not name. */
  @Column('text', { nullable: true })
  accountID!: string | null;

  /** Identifiers and values that are not secret, by field. */
  @Column('jsonb')
  details!: Record<string, string | number | boolean>;

  /** The address of the client; empty for the platform. */
  @Column('text')
  address!: string;

  /** Empty for the platform. */
  @Column('text')
  requestID!: string;

  @Column('text')
  outcome!: AuditOutcome;

  /** The reason of a failure. */
  @Column('text', { nullable: true })
  reason!: string | null;
}
