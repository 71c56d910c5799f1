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
import { AccountWatchService, type Change, type Follower } from './account-watch.service.js';

/** Proxies close connections without traffic, often after a minute. */
const beatMs = 20_000;
const headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'private, no-store',
  'X-Accel-Buffering': 'no',
};

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
    const follower = toFollower(response, () => this.sessions.isOpen(sessionID));
    this.watch.follow(accountID, follower);
    response.writeHead(200, headers);
    const beat = this.clock.every(beatMs, () => void response.write(': still here\n\n'));
    response.once('close', () => {
      beat.cancel();
      this.watch.unfollow(accountID, follower);
    });
  }
}

function toFollower(response: Response, isWanted: () => Promise<boolean>): Follower {
  return {
    isWanted,
    ready: () => void response.write('event: ready\ndata: {}\n\n'),
    changed: (changes: readonly Change[]) =>
      void response.write(`event: change\ndata: ${JSON.stringify({ changes })}\n\n`),
    end: () => void response.end(),
  };
}
