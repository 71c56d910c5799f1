import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3RecordingStoreOptions } from './delivery/stores/s3-recording-store.js';
import type { DvrLimits } from './delivery/presentation/dvr-budget.js';
import { checkPairs, mediaNodeConfig, mediaNodeVariables, z, type MediaNodeConfig } from '@rtms/config';

/** Storage of recordings. */
interface RecordingsConfig {
  /** Holds unfinished recordings, and finished ones without `s3` and `sharedDirectory`. The node never empties it. */
  directory: string;
  maxRecordings: number;
  /** Bytes that recordings on the node's disk may use. undefined: the disk. */
  maxBytes?: number | undefined;
  /** A volume that all transcoders mount, with unfinished and finished recordings. */
  sharedDirectory?: string | undefined;
  s3?: S3RecordingStoreOptions;
}

/** `@Inject(TRANSCODER_CONFIG) config: TranscoderConfig`. */
export const TRANSCODER_CONFIG = Symbol('TranscoderConfig');

/** The configuration, validated once at start. */
export interface TranscoderConfig extends MediaNodeConfig {
  /** Owned by this node, which empties it at start. */
  mediaDirectory: string;
  /** undefined: the system's FFmpeg, or the one from npm. */
  ffmpegPath?: string | undefined;
  /** Memory limit of one FFmpeg process; 0: unlimited. */
  ffmpegMemoryBytes: number;
  rtp: { listenIP: string; announcedIP: string };
  maxBroadcasts: number;
  maxRestreams: number;
  maxRepairs: number;
  segmentSeconds: number;
  windowSegments: number;
  dvr: DvrLimits;
  recordings: RecordingsConfig;
  /** Whether Kubernetes runs this node. */
  isPod: boolean;
}

const s3Variables = [
  ...(['RECORDINGS_S3_REGION', 'RECORDINGS_S3_ENDPOINT', 'RECORDINGS_S3_PREFIX'] as const),
  ...(['RECORDINGS_S3_PATH_STYLE', 'RECORDINGS_S3_ACCESS_KEY_ID', 'RECORDINGS_S3_SECRET_ACCESS_KEY'] as const),
];

const wildcards = ['0.0.0.0', '::'];

const bytes = z.coerce.number({ error: 'must be a number of bytes' }).int();

const environment = z.object({
  ...mediaNodeVariables,
  MEDIA_DIR: z.string().optional(),
  FFMPEG_PATH: z.string().optional(),
  FFMPEG_MEMORY_MB: z.coerce.number({ error: 'must be a number of megabytes' }).int().min(0).default(4_096),
  RTP_LISTEN_IP: z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1'),
  RTP_ANNOUNCED_ADDRESS: z.string().optional(),
  MAX_BROADCASTS: z.coerce.number().int().min(1).default(10),
  MAX_RESTREAMS: z.coerce.number().int().min(1).default(50),
  MAX_REPAIRS: z.coerce.number().int().min(0).default(10),
  SEGMENT_SECONDS: z.coerce.number().min(1).max(10).default(2),
  RECORDINGS_DIR: z.string().min(1).optional(),
  MAX_RECORDINGS: z.coerce.number().int().min(1).default(50),
  RECORDINGS_MAX_BYTES: bytes.min(1).optional(),
  RECORDINGS_SHARED_DIR: z.string().min(1).optional(),
  RECORDINGS_S3_BUCKET: z.string().min(3).optional(),
  RECORDINGS_S3_REGION: z.string().min(1).optional(),
  RECORDINGS_S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  RECORDINGS_S3_PREFIX: z
    .string()
    .regex(/^(?:[A-Za-z0-9._-]+\/)*$/, { error: 'must be path segments that each end in /' })
    .optional(),
  RECORDINGS_S3_PATH_STYLE: z.stringbool().optional(),
  RECORDINGS_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  RECORDINGS_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  KUBERNETES_SERVICE_HOST: z.string().optional(),
  WINDOW_SEGMENTS: z.coerce.number().int().min(6).max(100).default(10),
  DVR_MAX_BYTES: bytes.min(0).default(8 * 1024 ** 3),
  DVR_MAX_ACCOUNT_BYTES: bytes.min(0).optional(),
});

export const transcoderConfigSchema = environment
  .refine(env => env.RECORDINGS_S3_BUCKET !== undefined || s3Variables.every(name => env[name] === undefined), {
    path: ['RECORDINGS_S3_BUCKET'],
    message: 'must be set when another RECORDINGS_S3_ variable is set',
  })
  .refine(env => env.RECORDINGS_S3_BUCKET === undefined || env.RECORDINGS_SHARED_DIR === undefined, {
    path: ['RECORDINGS_SHARED_DIR'],
    message: 'must be unset when RECORDINGS_S3_BUCKET is set',
  })
  .refine(
    env => (env.RECORDINGS_S3_ACCESS_KEY_ID === undefined) === (env.RECORDINGS_S3_SECRET_ACCESS_KEY === undefined),
    {
      path: ['RECORDINGS_S3_ACCESS_KEY_ID'],
      message: 'set RECORDINGS_S3_SECRET_ACCESS_KEY too, or unset both',
    },
  )
  .refine(env => !wildcards.includes(env.RTP_LISTEN_IP) || env.RTP_ANNOUNCED_ADDRESS !== undefined, {
    path: ['RTP_ANNOUNCED_ADDRESS'],
    message: 'RTP_LISTEN_IP is a wildcard address: set this to the address that SFU nodes send to',
  })
  .superRefine(checkPairs)
  .transform((env): TranscoderConfig => {
    const node = mediaNodeConfig(env, { service: 'transcoder', defaultPort: 4002 });
    const mediaDirectory = env.MEDIA_DIR ?? join(tmpdir(), 'rtms-media', node.nodeID);
    const s3 = s3Options(env);
    return {
      ...node,
      mediaDirectory,
      recordings: {
        directory: env.RECORDINGS_DIR ?? join(mediaDirectory, 'recordings'),
        maxRecordings: env.MAX_RECORDINGS,
        maxBytes: env.RECORDINGS_MAX_BYTES,
        sharedDirectory: env.RECORDINGS_SHARED_DIR,
        ...(s3 && { s3 }),
      },
      ffmpegPath: env.FFMPEG_PATH,
      ffmpegMemoryBytes: env.FFMPEG_MEMORY_MB * 1024 ** 2,
      rtp: { listenIP: env.RTP_LISTEN_IP, announcedIP: env.RTP_ANNOUNCED_ADDRESS ?? env.RTP_LISTEN_IP },
      maxBroadcasts: env.MAX_BROADCASTS,
      maxRestreams: env.MAX_RESTREAMS,
      maxRepairs: env.MAX_REPAIRS,
      segmentSeconds: env.SEGMENT_SECONDS,
      windowSegments: env.WINDOW_SEGMENTS,
      dvr: {
        maxBytes: env.DVR_MAX_BYTES,
        maxAccountBytes: env.DVR_MAX_ACCOUNT_BYTES ?? Math.floor(env.DVR_MAX_BYTES / 2),
      },
      isPod: env.KUBERNETES_SERVICE_HOST !== undefined,
    };
  });

/** Most S3 services other than Amazon's use path-style addresses. */
function s3Options(env: z.output<typeof environment>): S3RecordingStoreOptions | undefined {
  const { RECORDINGS_S3_ACCESS_KEY_ID: accessKeyId, RECORDINGS_S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (env.RECORDINGS_S3_BUCKET === undefined) return undefined;
  return {
    bucket: env.RECORDINGS_S3_BUCKET,
    region: env.RECORDINGS_S3_REGION ?? 'us-east-1',
    endpoint: env.RECORDINGS_S3_ENDPOINT,
    prefix: env.RECORDINGS_S3_PREFIX ?? '',
    forcePathStyle: env.RECORDINGS_S3_PATH_STYLE ?? env.RECORDINGS_S3_ENDPOINT !== undefined,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  };
}
