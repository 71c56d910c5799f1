import { checkPairs, mediaNodeConfig, mediaNodeVariables, portVariable, z, type MediaNodeConfig } from '@rtms/config';
import { hostOf } from '@rtms/http';

/** `@Inject(SFU_CONFIG) config: SfuConfig`. */
export const SFU_CONFIG = Symbol('SfuConfig');

/** The settings from the environment, validated once at start. */
export interface SfuConfig extends MediaNodeConfig {
  /** Undefined: no TURN servers. */
  turn?: TurnConfig | undefined;
  /** Largest body of a WHIP or WHEP request, in bytes. */
  maxSdpBytes: number;
  media: {
    listenIp?: string | undefined;
    announcedAddress?: string | undefined;
    /** First WebRtcServer port; 0 takes free ports. */
    rtcPort: number;
    portRange: { min: number; max: number };
    workers?: number | undefined;
    consumersPerWorker: number;
    /** The share of its core up to which a worker accepts viewers. */
    workerCpuLimit: number;
    workerBin?: string | undefined;
    /** The address where other SFU nodes reach this node's media; undefined: the listen address. */
    relayAddress?: string | undefined;
  };
}

/** TURN servers that share a secret with this node (coturn's `use-auth-secret`). */
export interface TurnConfig {
  urls: string[];
  secret: string;
  /** Seconds in which a peer can begin to use its credentials. */
  credentialSeconds: number;
}

/** URI of RFC 7065. No browser uses TURN over DTLS, so `turns:` is always TCP. */
const turnUrl =
  /^(?:turn:(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?(?:\?transport=(?:udp|tcp))?|turns:(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?(?:\?transport=tcp)?)$/;

const turnVariables = {
  TURN_URLS: z
    .string()
    .transform(list => list.split(',').map(each => each.trim()))
    .refine(urls => urls.length <= 8 && urls.every(url => turnUrl.test(url)), {
      error:
        'must be at most 8 of turn:host[:port][?transport=udp|tcp] and turns:host[:port], with commas between them',
    })
    .optional(),
  TURN_SECRET: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
  TURN_CREDENTIAL_SECONDS: z.coerce.number().int().min(60).max(86_400).default(3_600),
};

type TurnEnvironment = z.output<z.ZodObject<typeof turnVariables>>;

function turnOf(env: TurnEnvironment): TurnConfig | undefined {
  const { TURN_URLS: urls, TURN_SECRET: secret, TURN_CREDENTIAL_SECONDS: credentialSeconds } = env;
  return urls && secret !== undefined ? { urls, secret, credentialSeconds } : undefined;
}

interface MediaAddresses {
  RTC_LISTEN_IP?: string | undefined;
  RTC_ANNOUNCED_ADDRESS?: string | undefined;
  RELAY_ANNOUNCED_ADDRESS?: string | undefined;
}

interface MediaVariables extends MediaAddresses {
  RTC_PORT: number;
  RTC_MIN_PORT: number;
  RTC_MAX_PORT: number;
  SFU_WORKERS?: number | undefined;
  CONSUMERS_PER_WORKER: number;
  WORKER_CPU_LIMIT: number;
  MEDIASOUP_WORKER_BIN?: string | undefined;
}

function mediaOf(env: MediaVariables, { internalUrl }: MediaNodeConfig): SfuConfig['media'] {
  return {
    listenIp: env.RTC_LISTEN_IP,
    announcedAddress: env.RTC_ANNOUNCED_ADDRESS,
    relayAddress: relayAddressOf(env, internalUrl),
    rtcPort: env.RTC_PORT,
    portRange: { min: env.RTC_MIN_PORT, max: env.RTC_MAX_PORT },
    workers: env.SFU_WORKERS,
    consumersPerWorker: env.CONSUMERS_PER_WORKER,
    workerCpuLimit: env.WORKER_CPU_LIMIT,
    workerBin: env.MEDIASOUP_WORKER_BIN,
  };
}

/** If the node listens on all interfaces, other nodes use the host of its internal URL. */
function relayAddressOf(env: MediaAddresses, internalUrl: string): string | undefined {
  const listenIp = env.RTC_LISTEN_IP ?? (env.RTC_ANNOUNCED_ADDRESS ? '0.0.0.0' : '127.0.0.1');
  const isWildcard = listenIp === '0.0.0.0' || listenIp === '::';
  const host = isWildcard ? hostOf(new URL(internalUrl)) : undefined;
  return env.RELAY_ANNOUNCED_ADDRESS ?? host;
}

export const sfuConfigSchema = z
  .object({
    ...mediaNodeVariables,
    ...turnVariables,
    RTC_LISTEN_IP: z.string().optional(),
    RTC_ANNOUNCED_ADDRESS: z.string().optional(),
    RELAY_ANNOUNCED_ADDRESS: z.string().optional(),
    RTC_PORT: portVariable.default(0),
    RTC_MIN_PORT: portVariable.default(40_000),
    RTC_MAX_PORT: portVariable.default(49_999),
    SFU_WORKERS: z.coerce.number().int().min(1).optional(),
    CONSUMERS_PER_WORKER: z.coerce.number().int().min(1).default(2_000),
    WORKER_CPU_LIMIT: z.coerce.number().min(0.05).max(1).default(0.8),
    MEDIASOUP_WORKER_BIN: z.string().optional(),
    SDP_MAX_BYTES: z.coerce.number().int().min(8_192).max(262_144).default(16_384),
  })
  .refine(env => env.RTC_MIN_PORT <= env.RTC_MAX_PORT, {
    path: ['RTC_MIN_PORT'],
    message: 'must not be greater than RTC_MAX_PORT',
  })
  .refine(env => !env.TURN_URLS || env.TURN_SECRET !== undefined, {
    path: ['TURN_URLS'],
    message: 'set TURN_SECRET too: the static-auth-secret of the TURN server',
  })
  .superRefine(checkPairs)
  .transform((env): SfuConfig => {
    const node = mediaNodeConfig(env, { service: 'sfu', defaultPort: 4001 });
    return {
      ...node,
      turn: turnOf(env),
      maxSdpBytes: env.SDP_MAX_BYTES,
      media: mediaOf(env, node),
    };
  });
