import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import type { Request, Response } from 'express';
import { Authenticator } from '../../accounts/authentication/authenticator.js';
import { DashboardSessionsService } from '../../accounts/sign-in/dashboard-sessions.service.js';
import { CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { cursorOf } from './event-cursor.js';
import {
  defaultPageSize,
  eventsSchema,
  GetEventsDto,
  presentEvent,
  readTypes,
  type EventsAnswer,
} from './event-log.dto.js';
import { EventLogService, type EventPage, type EventRequest } from './event-log.service.js';

@ApiTag({ name: 'Events', description: 'The event log of the account: every change of state, in order.' })
@Controller('v1/events')
@RequireOperation('readLogs')
export class EventsController {
  constructor(
    private readonly log: EventLogService,
    private readonly authenticator: Authenticator,
    private readonly sessions: DashboardSessionsService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listEvents',
    summary: 'Read the event log',
    description:
      'Answers events behind `after`, oldest first, those of a resource in the order of its changes. Events come at least once: ' +
      'ignore a known `eventID`. With `wait`, the answer waits for an event (long poll). With `Accept: text/event-stream`, the ' +
      'answer is a stream of server-sent events: `id` is a cursor, `event` the type, `data` the event as JSON. `Last-Event-ID` ' +
      'continues a stream and takes precedence over `after`. The stream ends when the key ends or the gateway stops; connect again.',
  })
  @ApiAnswer(eventsSchema, 'invalid_cursor', 'cursor_expired', 'too_many_waiting')
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: GetEventsDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<EventsAnswer> {
    const { accountID, environments, expiresAt } = caller;
    const wanted: EventRequest = {
      ...{ accountID, environments, expiresAt },
      types: readTypes(query.types),
      meetingID: query.meetingID ?? null,
      recheck: () => this.recheck(caller, request),
    };
    const isStream = request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream';
    const lastID = isStream ? request.get('Last-Event-ID') : undefined;
    const after = await this.log.startOf(accountID, (lastID === '' ? undefined : lastID) ?? query.after);
    const page = isStream
      ? await this.log.stream(wanted, after, response)
      : await this.log.poll(wanted, {
          after,
          pageSize: Number(query.pageSize ?? defaultPageSize),
          waitMs: Number(query.wait ?? 0) * 1_000,
          gone: closeOf(response),
        });
    const answer = presentPage(accountID, page);
    if (!response.headersSent && !response.destroyed) response.json(answer);
    return answer;
  }

  /** Throws if the credential ended after the request began. */
  private async recheck({ keyKind, keyID }: Caller, request: Request): Promise<void> {
    if (keyKind !== 'dashboard') return this.authenticator.recheck(request, 'readLogs');
    if (!(await this.sessions.isOpen(keyID))) throw new ServiceError('invalid_credentials', 'You are not signed in.');
  }
}

/** Aborts when the client is gone or has the answer. */
function closeOf(response: Response): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
}

function presentPage(accountID: string, { events, next, hasMore }: EventPage): EventsAnswer {
  return { success: true, events: events.map(presentEvent), nextCursor: cursorOf(accountID, next), hasMore };
}
