import {
  externalSessionTransitions,
  healthCodes,
  participantRequests,
  trackSources,
  trackStates,
} from '@rtms/contracts';
import { z } from 'zod';
import { count, identifier, oneOfKeys, time } from '../http/answers.js';
import { mediaKinds } from '../media/media-kinds.decorator.js';

const trackSchema = z.object({
  trackID: z.string(),
  kind: z.enum(mediaKinds),
  source: z.enum(trackSources),
  codec: z.string(),
  state: z.enum(trackStates),
});

const messageSchema = z.object({
  messageID: identifier('msg'),
  senderID: identifier('part'),
  senderName: z.string(),
  recipientID: identifier('part').nullable(),
  message: z.string(),
  sentAt: time,
});

const pollSchema = z.object({
  pollID: identifier('poll'),
  question: z.string(),
  options: z.array(z.string()),
  state: z.enum(['open', 'ended']),
  /** Votes for each option, once it has ended. */
  results: z.array(count).nullable(),
  createdBy: identifier('part'),
});

/** An external session as a participant of its room. */
export const participantStateSchema = z
  .object({
    sessionID: identifier('ext'),
    participantID: identifier('part'),
    state: oneOfKeys(externalSessionTransitions),
    media: z.object({
      isConnected: z.boolean(),
      tracks: z.array(trackSchema),
      health: z.array(z.enum(healthCodes)),
    }),
    /** The last 100 that it may see, oldest first. */
    chat: z.array(messageSchema),
    polls: z.array(pollSchema),
    requests: z.array(z.enum(participantRequests)),
    breakout: z.string().nullable(),
    whiteboard: z.enum(['view', 'draw']).nullable(),
  })
  .meta({ id: 'ParticipantState' });
export type PresentedParticipantState = z.infer<typeof participantStateSchema>;

const statusSchema = z.enum(['accepted', 'pending', 'rejected']);

export const outcomeSchema = z
  .object({
    action: z.enum(['poll.vote', 'chat.send', 'participant.request']),
    status: statusSchema,
    /** Of a chat message that was sent. */
    messageID: identifier('msg').optional(),
  })
  .meta({ id: 'ParticipantActionOutcome' });
export type PresentedOutcome = z.infer<typeof outcomeSchema>;
