import {
  checkPairs,
  iceServersVariable,
  mediaNodeConfig,
  mediaNodeVariables,
  portVariable,
  z,
  type IceServer,
  type MediaNodeConfig,
} from '@rtms/config';

/** `@Inject(SFU_CONFIG) config: SfuConfig`. */
export const SFU_CONFIG = Symbol('SfuConfig');

/** The settings from the environment, validated once at start. */
export interface SfuConfig extends MediaNodeConfig {
  iceServers: IceServer[];
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
    workerBin?: string | undefined;
    /** The address where other SFU nodes reach this node's media; undefined: the listen address. */
    relayAddress?: string | undefined;
  };
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
    workerBin: env.MEDIASOUP_WORKER_BIN,
  };
}

/** If the node listens on all interfaces, other nodes use the host of its internal URL. */
function relayAddressOf(env: MediaAddresses, internalUrl: string): string | undefined {
  const listenIp = env.RTC_LISTEN_IP ?? (env.RTC_ANNOUNCED_ADDRESS ? '0.0.0.0' : '127.0.0.1');
  const isWildcard = listenIp === '0.0.0.0' || listenIp === '::';
  const host = isWildcard ? new URL(internalUrl).hostname.replace(/^\[|\]$/g, '') : undefined;
  return env.RELAY_ANNOUNCED_ADDRESS ?? host;
}

export const sfuConfigSchema = z
  .object({
    ...mediaNodeVariables,
    ICE_SERVERS: iceServersVariable.default([]),
    RTC_LISTEN_IP: z.string().optional(),
    RTC_ANNOUNCED_ADDRESS: z.string().optional(),
    RELAY_ANNOUNCED_ADDRESS: z.string().optional(),
    RTC_PORT: portVariable.default(0),
    RTC_MIN_PORT: portVariable.default(40_000),
    RTC_MAX_PORT: portVariable.default(49_999),
    SFU_WORKERS: z.coerce.number().int().min(1).optional(),
    CONSUMERS_PER_WORKER: z.coerce.number().int().min(1).default(400),
    MEDIASOUP_WORKER_BIN: z.string().optional(),
    SDP_MAX_BYTES: z.coerce.number().int().min(8_192).max(262_144).default(16_384),
  })
  .refine(env => env.RTC_MIN_PORT <= env.RTC_MAX_PORT, {
    path: ['RTC_MIN_PORT'],
    message: 'must not be greater than RTC_MAX_PORT',
  })
  .superRefine(checkPairs)
  .transform((env): SfuConfig => {
    const node = mediaNodeConfig(env, { service: 'sfu', defaultPort: 4001 });
    return {
      ...node,
      iceServers: env.ICE_SERVERS,
      maxSdpBytes: env.SDP_MAX_BYTES,
      media: mediaOf(env, node),
    };
  });
