import { z } from '@rtms/config';
import { count } from '../../platform/http/answers.js';

interface LimitDescription {
  /** The value of the plan, unless the environment sets another value. */
  default: number;
  /** The highest value that an administrator may set. */
  max: number;
  /** Variable of the environment that sets the plan's value. */
  variable: `LIMIT_${string}`;
  /** Completes error messages and the API reference: `Greatest number of …`. */
  meaning: string;
}

/** The limits of an account. An administrator can change each limit for one account. */
export const accountLimits = {
  activeRooms: {
    default: 1_000,
    max: 1_000_000,
    variable: 'LIMIT_ACTIVE_ROOMS',
    meaning: 'active rooms at a time',
  },
  keys: {
    default: 200,
    max: 100_000,
    variable: 'LIMIT_KEYS',
    meaning: 'valid disposable keys and keys of sub-users',
  },
  users: {
    default: 50,
    max: 10_000,
    variable: 'LIMIT_USERS',
    meaning: 'dashboard users and open invitations',
  },
  webhooks: {
    default: 20,
    max: 1_000,
    variable: 'LIMIT_WEBHOOKS',
    meaning: 'webhooks',
  },
  sessionsPerRoom: {
    default: 16,
    max: 10_000,
    variable: 'LIMIT_SESSIONS_PER_ROOM',
    meaning: 'external sessions of one room at a time',
  },
  sessionsPerAccount: {
    default: 1_000,
    max: 1_000_000,
    variable: 'LIMIT_SESSIONS_PER_ACCOUNT',
    meaning: 'external sessions of the account at a time',
  },
  /** Below `MAX_ENCODERS` of an ingest node, and below its `SRT_PORTS`, so that one account never fills a node alone. */
  encoderPlaces: {
    default: 10,
    max: 100_000,
    variable: 'LIMIT_ENCODER_PLACES',
    meaning: 'places of sessions of SRT, RTMP and RTMPS at a time (three with webrtcRenditions)',
  },
  viewersPerPlayback: {
    default: 500,
    max: 1_000_000,
    variable: 'LIMIT_VIEWERS_PER_PLAYBACK',
    meaning: 'viewers of one playback at a time',
  },
  viewersPerAccount: {
    default: 5_000,
    max: 1_000_000,
    variable: 'LIMIT_VIEWERS_PER_ACCOUNT',
    meaning: 'viewers of all playbacks of the account at a time',
  },
  restreamsPerSession: {
    default: 10,
    max: 1_000,
    variable: 'LIMIT_RESTREAMS_PER_SESSION',
    meaning: 'restreams of one external session or broadcast at a time',
  },
  restreamsPerAccount: {
    default: 100,
    max: 100_000,
    variable: 'LIMIT_RESTREAMS_PER_ACCOUNT',
    meaning: 'restreams of the account at a time',
  },
  compositionsPerAccount: {
    default: 10,
    max: 100_000,
    variable: 'LIMIT_COMPOSITIONS_PER_ACCOUNT',
    meaning: 'recordings and broadcasts of whole rooms at a time',
  },
  sourcePixels: {
    default: 3_840 * 2_160,
    max: 100_000_000,
    variable: 'LIMIT_SOURCE_PIXELS',
    meaning: 'pixels of a picture that is encoded for a broadcast or a recording',
  },
  sourcePixelsPerSecond: {
    default: 1_920 * 1_080 * 60,
    max: 2_000_000_000,
    variable: 'LIMIT_SOURCE_PIXELS_PER_SECOND',
    meaning: 'pixels a second that are encoded for a broadcast or a recording',
  },
} as const satisfies Record<string, LimitDescription>;

export type AccountLimit = keyof typeof accountLimits;
export const accountLimitNames = Object.keys(accountLimits) as AccountLimit[];

export type AccountLimitValues = Record<AccountLimit, number>;

export function forEachLimit<Value>(valueOf: (name: AccountLimit) => Value): Record<AccountLimit, Value> {
  return Object.fromEntries(accountLimitNames.map(name => [name, valueOf(name)])) as Record<AccountLimit, Value>;
}

export const defaultAccountLimits: AccountLimitValues = forEachLimit(name => accountLimits[name].default);

type LimitVariable = (typeof accountLimits)[AccountLimit]['variable'];

/** The variables of the environment that set the limits of the plan. */
export const accountLimitVariables = Object.fromEntries(
  accountLimitNames.map(name => {
    const { variable, max, default: value } = accountLimits[name];
    const error = `must be a whole number from 0 to ${max}`;
    return [variable, z.coerce.number({ error }).int({ error }).min(0, { error }).max(max, { error }).default(value)];
  }),
) as Record<LimitVariable, z.ZodDefault<z.ZodCoercedNumber>>;

export function accountLimitsOf(env: Record<LimitVariable, number>): AccountLimitValues {
  return forEachLimit(name => env[accountLimits[name].variable]);
}

function limitState(name: AccountLimit) {
  return z
    .object({
      value: count.describe('The limit of the account.'),
      default: count.describe('The default of the platform.'),
    })
    .describe(`Greatest number of ${accountLimits[name].meaning}.`);
}

/** The limits of an account as administrators see them. */
export const limitStatesSchema = z.object(forEachLimit(limitState)).meta({
  id: 'AccountLimits',
  description: 'Each limit with its value for the account, and the default of the plan.',
});
export type LimitStates = z.infer<typeof limitStatesSchema>;

export function presentLimits(values: AccountLimitValues, defaults: AccountLimitValues): LimitStates {
  return forEachLimit(name => ({ value: values[name], default: defaults[name] }));
}
