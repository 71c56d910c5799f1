import { participantRequests, trackSources, trackStates } from '@rtms/contracts';
import { z } from 'zod';
import { disposableKeySchema } from '../../accounts/disposable-keys/disposable-key.dto.js';
import { domainSchema } from '../../accounts/domains/domain.dto.js';
import { keySchema } from '../../accounts/keys/key.dto.js';
import { subUserSchema } from '../../accounts/sub-users/sub-user.dto.js';
import { broadcastSchema } from '../../media/broadcasts/broadcast.dto.js';
import { externalSessionSchema } from '../../media/external-sessions/external-session.dto.js';
import { playbackSchema } from '../../media/playbacks/playback.dto.js';
import { recordingSchema } from '../../media/recordings/recording.dto.js';
import { restreamProblem, restreamSchema } from '../../media/restreams/restream.dto.js';
import { mediaKind } from '../../media/resources/end-media.dto.js';
import { keyTypes } from '../../platform/auth/caller.js';
import { count, identifier, recordTimes, time } from '../../platform/http/answers.js';
import { participantSchema, roomSchema } from '../../rooms/room/room.dto.js';
import { agentSchema } from '../../settings/agents/agent.dto.js';
import { aiCredentialSchema } from '../../settings/ai-credentials/ai-credential.dto.js';
import { eventSettingSchema } from '../../settings/event-settings/event-setting.dto.js';
import { recordingSettingSchema } from '../../settings/recording-settings/recording-setting.dto.js';
import { sipConfigSchema } from '../../settings/sip-configs/sip-config.dto.js';
import { translationConfigSchema } from '../../settings/translation-configs/translation-config.dto.js';

/** Fields that only reading makes, such as tokens and counts, are no part of an event. */
const derived = { participantCount: true, reservedCount: true, externalSessionCount: true, settings: true } as const;

const member = participantSchema.omit({ joinedAt: true }).extend({
  kind: z.enum(['member', 'externalSession']).describe('`externalSession`: a publisher outside the room.'),
  sessionID: identifier('ext').nullable().describe('The external session, or null.'),
  state: z.enum(['connected', 'disconnected', 'left']).describe('`disconnected`: may return within the grace time.'),
  granted: z.array(z.enum(participantRequests)).describe('Permissions that a host gave.'),
  requests: z.array(z.enum(participantRequests)).describe('Pending requests and raised hands.'),
  breakout: z.string().nullable().describe('Name of the breakout group; null in the main room.'),
  whiteboard: z.enum(['view', 'draw']).nullable().describe('Permission for the whiteboard; null without one.'),
  joinedAt: time.describe('When the participant connected first.'),
});

const track = z.object({
  trackID: z.string().describe('Identifier of the track.'),
  meetingID: identifier('room'),
  participantID: identifier('part').describe('The publisher.'),
  sessionID: identifier('ext').nullable().describe('The external session that sends the track; null: a member does.'),
  kind: mediaKind,
  source: z.enum(trackSources).nullable().describe('Source of a member’s track; null for an external session.'),
  codec: z.string().describe('Codec of the track.'),
  state: z.enum(trackStates).describe('State of the track.'),
});

const balance = z.object({
  keyType: z.enum(keyTypes).describe('Environment of the balance.'),
  meetingMinutes: count.describe('Remaining minutes of participants and external sessions.'),
  recordingMinutes: count.describe('Remaining minutes of recordings.'),
});

/** The address may contain a secret, so it is left out. */
const webhook = z.object({
  webhookID: identifier('hook'),
  keyType: z.enum(keyTypes).describe('Environment of the webhook.'),
  description: z.string().nullable().describe('Text for people.'),
  eventTypes: z.array(z.string()).describe('The types that are sent. Empty: all types.'),
  state: z.enum(['enabled', 'disabled']).describe('`disabled`: nothing is sent.'),
  disabledReason: z.enum(['requested', 'failing', 'gone']).nullable().describe('Why nothing is sent.'),
  ...recordTimes,
});

const lasting = ['created', 'updated', 'deleted'] as const;

/** Each family of types: the happenings, and the data that describes the resource after the change. */
const families = {
  room: [['created', 'updated', 'ended'], roomSchema.omit(derived)],
  external_session: [
    ['created', 'active', 'interrupted', 'updated', 'health', 'ended', 'failed'],
    externalSessionSchema
      .omit({ ingest: true, keyframeIntervalSeconds: true, thumbnailUrl: true })
      .extend({ protocol: externalSessionSchema.shape.ingest.shape.protocol }),
  ],
  track: [['started', 'paused', 'resumed', 'ended'], track],
  participant: [['joined', 'updated', 'left'], member],
  playback: [
    ['created', 'active', 'idle', 'viewers', 'ended'],
    playbackSchema.omit({ endpoint: true, token: true, tokenExpiresAt: true, payloadProfile: true }),
  ],
  broadcast: [
    ['created', 'active', 'interrupted', 'updated', 'ended', 'failed'],
    broadcastSchema.omit({ playbackUrl: true, playbackTokenExpiresAt: true }),
  ],
  recording: [
    ['created', 'started', 'stopped', 'ready', 'failed', 'deleted'],
    recordingSchema.omit({ downloadUrl: true, downloadUrlExpiresAt: true, storyboardUrl: true, hlsUrl: true }),
  ],
  restream: [
    ['created', 'active', 'retrying', 'ended', 'failed'],
    restreamSchema.omit({ lastProblem: true }).extend({
      target: restreamSchema.shape.target.pick({ protocol: true }).describe('Target without its address.'),
      problem: restreamProblem.nullable().describe('Why the last attempt failed; null: none failed.'),
    }),
  ],
  balance: [['low', 'exhausted', 'updated'], balance],
  key: [
    [...lasting, 'superseded', 'disabled', 'enabled', 'revoked'],
    z.union([
      keySchema.pick({ keyID: true, type: true, createdAt: true, expiresAt: true }).strict(),
      disposableKeySchema
        .pick({
          keyID: true,
          name: true,
          type: true,
          operations: true,
          maxRole: true,
          createdAt: true,
          expiresAt: true,
        })
        .strict(),
    ]),
  ],
  domain: [lasting, domainSchema],
  sub_user: [lasting, subUserSchema.pick({ subUserID: true, name: true, role: true, state: true, createdAt: true })],
  settings: [lasting, z.union([eventSettingSchema, recordingSettingSchema])],
  ai_credential: [lasting, aiCredentialSchema.omit({ maskedApiKey: true, baseUrl: true, options: true })],
  agent: [
    lasting,
    agentSchema.pick({
      agentID: true,
      name: true,
      role: true,
      maxSessionMinutes: true,
      createdAt: true,
      updatedAt: true,
    }),
  ],
  sip_config: [
    lasting,
    sipConfigSchema.pick({
      ...({ sipConfigID: true, contactNumber: true, provider: true, agentID: true, supportSipActive: true } as const),
      ...({ createdAt: true, updatedAt: true } as const),
    }),
  ],
  translation_config: [lasting, translationConfigSchema.omit({ autoDetectSpokenLanguage: true })],
  webhook: [[...lasting, 'disabled', 'enabled'], webhook],
} as const satisfies Record<string, readonly [readonly string[], z.ZodType]>;

type Families = typeof families;
export type AccountEventType = {
  [Family in keyof Families]: `${Family}.${Families[Family][0][number]}`;
}[keyof Families];

/** `room.created` … */
export const accountEventTypes = Object.entries(families).flatMap(([family, [happenings]]) =>
  happenings.map(each => `${family}.${each}`),
) as [AccountEventType, ...AccountEventType[]];

/** The kinds of resources that events are about: those of the dashboard, and tracks. */
export const eventResourceKinds = [
  ...(['room', 'externalSession', 'track', 'participant', 'playback', 'broadcast', 'recording', 'restream'] as const),
  ...([
    'balance',
    'key',
    'disposableKey',
    'domain',
    'subUser',
    'eventsSetting',
    'recordingSetting',
    'aiCredential',
  ] as const),
  ...(['agent', 'sipConfig', 'translationConfig', 'webhook'] as const),
] as const;
export type EventResourceKind = (typeof eventResourceKinds)[number];

/** Returns the schema of the `data` of a type. */
export function dataSchemaOf(type: AccountEventType): z.ZodType {
  return families[type.slice(0, type.indexOf('.')) as keyof Families][1];
}

/** `external_session` → `ExternalSessionEvent` */
function schemaNameOf(family: string): string {
  return `${family.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

/** The members of each event. Each is one component, because the families repeat them. */
const envelope = {
  eventID: identifier('evt'),
  sequence: z
    .int()
    .min(1)
    .describe('Position in the log of the account: 1, 2, 3 and so on without gaps.')
    .meta({ id: 'EventSequence' }),
  createdAt: time,
  meetingID: identifier('room').nullable().describe('Room of the resource, or null.').meta({ id: 'EventRoom' }),
  resource: z
    .object({
      kind: z.enum(eventResourceKinds).describe('Kind of the resource.'),
      id: z.string().describe('Identifier of the resource. A balance has the name of its environment.'),
    })
    .describe('The resource that changed.')
    .meta({ id: 'EventResource' }),
  requestID: z
    .string()
    .nullable()
    .describe('`X-Request-Id` of the request that made the change, or null.')
    .meta({ id: 'EventRequest' }),
};

function schemaOf(family: keyof Families) {
  const [happenings, data] = families[family];
  return z
    .object({
      ...envelope,
      type: z.enum(happenings.map(each => `${family}.${each}`)).describe('Type of the event.'),
      data: data.describe('State of the resource.'),
    })
    .meta({ id: schemaNameOf(family), description: `Events \`${family}.*\`.` });
}

const [firstFamily, ...otherFamilies] = (Object.keys(families) as (keyof Families)[]).map(schemaOf);
if (!firstFamily) throw new Error('There are no types of events.');

/** One schema for each family, because one for each type would double the OpenAPI document. */
export const accountEventSchema = z.union([firstFamily, ...otherFamilies]);
export type PresentedAccountEvent = z.infer<typeof accountEventSchema>;
