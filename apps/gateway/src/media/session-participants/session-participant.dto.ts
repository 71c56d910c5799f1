import {
  participantRequests,
  externalSessionTransitions,
  healthCodes,
  trackSources,
  trackStates,
} from '@rtms/contracts';
import { z } from 'zod';
import { Dto, optional } from '../../platform/http/dto.js';
import { flag, idOf, oneOf, text, whole } from '../../platform/http/fields.js';
import { count, identifier, oneOfKeys, time } from '../../platform/http/answers.js';
import { mediaKind } from '../resources/end-media.dto.js';

export class PollVoteDto extends Dto({
  pollID: idOf('a poll'),
  choice: whole(0, 1000).describe('Index of the option, from 0.'),
}) {}

export class ChatSendDto extends Dto({
  message: text(1, 2000).describe('Text of the message.'),
  ...optional({ recipientID: idOf('a participant').describe('The only reader. Default: everyone in the room.') }),
}) {}

export class ParticipantRequestDto extends Dto({
  request: oneOf(participantRequests).describe('The kind of request to the host.'),
  ...optional({ active: flag.describe('`false` withdraws the request.') }, { active: true }),
}) {}

const trackSchema = z.object({
  trackID: z.string().describe('Identifier of the track.'),
  kind: mediaKind,
  source: z.enum(trackSources).describe('Source of the track.'),
  codec: z.string().describe('Codec of the track.'),
  state: z.enum(trackStates).describe('State of the track.'),
});

const messageSchema = z.object({
  messageID: identifier('msg'),
  senderID: identifier('part').describe('The participant that sent the message.'),
  senderName: z.string().describe('Name of the sender.'),
  recipientID: identifier('part').nullable().describe('The only reader; null: everyone in the room.'),
  message: z.string().describe('Text of the message.'),
  sentAt: time.describe('When the message was sent.'),
});

const pollSchema = z.object({
  pollID: identifier('poll'),
  question: z.string().describe('The question.'),
  options: z.array(z.string()).describe('The options.'),
  state: z.enum(['open', 'ended']).describe('State of the poll.'),
  results: z.array(count).nullable().describe('Votes for each option; null until the poll ends.'),
  createdBy: identifier('part').describe('The participant that created the poll.'),
});

const mediaSchema = z.object({
  isConnected: z.boolean().describe('Whether the publisher is connected.'),
  tracks: z.array(trackSchema).describe('Tracks that the publisher sends.'),
  health: z.array(z.enum(healthCodes)).describe('Problems of the media; empty without problems.'),
});

export const participantStateSchema = z
  .object({
    sessionID: identifier('ext'),
    participantID: identifier('part'),
    state: oneOfKeys(externalSessionTransitions).describe('State of the session.'),
    media: mediaSchema.describe('Media of the session.'),
    chat: z.array(messageSchema).describe('The last 100 messages that the session may read, oldest first.'),
    polls: z.array(pollSchema).describe('Polls of the room.'),
    requests: z.array(z.enum(participantRequests)).describe('Active requests of the session to the host.'),
    breakout: z.string().nullable().describe('Breakout room of the session, or null.'),
    whiteboard: z.enum(['view', 'draw']).nullable().describe('Whiteboard permission of the session, or null.'),
  })
  .meta({ id: 'ParticipantState', description: 'An external session as a participant of its room.' });
export type PresentedParticipantState = z.infer<typeof participantStateSchema>;

export const outcomeSchema = z
  .object({
    action: z.enum(['poll.vote', 'chat.send', 'participant.request']).describe('The requested action.'),
    status: z.enum(['accepted', 'pending', 'rejected']).describe('Result of the action.'),
    messageID: identifier('msg').optional().describe('Identifier of the sent chat message.'),
  })
  .meta({ id: 'ParticipantActionOutcome', description: 'The result of an action.' });
export type PresentedOutcome = z.infer<typeof outcomeSchema>;
