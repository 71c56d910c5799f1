import { type MediaKind } from '@rtms/contracts';
import { z } from 'zod';
import { endReason, time } from '../../platform/http/answers.js';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { listOf, queryText, secretText } from '../../platform/http/fields.js';

const mediaKinds: readonly MediaKind[] = ['video', 'audio'];
export const mediaKind = z.enum(mediaKinds).describe('Kind of media.');
const kindsError = 'must be a list of video, audio or both, each at most once.';
export const mediaKindList = listOf(z.enum(mediaKinds, { error: kindsError }), 1, mediaKinds.length, kindsError);

const reason = secretText(0, 256);

/** Body of each DELETE under a meeting. */
export class EndMediaDto extends Dto(
  optional({
    reason: reason.meta({
      description: 'Note of the application, kept with the resource and in its log.',
      examples: ['The show is over.'],
    }),
  }),
) {}

/** Query of lists of playbacks and broadcasts. */
export class OfSourceDto extends Dto(
  optionalQuery({
    sourceSessionID: queryText().describe('Answers only records of this external session.'),
  }),
) {}

/** The times and the end of an external session, a playback or a broadcast. */
export const lifeFields = {
  createdAt: time.describe('When the resource was created.'),
  activatedAt: time.nullable().describe('When the resource became active; null: not yet.'),
  endedAt: time.nullable().describe('When the resource ended; null: not yet.'),
  endReason: endReason.nullable().describe('Why the resource ended.'),
  reason: z.string().nullable().describe('The `reason` of the DELETE; null without one.'),
};
