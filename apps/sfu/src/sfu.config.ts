import { hostname } from 'node:os';
import { z } from '@rtms/config';
import type { IceServer } from './signalling/ice-servers.js';

/** Everything that the environment decides, checked once at start. */
export interface SfuConfig {
  nodeID: string;
  host: string;
  port: number;
  /** Base address that publishers and viewers use; no trailing slash. */
  publicUrl: string;
  /** Base address that other nodes use; no trailing slash. */
  internalUrl: string;
  natsUrl: string;
  logLevel: string;
  iceServers: IceServer[];
  /** How long a draining node leaves its sessions. */
  drainSeconds: number;
  media: {
    listenIp?: string | undefined;
    announcedAddress?: string | undefined;
    /** First WebRtcServer port; 0 takes any free ones. */
    rtcPort: number;
    portRange: { min: number; max: number };
    workers?: number | undefined;
    consumersPerWorker: number;
    workerBin?: string | undefined;
  };
}

const port = z.coerce.number().int().min(0).max(65_535);
const baseUrl = z.url({ protocol: /^https?$/ }).transform(url => url.replace(/\/+$/, ''));

const iceServer = z.object({
  urls: z.union([z.string(), z.array(z.string())]),
  username: z.string().optional(),
  credential: z.string().optional(),
});

const iceServers = z.string().transform((text, context): IceServer[] => {
  const list = z.array(iceServer).safeParse(parseJson(text));
  if (list.success) return list.data;
  context.addIssue('must be a JSON list of { "urls", "username", "credential" }');
  return z.NEVER;
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A node's name stands in bus subjects, where dots and blanks have a meaning. */
const nodeID = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ -');

export const sfuConfigSchema = z
  .object({
    RTMS_NODE_ID: nodeID.default(`sfu-${hostname()}`.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 64)),
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(4001),
    PUBLIC_URL: baseUrl.optional(),
    INTERNAL_URL: baseUrl.optional(),
    NATS_URL: z.string().default('nats://127.0.0.1:4222'),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    ICE_SERVERS: iceServers.default([]),
    DRAIN_SECONDS: z.coerce.number().int().min(0).default(60),
    RTC_LISTEN_IP: z.string().optional(),
    RTC_ANNOUNCED_ADDRESS: z.string().optional(),
    RTC_PORT: port.default(0),
    RTC_MIN_PORT: port.default(40_000),
    RTC_MAX_PORT: port.default(49_999),
    SFU_WORKERS: z.coerce.number().int().min(1).optional(),
    CONSUMERS_PER_WORKER: z.coerce.number().int().min(1).default(400),
    MEDIASOUP_WORKER_BIN: z.string().optional(),
  })
  .refine(env => env.RTC_MIN_PORT <= env.RTC_MAX_PORT, {
    path: ['RTC_MIN_PORT'],
    message: 'must not be above RTC_MAX_PORT',
  })
  .transform((env): SfuConfig => {
    const publicUrl = env.PUBLIC_URL ?? `http://${env.HOST}:${env.PORT}`;
    return {
      nodeID: env.RTMS_NODE_ID,
      host: env.HOST,
      port: env.PORT,
      publicUrl,
      internalUrl: env.INTERNAL_URL ?? publicUrl,
      natsUrl: env.NATS_URL,
      logLevel: env.LOG_LEVEL,
      iceServers: env.ICE_SERVERS,
      drainSeconds: env.DRAIN_SECONDS,
      media: {
        listenIp: env.RTC_LISTEN_IP,
        announcedAddress: env.RTC_ANNOUNCED_ADDRESS,
        rtcPort: env.RTC_PORT,
        portRange: { min: env.RTC_MIN_PORT, max: env.RTC_MAX_PORT },
        workers: env.SFU_WORKERS,
        consumersPerWorker: env.CONSUMERS_PER_WORKER,
        workerBin: env.MEDIASOUP_WORKER_BIN,
      },
    };
  });
