import {
  baseUrlVariable,
  busConfig,
  busVariables,
  checkPairs,
  connectionBounds,
  connectionVariables,
  databaseUrl,
  databaseVariables,
  httpPortVariable,
  loadConfig,
  portVariable,
  trustedProxiesVariable,
  z,
  type BusConfig,
  type ConnectionBounds,
  tlsFiles,
  tlsVariables,
  type Environment,
  type TlsFiles,
} from '@rtms/config';
import type { StreamStorage } from '@rtms/bus';
import { accountLimitsOf, accountLimitVariables, type AccountLimitValues } from './accounts/limits/account-limits.js';
import { defaultSignInLimits, type SignInLimits } from './accounts/sign-in/sign-in-limits.js';
import { allowedAddressesVariable } from './media/nodes/allowed-addresses.js';
import type { NodeAddresses } from './media/nodes/lease-reader.js';
import {
  retentionOf,
  retentionVariables,
  usageOutlivesRooms,
  type RetentionPeriods,
} from './admin/retention/retention-periods.js';
import { defaultRateLimits, type RateLimitsConfig } from './platform/limits/rate-limit-policy.js';

/** 32 bytes in base64. */
export const secretKeyVariable = z
  .base64({ error: 'must be 32 bytes in base64' })
  .transform(text => Buffer.from(text, 'base64'))
  .refine(bytes => bytes.length === 32, { error: 'must be 32 bytes in base64' });

/** Such keys with commas between them. */
export const previousSecretKeysVariable = z
  .string()
  .default('')
  .transform(text => text.split(',').map(each => each.trim()))
  .transform(texts => texts.filter(each => each !== ''))
  .pipe(z.array(secretKeyVariable));

/** A number of requests; 0 is no limit. */
const quota = z.coerce.number({ error: 'must be a number of requests' }).int().min(0);

/** How NATS keeps what the gateway makes there. */
const storageVariables = {
  NATS_REPLICAS: z.coerce
    .number()
    .refine(count => [1, 3, 5].includes(count), { error: 'must be 1, 3 or 5' })
    .optional(),
  NATS_STREAM_MAX_BYTES: z.coerce
    .number({ error: 'must be a number of bytes' })
    .int()
    .min(1024 ** 2, { error: 'must be at least 1048576' })
    .default(1024 ** 3),
  NATS_STREAM_MAX_AGE_HOURS: z.coerce.number({ error: 'must be a number of hours' }).min(1).default(168),
};

const attempts = z.coerce.number({ error: 'must be a number of attempts' }).int().min(1);

export const variables = z.object({
  ...databaseVariables,
  ...busVariables,
  ...storageVariables,
  ...tlsVariables,
  ...connectionVariables,
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: httpPortVariable.default(4000),
  MANAGEMENT_PORT: portVariable.optional(),
  PUBLIC_URL: baseUrlVariable.optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  RTMS_NODE_ID: z.string().min(1).default('gateway-1'),
  RTMS_SECRET_KEY: secretKeyVariable,
  RTMS_PREVIOUS_SECRET_KEYS: previousSecretKeysVariable,
  RTMS_ADMIN_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }),
  DRAIN_SECONDS: z.coerce.number().min(0).default(5),
  RTMS_PREVIOUS_ADMIN_TOKEN: z.string().default(''),
  GRACE_SECONDS: z.coerce.number().min(0).default(30),
  TOKEN_TTL_SECONDS: z.coerce.number().int().min(1).default(300),
  REPAIRS_PER_ACCOUNT: z.coerce.number({ error: 'must be a number of sessions' }).int().min(0).optional(),
  RECONCILE_SECONDS: z.coerce.number().positive().default(10),
  SWEEP_SECONDS: z.coerce.number().positive().default(1),
  RATE_LIMIT_WINDOW_SECONDS: z.coerce.number().int().min(1).default(defaultRateLimits.windowSeconds),
  RATE_LIMIT_KEY_READS: quota.default(defaultRateLimits.keyReads),
  RATE_LIMIT_KEY_WRITES: quota.default(defaultRateLimits.keyWrites),
  RATE_LIMIT_ADDRESS_READS: quota.default(defaultRateLimits.addressReads),
  RATE_LIMIT_ADDRESS_WRITES: quota.default(defaultRateLimits.addressWrites),
  RATE_LIMIT_ADDRESS_HANDSHAKES: quota.default(defaultRateLimits.addressHandshakes),
  SIGN_IN_WINDOW_SECONDS: z.coerce.number().int().min(1).default(defaultSignInLimits.windowSeconds),
  SIGN_IN_ATTEMPTS_ADDRESS: attempts.default(defaultSignInLimits.perAddress),
  SIGN_IN_ATTEMPTS_EMAIL: attempts.default(defaultSignInLimits.perEmail),
  MEDIA_NODE_ADDRESSES: allowedAddressesVariable,
  MEDIA_NODE_INTERNAL_ADDRESSES: allowedAddressesVariable,
  WEBHOOK_INSECURE_TARGETS: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
  RESTREAM_PRIVATE_TARGETS: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
  DASHBOARD_DIR: z.string().min(1).optional(),
  TRUSTED_PROXIES: trustedProxiesVariable,
  ...retentionVariables,
  ...accountLimitVariables,
});

const environment = variables.refine(usageOutlivesRooms, {
  path: ['RETENTION_DAYS_USAGE'],
  error: 'must be 0 or at least RETENTION_DAYS_ROOMS',
});

/** Everything that the gateway can be told from outside, checked once at start. */
export interface GatewayConfig {
  databaseUrl: string;
  bus: BusConfig & { storage?: StreamStorage };
  /** Speaks HTTPS where it is there. */
  tls?: TlsFiles | undefined;
  host: string;
  port: number;
  /** Where `/metrics` is answered, and nowhere else; default: `port`. */
  managementPort?: number;
  /** Base address that applications use; no trailing slash. */
  publicUrl: string;
  logLevel: string;
  nodeID: string;
  /** 32 bytes; every key that the gateway works with is derived from it, see `deriveKey`. */
  secretKey: Buffer;
  /** Under which older things may still be encrypted; see `SecretVault`. */
  previousSecretKeys?: readonly Buffer[];
  adminToken: string;
  /** Taken beside it, while one takes over from the other. */
  previousAdminToken?: string;
  /** How long it goes on answering after it said that it is no longer ready; default 5. */
  drainSeconds?: number;
  /** How long a lost publisher, viewer or node may take to come back. */
  graceSeconds: number;
  tokenTtlSeconds: number;
  /** Between two comparisons of the database with the nodes. */
  reconcileSeconds: number;
  /** Between two looks for grace times and rooms that are over. */
  sweepSeconds: number;
  /** Of the HTTP port; default: no limits. */
  connections?: ConnectionBounds;
  /** Default: `defaultRateLimits`. */
  rateLimits?: RateLimitsConfig;
  /** Addresses and networks of the proxies whose `X-Forwarded-For` is believed. */
  trustedProxies?: readonly string[];
  /** How long a media node counts as alive after it was last heard; default: the contract's. */
  leaseTtlSeconds?: number;
  /** Between two charges of what runs; default 60. */
  meteringSeconds?: number;
  /** How long a media node has for a command; default 5. */
  commandSeconds?: number;
  /** The addresses that media nodes may announce; default: any. */
  nodeAddresses?: NodeAddresses;
  /** Default: `defaultSignInLimits`. */
  signInLimits?: SignInLimits;
  /** Default: `defaultRetention`. */
  retention?: RetentionPeriods;
  /** Of accounts for which an administrator has set no others; default: `defaultAccountLimits`. */
  accountLimits?: Partial<AccountLimitValues>;
  /** Sessions of an account whose B-frames are removed at a time; default: `defaultRepairsPerAccount`. */
  repairsPerAccount?: number;
  /** Whether webhooks may have http and private addresses, for development; default: false. */
  insecureWebhooks?: boolean;
  /** Whether restreams, SRT calls and images of slates may use private addresses, also by http; default: false. */
  privateRestreamTargets?: boolean;
  /** Of the built dashboard; default: where the build puts it. */
  dashboardFolder?: string;
}

export const GATEWAY_CONFIG = Symbol('GatewayConfig');

export function loadGatewayConfig(source?: Environment): GatewayConfig {
  const env = loadConfig(environment.superRefine(checkPairs), source);
  return {
    databaseUrl: databaseUrl(env),
    bus: { ...busConfig(env), storage: storage(env) },
    tls: tlsFiles(env),
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL ?? `${env.TLS_CERT_FILE ? 'https' : 'http'}://${env.HOST}:${env.PORT}`,
    logLevel: env.LOG_LEVEL,
    nodeID: env.RTMS_NODE_ID,
    secretKey: env.RTMS_SECRET_KEY,
    previousSecretKeys: env.RTMS_PREVIOUS_SECRET_KEYS,
    adminToken: env.RTMS_ADMIN_TOKEN,
    drainSeconds: env.DRAIN_SECONDS,
    ...(env.RTMS_PREVIOUS_ADMIN_TOKEN !== '' && { previousAdminToken: env.RTMS_PREVIOUS_ADMIN_TOKEN }),
    retention: retentionOf(env),
    accountLimits: accountLimitsOf(env),
    graceSeconds: env.GRACE_SECONDS,
    tokenTtlSeconds: env.TOKEN_TTL_SECONDS,
    reconcileSeconds: env.RECONCILE_SECONDS,
    sweepSeconds: env.SWEEP_SECONDS,
    connections: connectionBounds(env),
    rateLimits: rateLimits(env),
    signInLimits: signInLimits(env),
    nodeAddresses: { public: env.MEDIA_NODE_ADDRESSES, internal: env.MEDIA_NODE_INTERNAL_ADDRESSES },
    insecureWebhooks: env.WEBHOOK_INSECURE_TARGETS === 'true',
    privateRestreamTargets: env.RESTREAM_PRIVATE_TARGETS === 'true',
    ...(env.REPAIRS_PER_ACCOUNT !== undefined && { repairsPerAccount: env.REPAIRS_PER_ACCOUNT }),
    ...(env.DASHBOARD_DIR !== undefined && { dashboardFolder: env.DASHBOARD_DIR }),
    ...(env.MANAGEMENT_PORT !== undefined && { managementPort: env.MANAGEMENT_PORT }),
    trustedProxies: env.TRUSTED_PROXIES,
  };
}

function storage(env: z.output<typeof environment>): StreamStorage {
  return {
    replicas: env.NATS_REPLICAS,
    maxBytes: env.NATS_STREAM_MAX_BYTES,
    maxAgeMs: env.NATS_STREAM_MAX_AGE_HOURS * 3_600_000,
  };
}

function rateLimits(env: z.output<typeof environment>): RateLimitsConfig {
  return {
    windowSeconds: env.RATE_LIMIT_WINDOW_SECONDS,
    keyReads: env.RATE_LIMIT_KEY_READS,
    keyWrites: env.RATE_LIMIT_KEY_WRITES,
    addressReads: env.RATE_LIMIT_ADDRESS_READS,
    addressWrites: env.RATE_LIMIT_ADDRESS_WRITES,
    addressHandshakes: env.RATE_LIMIT_ADDRESS_HANDSHAKES,
  };
}

function signInLimits(env: z.output<typeof environment>): SignInLimits {
  return {
    perAddress: env.SIGN_IN_ATTEMPTS_ADDRESS,
    perEmail: env.SIGN_IN_ATTEMPTS_EMAIL,
    windowSeconds: env.SIGN_IN_WINDOW_SECONDS,
  };
}
