import { z } from '@rtms/config';
import { ServiceError, type MediaKind, type RtpDescription } from '@rtms/contracts';
import { checkValue } from '@rtms/http';
import type { DtlsRole, Fingerprint } from '../media/media-engine.js';

/** Schemas that check clients' parameters before the media worker sees them. */
const text = z.string().max(256);
const payloadType = z.int().min(0).max(127);
const ssrc = z.int().min(1).max(0xffff_ffff);
const codecParameters = z
  .record(z.string().max(64), z.union([text, z.number(), z.null()]))
  .refine(parameters => Object.keys(parameters).length <= 32, 'too many parameters');

const rtcpFeedback = z
  .array(z.object({ type: z.string().min(1).max(64), parameter: z.string().max(64).optional() }))
  .max(16);

const codec = {
  mimeType: z
    .string()
    .max(64)
    .regex(/^(audio|video)\/[A-Za-z0-9._+-]+$/),
  clockRate: z.int().min(1).max(1_000_000),
  channels: z.int().min(1).max(8).optional(),
  parameters: codecParameters.optional(),
  rtcpFeedback: rtcpFeedback.optional(),
};

const encoding = z.object({
  ssrc: ssrc.optional(),
  rid: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,16}$/)
    .optional(),
  codecPayloadType: payloadType.optional(),
  rtx: z.object({ ssrc }).optional(),
  dtx: z.boolean().optional(),
  active: z.boolean().optional(),
  scalabilityMode: z
    .string()
    .regex(/^[LS][1-3]T[1-3](h|_KEY(_SHIFT)?)?$/)
    .optional(),
  scaleResolutionDownBy: z.number().min(1).max(64).optional(),
  maxBitrate: z.int().min(0).max(0xffff_ffff).optional(),
});

const rtpParameters = z.object({
  mid: z.string().min(1).max(32).optional(),
  codecs: z
    .array(z.object({ ...codec, payloadType }))
    .min(1)
    .max(16),
  headerExtensions: z
    .array(z.object({ uri: text, id: z.int().min(1).max(255), encrypt: z.boolean().optional() }))
    .max(32)
    .default([]),
  encodings: z.array(encoding).min(1).max(4),
  rtcp: z.object({ cname: text.optional(), reducedSize: z.boolean().optional() }).default({}),
  msid: text.optional(),
});

const rtpCapabilities = z.object({
  codecs: z
    .array(z.object({ ...codec, kind: z.enum(['audio', 'video']), preferredPayloadType: payloadType.optional() }))
    .min(1)
    .max(128),
  headerExtensions: z
    .array(
      z.object({
        kind: z.enum(['audio', 'video']),
        uri: text,
        preferredId: z.int().min(1).max(255),
        preferredEncrypt: z.boolean().optional(),
        direction: z.enum(['sendrecv', 'sendonly', 'recvonly', 'inactive']).optional(),
      }),
    )
    .max(64)
    .default([]),
});

const dtlsParameters = z.object({
  role: z.enum(['client', 'server', 'auto']).default('client'),
  fingerprints: z
    .array(
      z.object({
        algorithm: z.enum(['sha-1', 'sha-224', 'sha-256', 'sha-384', 'sha-512']),
        value: z
          .string()
          .max(256)
          .regex(/^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2})+$/),
      }),
    )
    .min(1)
    .max(8),
});

const layers = z.object({ spatialLayer: z.int().min(0).max(7), temporalLayer: z.int().min(0).max(7).optional() });

export const parseLayers = parserOf('layers', layers);

export const parseCapabilities: (value: unknown) => RtpDescription = parserOf('rtpCapabilities', rtpCapabilities);

const parseParameters = parserOf('rtpParameters', rtpParameters);

/** Checks that all codecs are of the kind, and that audio has one encoding. */
export function parseRtpParameters(kind: MediaKind, value: unknown): RtpDescription {
  const parameters = parseParameters(value);
  if (parameters.codecs.some(({ mimeType }) => !mimeType.startsWith(`${kind}/`)))
    throw new ServiceError('invalid_request', `rtpParameters.codecs must all be ${kind} codecs.`);
  if (kind === 'audio' && parameters.encodings.length > 1)
    throw new ServiceError('invalid_request', 'rtpParameters.encodings must have one entry for audio.');
  return parameters;
}

const parseDtls = parserOf('dtlsParameters', dtlsParameters);

export function parseDtlsParameters(value: unknown): { role: DtlsRole; fingerprints: Fingerprint[] } {
  const { role, fingerprints } = parseDtls(value);
  return { role: role === 'server' ? 'server' : 'client', fingerprints };
}

function parserOf<Value>(name: string, schema: z.ZodType<Value>): (value: unknown) => Value {
  return value => {
    const result = checkValue(schema, value);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const where = [name, ...(issue?.path ?? [])].join('.');
    throw new ServiceError('invalid_request', `${where}: ${issue?.message ?? 'is not usable'}`);
  };
}
