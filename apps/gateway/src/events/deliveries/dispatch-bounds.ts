import { LRUCache } from 'lru-cache';

/** Requests that one gateway sends at a time. */
const bounds = { total: 256, perAccount: 64, perWebhook: 32 };
/** All webhooks that answer slowly share this part, so that the others always find a place. */
const slowTotal = bounds.total / 2;
/** Of a webhook that this gateway does not know. */
const firstWindow = 4;
const slowMs = 2_000;
const rememberedWebhooks = 20_000;

interface Sending {
  webhookID: string;
  accountID: string;
}

/** Requests that are about to begin. */
interface Planned {
  total: number;
  slow: number;
  ofAccounts: Map<string, number>;
}

/**
 * Decides how many requests of a webhook may run at a time. A webhook that answers quickly gets one more place with each answer; one
 * that is slow or fails gets half. So a slow webhook soon has one place, and its requests delay no other webhook.
 */
export class DispatchBounds {
  private readonly windows = new LRUCache<string, number>({ max: rememberedWebhooks });
  private readonly running = new Map<string, number>();
  private total = 0;
  private slow = 0;

  /** The numbers of further requests that may begin now, at most so many in all. The first webhooks come first. */
  placesFor(due: readonly Sending[], atMost: number): Map<string, number> {
    const places = new Map<string, number>();
    const planned: Planned = { total: 0, slow: 0, ofAccounts: new Map() };
    for (const each of due) {
      const { webhookID, accountID } = each;
      const count = Math.min(this.placesOf(each, planned), atMost - planned.total);
      if (count <= 0) continue;
      places.set(webhookID, count);
      planned.total += count;
      if (this.windowOf(webhookID) === 1) planned.slow += count;
      planned.ofAccounts.set(accountID, (planned.ofAccounts.get(accountID) ?? 0) + count);
    }
    return places;
  }

  private placesOf({ webhookID, accountID }: Sending, planned: Planned): number {
    const window = this.windowOf(webhookID);
    const left = [
      window - this.count(webhookID),
      bounds.perAccount - this.count(accountID) - (planned.ofAccounts.get(accountID) ?? 0),
      bounds.total - this.total - planned.total,
      ...(window === 1 ? [slowTotal - this.slow - planned.slow] : []),
    ];
    return Math.max(0, Math.min(...left));
  }

  /** Returns a function that ends the request; it takes whether and how fast the webhook answered. */
  begin({ webhookID, accountID }: Sending): (answer: { isSuccess: boolean; durationMs: number }) => void {
    const isSlow = this.windowOf(webhookID) === 1;
    this.add([webhookID, accountID], isSlow, 1);
    return ({ isSuccess, durationMs }) => {
      this.add([webhookID, accountID], isSlow, -1);
      const window = this.windowOf(webhookID);
      const next = isSuccess && durationMs < slowMs ? window + 1 : Math.floor(window / 2);
      this.windows.set(webhookID, Math.min(Math.max(next, 1), bounds.perWebhook));
    };
  }

  private windowOf(webhookID: string): number {
    return this.windows.get(webhookID) ?? firstWindow;
  }

  private count(id: string): number {
    return this.running.get(id) ?? 0;
  }

  private add(ids: readonly string[], isSlow: boolean, step: 1 | -1): void {
    this.total += step;
    if (isSlow) this.slow += step;
    for (const id of ids) {
      const count = this.count(id) + step;
      if (count === 0) this.running.delete(id);
      else this.running.set(id, count);
    }
  }
}
