import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from '@rtms/config';

const wildcards = ['0.0.0.0', '::'];
const baseUrl = z.url({ protocol: /^https?$/ }).transform(url => url.replace(/\/+$/, ''));
const port = z.coerce.number().int().min(0).max(65_535);

export const transcoderConfigSchema = z
  .object({
    NATS_URL: z.string().default('nats://127.0.0.1:4222'),
    RTMS_NODE_ID: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, '1 to 64 of A-Z, a-z, 0-9, _ and -')
      .default(
        `transcoder-${hostname()
          .replace(/[^A-Za-z0-9_-]/g, '-')
          .slice(0, 48)}`,
      ),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    LOG_PRETTY: z.stringbool().default(false),
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(4002),
    PUBLIC_URL: baseUrl.optional(),
    INTERNAL_URL: baseUrl.optional(),
    MEDIA_DIR: z.string().default(join(tmpdir(), 'rtms-media')),
    FFMPEG_PATH: z.string().optional(),
    RTP_LISTEN_IP: z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1'),
    RTP_ANNOUNCED_ADDRESS: z.string().optional(),
    MAX_BROADCASTS: z.coerce.number().int().min(1).default(10),
    SEGMENT_SECONDS: z.coerce.number().min(1).max(10).default(2),
    WINDOW_SEGMENTS: z.coerce.number().int().min(6).max(100).default(10),
  })
  .superRefine((env, context) => {
    if (!wildcards.includes(env.RTP_LISTEN_IP) || env.RTP_ANNOUNCED_ADDRESS) return;
    const message = `listening on ${env.RTP_LISTEN_IP} needs this set to the address that SFU nodes reach`;
    context.addIssue({ code: 'custom', path: ['RTP_ANNOUNCED_ADDRESS'], message });
  })
  .transform(env => ({
    natsUrl: env.NATS_URL,
    nodeID: env.RTMS_NODE_ID,
    log: { level: env.LOG_LEVEL, pretty: env.LOG_PRETTY },
    host: env.HOST,
    port: env.PORT,
    /** undefined: where this node listens. */
    publicUrl: env.PUBLIC_URL,
    internalUrl: env.INTERNAL_URL ?? env.PUBLIC_URL,
    mediaDirectory: env.MEDIA_DIR,
    ffmpegPath: env.FFMPEG_PATH,
    rtp: { listenIP: env.RTP_LISTEN_IP, announcedIP: env.RTP_ANNOUNCED_ADDRESS ?? env.RTP_LISTEN_IP },
    maxBroadcasts: env.MAX_BROADCASTS,
    segmentSeconds: env.SEGMENT_SECONDS,
    windowSegments: env.WINDOW_SEGMENTS,
  }));

/** What the environment says, checked. */
export type TranscoderConfig = z.infer<typeof transcoderConfigSchema>;
