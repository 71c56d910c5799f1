import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mediaNodeConfig, mediaNodeVariables, z, type MediaNodeConfig } from '@rtms/config';

/** Everything that the environment decides, checked once at start. */
export interface TranscoderConfig extends MediaNodeConfig {
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

export const transcoderConfigSchema = z
  .object({
    ...mediaNodeVariables,
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
    const node = mediaNodeConfig(env, { service: 'transcoder', defaultPort: 4002 });
    return {
      ...node,
      mediaDirectory: env.MEDIA_DIR ?? join(tmpdir(), 'rtms-media', node.nodeID),
      ffmpegPath: env.FFMPEG_PATH,
      rtp: { listenIP: env.RTP_LISTEN_IP, announcedIP: env.RTP_ANNOUNCED_ADDRESS ?? env.RTP_LISTEN_IP },
      maxBroadcasts: env.MAX_BROADCASTS,
      segmentSeconds: env.SEGMENT_SECONDS,
      windowSegments: env.WINDOW_SEGMENTS,
    };
  });
