import { z } from '@rtms/config';

/** Days after which what is over is deleted; 0 keeps it for ever. */
export interface RetentionPeriods {
  /** Deleted accounts with all that they have. */
  accounts: number;
  /** Ended rooms with all that was in them. */
  rooms: number;
  messages: number;
  calls: number;
  /** Settled intervals of the ledger of minutes. */
  usage: number;
  /** Keys that expired or were revoked. */
  keys: number;
  /** The memory of ids that were deleted, by which a repeated deletion succeeds. */
  deletedRecords: number;
  /** Entries of the audit log. */
  audit: number;
}

export const defaultRetention: RetentionPeriods = {
  accounts: 30,
  rooms: 365,
  messages: 365,
  calls: 365,
  usage: 730,
  keys: 365,
  deletedRecords: 90,
  audit: 365,
};

const days = z.coerce.number({ error: 'must be a number of days' }).int().min(0).max(36_500);

/** Of the environment. */
export const retentionVariables = {
  RETENTION_DAYS_ACCOUNTS: days.default(defaultRetention.accounts),
  RETENTION_DAYS_ROOMS: days.default(defaultRetention.rooms),
  RETENTION_DAYS_MESSAGES: days.default(defaultRetention.messages),
  RETENTION_DAYS_CALLS: days.default(defaultRetention.calls),
  RETENTION_DAYS_USAGE: days.default(defaultRetention.usage),
  RETENTION_DAYS_KEYS: days.default(defaultRetention.keys),
  RETENTION_DAYS_DELETED_RECORDS: days.default(defaultRetention.deletedRecords),
  RETENTION_DAYS_AUDIT: days.default(defaultRetention.audit),
};

type RetentionEnvironment = Record<keyof typeof retentionVariables, number>;

export function retentionOf(env: RetentionEnvironment): RetentionPeriods {
  return {
    accounts: env.RETENTION_DAYS_ACCOUNTS,
    rooms: env.RETENTION_DAYS_ROOMS,
    messages: env.RETENTION_DAYS_MESSAGES,
    calls: env.RETENTION_DAYS_CALLS,
    usage: env.RETENTION_DAYS_USAGE,
    keys: env.RETENTION_DAYS_KEYS,
    deletedRecords: env.RETENTION_DAYS_DELETED_RECORDS,
    audit: env.RETENTION_DAYS_AUDIT,
  };
}

/** A room without its minutes would show that nobody was in it. */
export function usageOutlivesRooms({
  RETENTION_DAYS_ROOMS: rooms,
  RETENTION_DAYS_USAGE: usage,
}: RetentionEnvironment): boolean {
  return usage === 0 || (rooms !== 0 && rooms <= usage);
}
