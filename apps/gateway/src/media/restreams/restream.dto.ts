import { isPrivateHost, hostOf } from '@rtms/http';
import {
  restreamProblems,
  restreamProtocols,
  restreamTransitions,
  ServiceError,
  type RestreamProblem,
} from '@rtms/contracts';
import type { RestreamProtocol, RestreamTarget } from '@rtms/contracts';
import { z } from 'zod';
import { count, identifier, oneOfKeys, time } from '../../platform/http/answers.js';
import { Dto, optional } from '../../platform/http/dto.js';
import { idOf, isHostAddress, matching, oneOf } from '../../platform/http/fields.js';
import { presentFields, presentTime } from '../../platform/http/present.js';
import { lifeFields } from '../resources/end-media.dto.js';
import type { Restream } from '../resources/restream.entity.js';

/** FFmpeg's option files end a value at a line break, and servers compare bytes. */
export const addressSecret = (min: number, max: number) =>
  matching(
    new RegExp(`^[\\x21-\\x7e]{${min},${max}}$`),
    `must be ${min} to ${max} characters of printable ASCII, without spaces.`,
  );

export const addressText = matching(/^[A-Za-z]+:\/\/[^\s\\]{1,500}$/, 'must be an address of at most 500 characters.');

const protocol = oneOf(restreamProtocols).meta({
  id: 'RestreamProtocol',
  description: 'Protocol of the target.',
  examples: ['rtmps'],
});

export const restreamProblem = z
  .enum(restreamProblems)
  .meta({ id: 'RestreamProblem', description: 'Why an attempt failed.' });

const targetFields = {
  protocol,
  url: addressText.meta({
    description: 'Address of the target without secrets. RTMP: with the application, without the stream key.',
    examples: ['rtmps://live.example.com/app'],
  }),
  ...optional({
    streamKey: addressSecret(1, 512).describe(
      'RTMP: the stream key. SRT: the stream ID. WHIP: the bearer token. Write-only.',
    ),
    passphrase: addressSecret(10, 79).meta({
      description: 'Passphrase of SRT. Write-only.',
      examples: ['correct-horse-battery'],
    }),
  }),
};

export class CreateRestreamDto extends Dto({
  ...optional({
    sourceSessionID: idOf('an external session').describe('External session to send.'),
    broadcastID: idOf('a broadcast').describe('Broadcast to send, for example that of the whole room.'),
  }),
  target: z
    .strictObject(targetFields, { error: 'must be an object with protocol and url.' })
    .describe('Server that receives the media.'),
}) {}

/** Throws BAD_REQUEST unless there is exactly one source. */
export function requireRestreamSource({ sourceSessionID, broadcastID }: Omit<CreateRestreamDto, 'target'>) {
  const [session, broadcast] = [sourceSessionID ?? null, broadcastID ?? null];
  if ((session === null) === (broadcast === null))
    throw new ServiceError('invalid_request', 'Give either sourceSessionID or broadcastID.');
  return { sourceSessionID: session, sourceBroadcastID: broadcast };
}

const schemes: Record<RestreamProtocol, string> = { rtmp: 'rtmp:', rtmps: 'rtmps:', srt: 'srt:', whip: 'https:' };

type Target = Pick<CreateRestreamDto['target'], 'protocol' | 'url' | 'streamKey' | 'passphrase'>;

const mostEncodedCharacters = 900;

interface TargetRule {
  message: string | ((target: Target) => string);
  isBroken(target: Target, url: URL, allowsPrivate: boolean): boolean;
}

const isRtmp = ({ protocol }: Target): boolean => protocol === 'rtmp' || protocol === 'rtmps';

/** The rules between the fields, in the order in which they are checked. */
const targetRules: readonly TargetRule[] = [
  {
    message: ({ protocol }) => `url must begin with ${schemes[protocol]}// for the protocol ${protocol}.`,
    isBroken: ({ protocol }, url, allowsPrivate) =>
      url.protocol !== schemes[protocol] && !(allowsPrivate && protocol === 'whip' && url.protocol === 'http:'),
  },
  {
    // Percent-encoding lengthens other characters, and FFmpeg's option files have short lines.
    message: `url must have at most ${mostEncodedCharacters} characters with its other characters percent-encoded.`,
    isBroken: (_, { href }) => href.length > mostEncodedCharacters,
  },
  {
    message: 'url must have no password. Use streamKey.',
    isBroken: (_, { username, password }) => username !== '' || password !== '',
  },
  {
    message: 'url must have no parameters. Send the stream key or stream ID in streamKey.',
    isBroken: ({ protocol }, { hash, search }) => hash !== '' || (search !== '' && protocol !== 'whip'),
  },
  { message: 'url must have a host name or an IP address.', isBroken: (_, url) => !isHostAddress(canonicalHost(url)) },
  {
    message: 'url must be a public address, not one of a private network.',
    isBroken: (_, url, allowsPrivate) => !allowsPrivate && isPrivateHost(canonicalHost(url)),
  },
  { message: 'url must have a port from 1 to 65535.', isBroken: (_, { port }) => port === '0' },
  {
    message: 'url must have a port and no path for SRT, such as srt://live.example.com:9000.',
    isBroken: ({ protocol }, { port, pathname }) =>
      protocol === 'srt' && (port === '' || !['', '/'].includes(pathname)),
  },
  {
    message: 'url must have an application, such as rtmps://live.example.com/app.',
    isBroken: (target, { pathname }) => isRtmp(target) && /^\/*$/.test(pathname),
  },
  { message: 'streamKey is required for RTMP.', isBroken: target => isRtmp(target) && !target.streamKey },
  {
    message: 'passphrase is for SRT only. Use streamKey.',
    isBroken: ({ protocol, passphrase }) => Boolean(passphrase) && protocol !== 'srt',
  },
];

/** Checks the rules between the fields of an address that a media node connects to. Throws BAD_REQUEST. Names are checked again when they are resolved. */
export function requireTargetOf(target: Target, allowsPrivate: boolean): RestreamTarget {
  const { protocol, url, streamKey, passphrase } = target;
  if (!URL.canParse(url))
    throw new ServiceError(
      'invalid_request',
      `url must be an address such as ${schemes[protocol]}//live.example.com${protocol === 'srt' ? ':9000' : '/app'}.`,
    );
  const parsed = new URL(url);
  const broken = targetRules.find(rule => rule.isBroken(target, parsed, allowsPrivate));
  if (broken) {
    const { message } = broken;
    throw new ServiceError('invalid_request', typeof message === 'string' ? message : message(target));
  }
  return { protocol, url, ...(streamKey && { streamKey }), ...(passphrase && { passphrase }) };
}

/** Only web addresses have a canonical host: `127.1` is 127.0.0.1, and names are in ASCII. */
function canonicalHost({ host }: URL): string {
  return URL.canParse(`http://${host}`) ? hostOf(new URL(`http://${host}`)) : '';
}

/** The advice for the caller about each problem. */
const problemMessages: Record<RestreamProblem, string> = {
  host_not_found: 'The host of the target is unknown. Check url.',
  connection_refused: 'The target refuses connections. Check the port in url, and whether the target is ready.',
  connection_timed_out:
    'The target does not answer. Check url, and whether a firewall of the target blocks the platform.',
  tls_failed: 'The certificate of the target is not valid for its host, or the target does not speak TLS.',
  target_not_allowed: 'The host of the target has a private address, which this platform does not allow.',
  target_refused:
    'The target refused the stream. Check streamKey, passphrase, and whether the target expects a stream now.',
  target_closed: 'The target closed the connection.',
  target_stalled: 'The target stopped taking media. Its connection may be too slow.',
  source_lost: 'The source sends no media now.',
  source_codec_unsupported: 'The target cannot carry the codec of the source. RTMP and SRT need H264 video.',
  sender_failed: 'The platform could not send the media.',
  node_draining: 'Another node takes the restream over.',
  node_lost: 'The node of the restream was lost. Another node takes it over.',
};

const problemSchema = z.object({
  reason: restreamProblem,
  message: z.string().describe('Advice for the caller.'),
  at: time.describe('When it happened.'),
});

export const restreamSchema = z
  .object({
    restreamID: identifier('rstr'),
    meetingID: identifier('room'),
    sourceSessionID: identifier('ext').nullable().describe('External session of the source, or null.'),
    broadcastID: identifier('bcast').nullable().describe('Broadcast of the source, or null.'),
    target: z
      .object({ protocol, url: z.string().describe('Address of the target.') })
      .describe('Server that receives the media.'),
    state: oneOfKeys(restreamTransitions).describe('State of the restream. `active`: the target takes media.'),
    retryCount: count.describe(
      'Failed attempts in a row at the last problem. They count anew when the target took media for ten seconds.',
    ),
    lastProblem: problemSchema.nullable().describe('Why the last attempt failed; null: none failed.'),
    ...lifeFields,
  })
  .meta({ id: 'Restream', description: 'Media on its way to a server outside the platform.' });
export type PresentedRestream = z.infer<typeof restreamSchema>;

export function presentRestream(row: Restream): PresentedRestream {
  const { problem, problemAt } = row;
  return {
    restreamID: row.id,
    meetingID: row.meetingID,
    sourceSessionID: row.sourceSessionID,
    broadcastID: row.sourceBroadcastID,
    target: { protocol: row.targetProtocol, url: row.targetUrl },
    state: row.state,
    retryCount: row.retryCount,
    lastProblem:
      problem === null || problemAt === null
        ? null
        : { reason: problem, message: problemMessages[problem], at: presentTime(problemAt) },
    ...presentFields(lifeFields, row),
  };
}
