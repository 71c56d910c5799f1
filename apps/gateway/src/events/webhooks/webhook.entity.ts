import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { KeyType } from '../../platform/auth/caller.js';
import { ChangingRow } from '../../platform/rows/own-row.js';
import type { DisabledReason } from '../deliveries/delivery-decisions.js';

export const webhookStates = ['enabled', 'disabled'] as const;
export type WebhookState = (typeof webhookStates)[number];

/** An address of an account that receives its events. */
@Entity('webhooks')
export class Webhook extends ChangingRow {
  @Column('text')
  keyType!: KeyType;

  @Column('text')
  url!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  /** Types and families such as `room.*`; empty: all types. */
  @Column('jsonb')
  eventTypes!: string[];

  @Column('bytea')
  encryptedSecret!: Buffer;

  /** Signs beside the new secret until `previousSecretUntil`. */
  @Column('bytea', { nullable: true })
  encryptedPreviousSecret!: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previousSecretUntil!: Date | null;

  @Column('text')
  state!: WebhookState;

  @Column('text', { nullable: true })
  disabledReason!: DisabledReason | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  disabledAt!: Date | null;
}

/** The changing facts of a webhook. Its lock orders all changes of the webhook's deliveries. */
@Entity('webhook_queues')
export class WebhookQueue {
  @PrimaryColumn('text')
  webhookID!: string;

  /** Deliveries that are neither delivered nor given up. */
  @Column('integer')
  pending!: number;

  /** The first failure since the last success. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failingSince!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastFailureAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastDeliveredAt!: Date | null;
}
