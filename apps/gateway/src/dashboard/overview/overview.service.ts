import { Injectable } from '@nestjs/common';
import type { OverviewNow, OverviewPoint } from '@rtms/contracts';
import { BalancesRepository } from '../../accounts/balance/balances.repository.js';
import { presentBalance } from '../../accounts/balance/present-balance.js';
import { bucketStarts, type OverviewRange } from './overview-range.js';
import { OverviewRepository, type BucketRow, type OverviewScope } from './overview.repository.js';

/** The running resources of an account, and its usage over time from the ledger that charges minutes. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly counts: OverviewRepository,
    private readonly balances: BalancesRepository,
  ) {}

  async now(scope: OverviewScope): Promise<OverviewNow> {
    const [counts, balance] = await Promise.all([this.counts.countNow(scope), this.balances.read(scope.accountID)]);
    return { ...counts, minutesLeft: presentBalance(balance) };
  }

  async points(scope: OverviewScope, range: OverviewRange, now: number): Promise<OverviewPoint[]> {
    const rows = await this.counts.readBuckets(scope, range, now);
    const amounts = new Map(rows.map(({ start, what, amount }) => [`${start} ${what}`, amount]));
    return bucketStarts(range).map(start => pointOf(start, what => amounts.get(`${start} ${what}`) ?? 0));
  }
}

function pointOf(start: number, amountOf: (what: BucketRow['what']) => number): OverviewPoint {
  return {
    start: new Date(start).toISOString(),
    participantMinutes: minutes(amountOf('participantMs')),
    recordingMinutes: minutes(amountOf('recordingMs')),
    roomsCreated: amountOf('rooms'),
    externalSessionsCreated: amountOf('sessions'),
    broadcastsCreated: amountOf('broadcasts'),
  };
}

/** Rounded to a hundredth of a minute. */
function minutes(ms: number): number {
  return Math.round(ms / 600) / 100;
}
