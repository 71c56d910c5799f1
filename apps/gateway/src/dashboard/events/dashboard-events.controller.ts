import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { Response } from 'express';
import { DashboardSessionsService } from '../../accounts/sign-in/dashboard-sessions.service.js';
import {
  CurrentAccount,
  CurrentUser,
  DashboardFor,
  type SignedIn,
  type SignedInAccount,
} from '../../platform/auth/signed-in.decorators.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { EventStream } from '../../platform/http/event-stream.js';
import { AccountWatchService, type Change, type Follower } from './account-watch.service.js';

/** Streams the names of changed records to a page, which then fetches them again. */
@Controller('dashboard/api/events')
@DashboardFor('viewer')
export class DashboardEventsController {
  constructor(
    private readonly watch: AccountWatchService,
    private readonly sessions: DashboardSessionsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  stream(
    @CurrentAccount() { accountID }: SignedInAccount,
    @CurrentUser() { sessionID }: SignedIn,
    @Res() response: Response,
  ): void {
    const open: { stream?: EventStream } = {};
    const follower: Follower = {
      isWanted: () => this.sessions.isOpen(sessionID),
      ready: () => open.stream?.send({ event: 'ready', data: '{}' }),
      changed: (changes: readonly Change[]) =>
        open.stream?.send({ event: 'change', data: JSON.stringify({ changes }) }),
      end: () => open.stream?.end(),
    };
    this.watch.follow(accountID, follower);
    open.stream = new EventStream(response, this.clock);
    open.stream.signal.addEventListener('abort', () => this.watch.unfollow(accountID, follower));
  }
}
