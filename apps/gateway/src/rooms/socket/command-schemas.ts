import {
  participantRequests,
  ServiceError,
  trackSources,
  type SocketCommand,
  type SocketCommandName,
  type SocketCommands,
} from '@rtms/contracts';
import { checkValue } from '@rtms/http';
import { z } from 'zod';
import { hasLength } from '../../platform/http/fields.js';
import { unstorable } from '../../platform/http/request-input.js';

function text(name: string, min: number, max: number) {
  return z
    .string({ error: `${name} must be text.` })
    .refine(value => hasLength(value, min, max) && !unstorable.test(value), {
      error: `${name} must be text of ${min} to ${max} characters.`,
    });
}

const identifier = (name: string) =>
  z.string({ error: `${name} must be text.` }).regex(/^[\w-]{1,64}$/, `${name} must be an identifier.`);
const oneOf = <const Values extends readonly string[]>(name: string, values: Values) =>
  z.enum(values, { error: `${name} must be one of: ${values.join(', ')}.` });
const flag = (name: string) => z.boolean({ error: `${name} must be true or false.` });
const description = (name: string) => z.record(z.string(), z.unknown(), { error: `${name} must be an object.` });
const layer = z.number().int().min(0).max(7);

const participantID = identifier('participantID');
const transportID = identifier('transportID');
const trackID = identifier('trackID');
const subscriptionID = identifier('subscriptionID');
const nothing = z.strictObject({});

type RequestSchemas = { [Name in SocketCommandName]: z.ZodType<SocketCommands[Name]['request']> };

const requests = {
  'chat.send': z.strictObject({
    message: text('message', 1, 2000),
    recipientID: identifier('recipientID').exactOptional(),
  }),
  'poll.create': z.strictObject({
    question: text('question', 1, 300),
    options: z
      .array(text('options', 1, 100), { error: 'options must be a list.' })
      .min(2, 'options must be 2 to 20.')
      .max(20, 'options must be 2 to 20.'),
  }),
  'poll.vote': z.strictObject({
    pollID: identifier('pollID'),
    choice: z
      .int({ error: 'choice must be the place of an option, from 0.' })
      .min(0, 'choice must be the place of an option, from 0.')
      .max(1000, 'choice must be the place of an option, from 0.'),
  }),
  'poll.end': z.strictObject({ pollID: identifier('pollID') }),
  'participant.request': z.strictObject({
    request: oneOf('request', participantRequests),
    active: flag('active').exactOptional(),
  }),
  'request.decide': z.strictObject({
    participantID,
    request: oneOf('request', participantRequests),
    accept: flag('accept'),
  }),
  'participant.mute': z.strictObject({ participantID, source: oneOf('source', trackSources) }),
  'participant.remove': z.strictObject({ participantID }),
  'participant.admit': z.strictObject({ participantID }),
  'breakout.assign': z.strictObject({ participantID, breakout: text('breakout', 1, 64).nullable() }),
  'whiteboard.assign': z.strictObject({ participantID, whiteboard: oneOf('whiteboard', ['view', 'draw']).nullable() }),
  leave: nothing,
  'media.open': nothing,
  'media.openTransport': z.strictObject({ direction: oneOf('direction', ['send', 'receive']) }),
  'media.connectTransport': z.strictObject({ transportID, dtlsParameters: description('dtlsParameters') }),
  'media.restartIce': z.strictObject({ transportID }),
  'media.publish': z.strictObject({
    transportID,
    source: oneOf('source', trackSources),
    rtpParameters: description('rtpParameters'),
  }),
  'media.pauseTrack': z.strictObject({ trackID }),
  'media.resumeTrack': z.strictObject({ trackID }),
  'media.closeTrack': z.strictObject({ trackID }),
  'media.subscribe': z.strictObject({ transportID, trackID, rtpCapabilities: description('rtpCapabilities') }),
  'media.updateSubscription': z.strictObject({
    subscriptionID,
    paused: flag('paused').exactOptional(),
    layers: z.strictObject({ spatialLayer: layer, temporalLayer: layer.exactOptional() }).exactOptional(),
  }),
  'media.unsubscribe': z.strictObject({ subscriptionID }),
} satisfies RequestSchemas;

const envelope = z.strictObject({
  commandID: z.string().regex(/^[\w-]{1,64}$/),
  name: z.string(),
  request: z.unknown(),
});

/** A command of any name with the request of that name. */
export type AnyCommand = { [Name in SocketCommandName]: SocketCommand<Name> & { name: Name } }[SocketCommandName];

/** Validates a command. Throws `invalid_request` or `unknown_action`. */
export function parseCommand(sent: unknown): AnyCommand {
  const command = checkValue(envelope, sent);
  if (!command.success)
    throw new ServiceError(
      'invalid_request',
      'Send { commandID, name, request }; commandID is 1 to 64 of A-Za-z0-9_-.',
    );
  const { commandID, name, request } = command.data;
  if (!Object.hasOwn(requests, name)) throw new ServiceError('unknown_action', 'There is no command of this name.');
  const parsed = checkValue(requests[name as SocketCommandName], request ?? {});
  if (!parsed.success) throw new ServiceError('invalid_request', refusalText(parsed.error));
  return { commandID, name, request: parsed.data } as AnyCommand;
}

function refusalText({ issues }: z.ZodError): string {
  const [first] = issues;
  if (first?.code === 'unrecognized_keys') return 'The request has an unknown field. Remove it.';
  const isOurs = first !== undefined && /^[a-zA-Z]+ must /.test(first.message);
  return isOurs ? first.message : 'The request has a value that is not allowed.';
}
