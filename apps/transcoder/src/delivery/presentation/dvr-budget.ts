import type { Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import type { Logger } from '@rtms/logging';
import type { Presentation } from './presentation.js';

/** Bytes of media that only viewers need who seek back. */
export interface DvrLimits {
  /** On this node. */
  maxBytes: number;
  /** Of one account on this node. */
  maxAccountBytes: number;
}

/** Below so much free disk, viewers lose the time to seek back: recordings and new broadcasts need the space more. */
export const dvrReserveBytes = 512 * 1024 * 1024;
/** A broadcast of 10 Mbit/s writes 2.5 MB in this time. */
const checkMs = 2_000;

/** A broadcast with media to seek back to. */
export type DvrHolder = Pick<Presentation, 'dvrBytes' | 'ended'>;

interface Held<Holder> {
  holder: Holder;
  accountID: string;
}

/**
 * Chooses the broadcast that gives up its oldest segments; undefined if everything fits. The account with the most bytes gives
 * first, so one account never takes the time of another that uses less. In the account an ended broadcast gives first, then
 * the one with the most bytes.
 */
export function chooseToShorten<Holder extends DvrHolder>(
  held: readonly Held<Holder>[],
  { maxBytes, maxAccountBytes }: DvrLimits,
  freeBytes: number,
): Holder | undefined {
  const accounts = new Map<string, { bytes: number; holders: Holder[] }>();
  for (const { holder, accountID } of held) {
    const account = accounts.get(accountID) ?? { bytes: 0, holders: [] };
    account.bytes += holder.dvrBytes;
    account.holders.push(holder);
    accounts.set(accountID, account);
  }
  const [largest, ...others] = [...accounts.values()].sort((a, b) => b.bytes - a.bytes);
  if (!largest) return undefined;
  const total = others.reduce((sum, { bytes }) => sum + bytes, largest.bytes);
  if (total <= maxBytes && largest.bytes <= maxAccountBytes && freeBytes >= dvrReserveBytes) return undefined;
  const withBytes = largest.holders.filter(({ dvrBytes }) => dvrBytes > 0);
  return withBytes.sort((a, b) => Number(b.ended) - Number(a.ended) || b.dvrBytes - a.dvrBytes)[0];
}

export interface DvrBudgetParts {
  /** Returns the free bytes of the disk with the segments. */
  freeBytes: () => Promise<number>;
  clock: Clock;
  logger: Logger;
}

/** Keeps the media to seek back to within its limits, and shortens it before the disk is full. */
export class DvrBudget implements Closeable {
  private readonly accounts = new Map<Presentation, string>();
  /** Ended presentations of broadcasts that came back to this node. Nobody finds their playlists. */
  private readonly replaced = new Set<Presentation>();
  private readonly timer: Timer;
  private checking: Promise<void> | undefined;

  constructor(
    private readonly parts: DvrBudgetParts,
    private readonly limits: DvrLimits,
  ) {
    this.timer = parts.clock.every(checkMs, () => void this.check());
  }

  /** Counts the presentation until it is closed, or until the broadcast has another one. */
  add(presentation: Presentation, accountID: string): void {
    for (const former of this.accounts.keys()) {
      if (former.broadcastID === presentation.broadcastID) this.replaced.add(former);
    }
    this.accounts.set(presentation, accountID);
  }

  /** Bytes in use. */
  get usedBytes(): number {
    return this.held().reduce((sum, { holder }) => sum + holder.dvrBytes, 0);
  }

  /** Shortens broadcasts until everything fits. */
  check(): Promise<void> {
    this.checking ??= this.shorten().finally(() => (this.checking = undefined));
    return this.checking;
  }

  async close(): Promise<void> {
    this.timer.cancel();
    await this.checking;
  }

  private held(): Held<Presentation>[] {
    for (const presentation of this.accounts.keys()) {
      if (presentation.isClosed) this.accounts.delete(presentation);
    }
    return [...this.accounts].map(([holder, accountID]) => ({ holder, accountID }));
  }

  private async shorten(): Promise<void> {
    await this.forgetReplaced();
    if (this.usedBytes === 0) return;
    const shortened = new Map<string, number>();
    try {
      let free = await this.parts.freeBytes();
      for (;;) {
        const next = chooseToShorten(this.held(), this.limits, free);
        if (!next) break;
        const bytes = await next.giveUpOldest();
        free += bytes;
        shortened.set(next.broadcastID, (shortened.get(next.broadcastID) ?? 0) + bytes);
      }
    } catch (err) {
      this.parts.logger.error({ err }, 'cannot shorten the DVR windows of broadcasts');
    }
    for (const [broadcastID, bytes] of shortened) {
      this.parts.logger.warn({ broadcastID, bytes }, 'shortened the DVR window of a broadcast to save disk');
    }
  }

  /** Players may still fetch the last segments of these presentations. No playlist has the others. */
  private async forgetReplaced(): Promise<void> {
    for (const presentation of this.replaced) {
      try {
        while (presentation.dvrBytes > 0) await presentation.giveUpOldest();
        this.accounts.delete(presentation);
        this.replaced.delete(presentation);
      } catch (err) {
        const { broadcastID } = presentation;
        this.parts.logger.error({ err, broadcastID }, 'cannot delete the DVR window of a former broadcast');
      }
    }
  }
}
