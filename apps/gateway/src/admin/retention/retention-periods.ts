import { z } from '@rtms/config';

/** Days after which data is deleted, unless the environment says otherwise. 0 keeps the data for ever. */
export const defaultRetention = {
  /** Deleted accounts with all their data. */
  accounts: 30,
  /** Ended rooms with all their data. */
  rooms: 365,
  messages: 365,
  calls: 365,
  /** Settled intervals of the ledger of minutes. */
  usage: 730,
  /** Keys that expired or were revoked. */
  keys: 365,
  /** Identifiers of deleted records, with which a repeated deletion succeeds. */
  deletedRecords: 90,
  /** Entries of the audit log. */
  audit: 365,
  /** The event logs of accounts. */
  events: 30,
  /** Finished deliveries of webhooks. */
  webhookDeliveries: 14,
};

type RetentionPeriod = keyof typeof defaultRetention;
export type RetentionPeriods = Record<RetentionPeriod, number>;

const variables = {
  accounts: 'RETENTION_DAYS_ACCOUNTS',
  rooms: 'RETENTION_DAYS_ROOMS',
  messages: 'RETENTION_DAYS_MESSAGES',
  calls: 'RETENTION_DAYS_CALLS',
  usage: 'RETENTION_DAYS_USAGE',
  keys: 'RETENTION_DAYS_KEYS',
  deletedRecords: 'RETENTION_DAYS_DELETED_RECORDS',
  audit: 'RETENTION_DAYS_AUDIT',
  events: 'RETENTION_DAYS_EVENTS',
  webhookDeliveries: 'RETENTION_DAYS_WEBHOOK_DELIVERIES',
} as const satisfies Record<RetentionPeriod, string>;
const periods = Object.keys(variables) as RetentionPeriod[];

type Variable = (typeof variables)[RetentionPeriod];

const days = z.coerce.number({ error: 'must be a number of days' }).int().min(0).max(36_500);

/** The variables of the environment. */
export const retentionVariables = Object.fromEntries(
  periods.map(period => [variables[period], days.default(defaultRetention[period])]),
) as Record<Variable, z.ZodDefault<typeof days>>;

export function retentionOf(env: Record<Variable, number>): RetentionPeriods {
  return Object.fromEntries(periods.map(period => [period, env[variables[period]]])) as RetentionPeriods;
}

/** A room that outlives its usage would show that nobody was in it. */
export function usageOutlivesRooms(env: Record<Variable, number>): boolean {
  const { usage, rooms } = retentionOf(env);
  return usage === 0 || (rooms !== 0 && rooms <= usage);
}
