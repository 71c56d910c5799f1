import {
  mediaNodeConfig,
  mediaNodeVariables,
  portVariable,
  z,
  type MediaNodeConfig,
  type TlsFiles,
} from '@rtms/config';

/** `@Inject(INGEST_CONFIG) config: IngestConfig`. */
export const INGEST_CONFIG = Symbol('IngestConfig');

/** A TCP port for RTMP, and the one that encoders use. They differ behind a load balancer. */
export interface RtmpPort {
  port: number;
  announcedPort: number;
}

/** The configuration, validated once at start. */
export interface IngestConfig extends MediaNodeConfig {
  /** Of the ports for encoders. */
  encoderHost: string;
  /** Encoders at once, of all protocols. Each needs one or two FFmpeg processes. */
  maxEncoders: number;
  /** undefined: the system's FFmpeg, or the one from npm. */
  ffmpegPath?: string | undefined;
  /** Memory limit of one FFmpeg process; 0: unlimited. */
  ffmpegMemoryBytes: number;
  /** undefined: the node does not speak SRT. */
  srt?: { firstPort: number; lastPort: number; latencyMs: number } | undefined;
  rtmp?: RtmpPort | undefined;
  rtmps?: (RtmpPort & TlsFiles) | undefined;
  /** Limits of TCP connections for RTMP and RTMPS together. */
  rtmpLimits: { connections: number; perAddress: number };
}

/** An SRT port needs a process while it waits. */
const mostSrtPorts = 1_000;

const off = 'off';
const portOrOff = z.literal(off).or(portVariable);

const environment = z.object({
  ...mediaNodeVariables,
  ENCODER_HOST: z.string().optional(),
  MAX_ENCODERS: z.coerce.number().int().min(1).default(20),
  FFMPEG_PATH: z.string().optional(),
  FFMPEG_MEMORY_MB: z.coerce.number({ error: 'must be a number of megabytes' }).int().min(0).default(1_024),
  SRT_PORTS: z
    .string()
    .regex(/^(?:off|\d{1,5}-\d{1,5})$/, { error: 'must be a range of UDP ports such as 20000-20099, or off' })
    .default('20000-20099'),
  SRT_LATENCY_MS: z.coerce.number().int().min(20).max(8_000).default(200),
  RTMP_PORT: portOrOff.default(1935),
  RTMP_ANNOUNCED_PORT: portVariable.optional(),
  RTMPS_PORT: portOrOff.default(off),
  RTMPS_ANNOUNCED_PORT: portVariable.optional(),
  RTMPS_CERT_FILE: z.string().optional(),
  RTMPS_KEY_FILE: z.string().optional(),
  RTMP_MAX_CONNECTIONS: z.coerce.number().int().min(1).default(200),
  RTMP_MAX_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).default(20),
});
type Environment = z.output<typeof environment>;

export const ingestConfigSchema = environment.superRefine(checkPorts).transform((env): IngestConfig => {
  const node = mediaNodeConfig(env, { service: 'ingest', defaultPort: 4003 });
  return {
    ...node,
    encoderHost: env.ENCODER_HOST ?? env.HOST,
    maxEncoders: env.MAX_ENCODERS,
    ffmpegPath: env.FFMPEG_PATH,
    ffmpegMemoryBytes: env.FFMPEG_MEMORY_MB * 1024 ** 2,
    srt: srtOf(env),
    rtmp: portOf(env.RTMP_PORT, env.RTMP_ANNOUNCED_PORT),
    rtmps: rtmpsOf(env),
    rtmpLimits: { connections: env.RTMP_MAX_CONNECTIONS, perAddress: env.RTMP_MAX_CONNECTIONS_PER_ADDRESS },
  };
});

function srtOf({ SRT_PORTS, SRT_LATENCY_MS: latencyMs }: Environment): IngestConfig['srt'] {
  if (SRT_PORTS === off) return undefined;
  const [firstPort = 0, lastPort = 0] = SRT_PORTS.split('-').map(Number);
  return { firstPort, lastPort, latencyMs };
}

function portOf(port: number | typeof off, announcedPort?: number): RtmpPort | undefined {
  return port === off ? undefined : { port, announcedPort: announcedPort ?? port };
}

/** RTMPS has the certificate of HTTPS unless it has its own. */
function rtmpsFiles(env: Environment): TlsFiles | undefined {
  const certFile = env.RTMPS_CERT_FILE ?? env.TLS_CERT_FILE;
  const keyFile = env.RTMPS_KEY_FILE ?? env.TLS_KEY_FILE;
  return certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };
}

function rtmpsOf(env: Environment): IngestConfig['rtmps'] {
  const port = portOf(env.RTMPS_PORT, env.RTMPS_ANNOUNCED_PORT);
  const files = rtmpsFiles(env);
  return port && files && { ...port, ...files };
}

function checkPorts(env: Environment, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
  const srt = srtOf(env);
  if (srt && (srt.firstPort < 1 || srt.lastPort > 65_535 || srt.lastPort < srt.firstPort))
    refuse('SRT_PORTS', 'must rise, and stay between 1 and 65535');
  else if (srt && srt.lastPort - srt.firstPort >= mostSrtPorts)
    refuse('SRT_PORTS', `must have at most ${mostSrtPorts} ports`);
  if (env.RTMPS_PORT !== off && !rtmpsFiles(env))
    refuse('RTMPS_PORT', 'needs RTMPS_CERT_FILE and RTMPS_KEY_FILE, or TLS_CERT_FILE and TLS_KEY_FILE');
}
