import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from '@rtms/config';

/** Everything that the environment decides, checked once at start. */
export interface TranscoderConfig {
  nodeID: string;
  host: string;
  port: number;
  /** Base address that players use; no trailing slash. */
  publicUrl: string;
  /** Base address that other nodes use; no trailing slash. */
  internalUrl: string;
  natsUrl: string;
  logLevel: string;
  /** This node's own: what an earlier run left there is deleted. */
  mediaDirectory: string;
  /** undefined: the system's or the one from npm. */
  ffmpegPath?: string | undefined;
  rtp: { listenIP: string; announcedIP: string };
  maxBroadcasts: number;
  segmentSeconds: number;
  windowSegments: number;
}

const wildcards = ['0.0.0.0', '::'];
const port = z.coerce.number().int().min(0).max(65_535);
const baseUrl = z.url({ protocol: /^https?$/ }).transform(url => url.replace(/\/+$/, ''));
/** A node's name stands in bus subjects, where dots and blanks have a meaning. */
const nodeID = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ -');

export const transcoderConfigSchema = z
  .object({
    RTMS_NODE_ID: nodeID.default(`transcoder-${hostname()}`.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 64)),
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(4002),
    PUBLIC_URL: baseUrl.optional(),
    INTERNAL_URL: baseUrl.optional(),
    NATS_URL: z.string().default('nats://127.0.0.1:4222'),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    MEDIA_DIR: z.string().optional(),
    FFMPEG_PATH: z.string().optional(),
    RTP_LISTEN_IP: z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1'),
    RTP_ANNOUNCED_ADDRESS: z.string().optional(),
    MAX_BROADCASTS: z.coerce.number().int().min(1).default(10),
    SEGMENT_SECONDS: z.coerce.number().min(1).max(10).default(2),
    WINDOW_SEGMENTS: z.coerce.number().int().min(6).max(100).default(10),
  })
  .refine(env => !wildcards.includes(env.RTP_LISTEN_IP) || env.RTP_ANNOUNCED_ADDRESS !== undefined, {
    path: ['RTP_ANNOUNCED_ADDRESS'],
    message: 'RTP_LISTEN_IP is a wildcard, so this must be the address that SFU nodes send to',
  })
  .transform((env): TranscoderConfig => {
    const publicUrl = env.PUBLIC_URL ?? `http://${env.HOST}:${env.PORT}`;
    return {
      nodeID: env.RTMS_NODE_ID,
      host: env.HOST,
      port: env.PORT,
      publicUrl,
      internalUrl: env.INTERNAL_URL ?? publicUrl,
      natsUrl: env.NATS_URL,
      logLevel: env.LOG_LEVEL,
      mediaDirectory: env.MEDIA_DIR ?? join(tmpdir(), 'rtms-media', env.RTMS_NODE_ID),
      ffmpegPath: env.FFMPEG_PATH,
      rtp: { listenIP: env.RTP_LISTEN_IP, announcedIP: env.RTP_ANNOUNCED_ADDRESS ?? env.RTP_LISTEN_IP },
      maxBroadcasts: env.MAX_BROADCASTS,
      segmentSeconds: env.SEGMENT_SECONDS,
      windowSegments: env.WINDOW_SEGMENTS,
    };
  });
