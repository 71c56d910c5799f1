import { ServiceError } from '@rtms/contracts';
import { z } from 'zod';
import { success } from '../../platform/http/answers.js';
import { Dto, optionalQuery } from '../../platform/http/dto.js';
import { pageSizeText, queryText, wholeText } from '../../platform/http/fields.js';
import type { AccountEvent } from './account-event.js';
import {
  accountEventSchema,
  accountEventTypes,
  type AccountEventType,
  type PresentedAccountEvent,
} from './event-types.js';

export const maxWaitSeconds = 25;
export const defaultPageSize = 100;

export class GetEventsDto extends Dto(
  optionalQuery({
    after: queryText().meta({
      description:
        'Answers only events after this `nextCursor` or streamed `id`; `latest`: only events from now on. Default: the oldest kept event.',
      examples: ['latest'],
    }),
    types: queryText(2_000).meta({
      description: 'Answers only these types, with commas between them. `room.*` stands for all types of rooms.',
      examples: ['room.*,playback.active'],
    }),
    meetingID: queryText().describe('Answers only events of this room and its resources.'),
    pageSize: pageSizeText,
    wait: wholeText(0, maxWaitSeconds, '0').describe('Seconds to wait for an event if there is none. Default: 0.'),
  }),
) {}

export const eventsSchema = z.strictObject({
  success,
  events: z
    .array(accountEventSchema)
    .describe(
      'The events in their order, oldest first. `data` is the resource after the change; before it for `deleted`.',
    ),
  nextCursor: z.string().meta({
    description: 'The `after` of the next request, also when there is no event.',
    examples: ['4711.k3Jx_81Q'],
  }),
  hasMore: z.boolean().describe('Whether more events may follow already. Ask again without a pause.'),
});
export type EventsAnswer = z.infer<typeof eventsSchema>;

/** `room.*,playback.active` → the types. `field` has the text. Throws BAD_REQUEST for an unknown type. */
export function readTypes(text: string | undefined, field = 'types'): readonly AccountEventType[] | null {
  if (text === undefined) return null;
  const wanted = text.split(',').map(each => each.trim());
  if (wanted.some(each => typesOf([each]).length === 0))
    throw new ServiceError(
      'invalid_request',
      `${field} must be types of the event log, such as room.created or room.*.`,
    );
  return typesOf(wanted);
}

/** Returns the types and those of the families, each once. An unknown type stands for nothing. */
export function typesOf(wanted: readonly string[]): readonly AccountEventType[] {
  const isWanted = (type: string) =>
    wanted.some(each => (each.endsWith('.*') ? type.startsWith(each.slice(0, -1)) : type === each));
  return accountEventTypes.filter(isWanted);
}

export function presentEvent(event: AccountEvent): PresentedAccountEvent {
  const { accountID: _, keyType: __, ...presented } = event;
  return presented as PresentedAccountEvent;
}
