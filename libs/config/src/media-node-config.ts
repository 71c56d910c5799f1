import { hostname } from 'node:os';
import { z } from 'zod';
import { baseUrlVariable, httpPortVariable, portVariable } from './addresses.js';
import { busConfig, busVariables, localBus, type BusConfig } from './bus-config.js';

/** Configuration that the SFU and the transcoder share. */
export interface MediaNodeConfig {
  nodeID: string;
  host: string;
  port: number;
  /** The only port that serves `/metrics`; default: `port`. */
  managementPort?: number | undefined;
  /** Base URL for publishers, viewers and players; no trailing slash. */
  publicUrl: string;
  /** Base URL for other nodes; no trailing slash. */
  internalUrl: string;
  bus: BusConfig;
  /** If present, the node serves HTTPS. */
  tls?: TlsFiles | undefined;
  limits: ClientLimits;
  /** Seconds that running work may continue while the node drains. */
  drainSeconds: number;
  logLevel: string;
}

/** Limits of connections to a service's HTTP port; 0: unlimited. */
export interface ConnectionBounds {
  maxConnections: number;
  maxConnectionsPerAddress: number;
}

/** Limits of clients of a node's HTTP port; 0: unlimited. */
export interface ClientLimits extends ConnectionBounds {
  windowSeconds: number;
  /** Requests of one client address in a window. */
  addressReads: number;
  addressWrites: number;
  /** Addresses and networks in the format of Express's `trust proxy`. */
  trustedProxies: string[];
}

const limit = z.coerce.number().int().min(0);

export const trustedProxiesVariable = z
  .string()
  .default('')
  .transform(list =>
    list
      .split(',')
      .map(each => each.trim())
      .filter(each => each !== ''),
  );

/** Environment variables for connection limits, for a zod schema. */
export const connectionVariables = {
  MAX_CONNECTIONS: limit.default(20_000),
  MAX_CONNECTIONS_PER_ADDRESS: limit.default(2_000),
};

export function connectionBounds(env: z.output<z.ZodObject<typeof connectionVariables>>): ConnectionBounds {
  return { maxConnections: env.MAX_CONNECTIONS, maxConnectionsPerAddress: env.MAX_CONNECTIONS_PER_ADDRESS };
}

/** The node ID is a token of NATS subjects, so it must not contain dots or blanks. */
const nodeID = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ -');

/** PEM files of a listener: the certificate with its intermediate CAs, and the key. */
export interface TlsFiles {
  certFile: string;
  keyFile: string;
}

/** Environment variables of every HTTPS listener, for a zod schema. */
export const tlsVariables = {
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
};

export function tlsFiles(env: z.output<z.ZodObject<typeof tlsVariables>>): TlsFiles | undefined {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = env;
  return certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined;
}

/** A day. */
const longestDrainSeconds = 86_400;

/** Environment variables of every media node, for a zod schema. */
export const mediaNodeVariables = {
  RTMS_NODE_ID: nodeID.optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: httpPortVariable.optional(),
  MANAGEMENT_PORT: portVariable.optional(),
  PUBLIC_URL: baseUrlVariable.optional(),
  INTERNAL_URL: baseUrlVariable.optional(),
  ...connectionVariables,
  RATE_LIMIT_WINDOW_SECONDS: z.coerce.number().int().min(1).default(60),
  RATE_LIMIT_ADDRESS_READS: limit.default(600_000),
  RATE_LIMIT_ADDRESS_WRITES: limit.default(12_000),
  TRUSTED_PROXIES: trustedProxiesVariable,
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(longestDrainSeconds).default(1_800),
  ...busVariables,
  ...tlsVariables,
  NATS_URL: busVariables.NATS_URL.default(localBus),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
};

type MediaNodeEnvironment = z.output<z.ZodObject<typeof mediaNodeVariables>>;

export function mediaNodeConfig(
  env: MediaNodeEnvironment,
  { service, defaultPort }: { service: string; defaultPort: number },
): MediaNodeConfig {
  const port = env.PORT ?? defaultPort;
  const tls = tlsFiles(env);
  const publicUrl = env.PUBLIC_URL ?? `${tls ? 'https' : 'http'}://${env.HOST}:${port}`;
  return {
    nodeID: env.RTMS_NODE_ID ?? `${service}-${hostname()}`.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 64),
    host: env.HOST,
    port,
    managementPort: env.MANAGEMENT_PORT,
    publicUrl,
    internalUrl: env.INTERNAL_URL ?? publicUrl,
    bus: busConfig(env),
    tls,
    limits: {
      ...connectionBounds(env),
      windowSeconds: env.RATE_LIMIT_WINDOW_SECONDS,
      addressReads: env.RATE_LIMIT_ADDRESS_READS,
      addressWrites: env.RATE_LIMIT_ADDRESS_WRITES,
      trustedProxies: env.TRUSTED_PROXIES,
    },
    drainSeconds: env.DRAIN_SECONDS,
    logLevel: env.LOG_LEVEL,
  };
}
