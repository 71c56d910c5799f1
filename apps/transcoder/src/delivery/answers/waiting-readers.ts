import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { isPartName, parseAwaited } from '../presentation/playlists/parts.js';
import type { Presentation } from '../presentation/presentation.js';

/** Requests that may wait at once. A player of a broadcast with sound waits for two playlists. */
const most = { address: 256, broadcast: 4_000, account: 8_000, node: 16_000 };
/** Another node waits for several of its own viewers. */
const addressOfNode = 8;

export interface WaitingReader {
  address: string;
  broadcastID: string;
  accountID?: string | undefined;
  /** The request comes from another node. */
  isForwarded?: boolean;
}

/**
 * The requests that wait for a playlist or a part of low-latency HLS. Each waiting request has a place of its address, its broadcast,
 * its account and the node, so that none of them takes all places.
 */
export class WaitingReaders {
  private readonly counts = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Requests that wait now. */
  get size(): number {
    return this.counts.get('node') ?? 0;
  }

  /** Takes a place. Returns a function that frees it, which is safe to call twice. Throws RATE_LIMITED without a free place. */
  take({ address, broadcastID, accountID = broadcastID, isForwarded = false }: WaitingReader): () => void {
    const places: [string, number][] = [
      [`address ${address}`, isForwarded ? most.address * addressOfNode : most.address],
      [`broadcast ${broadcastID}`, most.broadcast],
      [`account ${accountID}`, most.account],
      ['node', most.node],
    ];
    if (places.some(([key, limit]) => (this.counts.get(key) ?? 0) >= limit))
      throw new ServiceError('too_many_waiting', 'Too many requests wait for this broadcast. Retry in a second.');
    for (const [key] of places) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      for (const [key] of places) this.free(key);
    };
  }

  /**
   * Resolves with true once `isReady` returns true after a change of the presentation, and with false after `longestMs` or when
   * the signal aborts. Rejects with what `isReady` throws.
   */
  until(
    presentation: Pick<Presentation, 'onChanged'>,
    isReady: () => boolean,
    { longestMs, signal }: { longestMs: number; signal: AbortSignal },
  ): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        timer.cancel();
        ignore();
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      const onAbort = (): void => end(() => resolve(false));
      const look = (): void => {
        try {
          if (isReady()) end(() => resolve(true));
        } catch (error) {
          end(() => reject(error instanceof Error ? error : new Error('unknown', { cause: error })));
        }
      };
      const timer = this.clock.after(longestMs, onAbort);
      const ignore = presentation.onChanged(look);
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) onAbort();
      else look();
    });
  }

  private free(key: string): void {
    const left = (this.counts.get(key) ?? 0) - 1;
    if (left > 0) this.counts.set(key, left);
    else this.counts.delete(key);
  }
}

/**
 * Returns a check whether the file exists, or will not exist, to be repeated after changes. Throws BAD_REQUEST for malformed
 * directives; the check throws it for those too far ahead.
 */
export function mediaCheck(presentation: Presentation, file: string, query: string): () => boolean {
  const [rendition = '', name] = file.split('/');
  if (name === 'index.m3u8') {
    const awaited = parseAwaited(query);
    return () => !awaited || presentation.live?.hasReached(rendition, awaited) !== false;
  }
  if (!isPartName(file)) return () => true;
  return () => !presentation.live?.isHinted(file) || presentation.segmentInMemory(file) !== undefined;
}

/** Whether the request needs `use`: it may have to wait, or its directives are wrong. */
export function mayWait(presentation: Presentation, file: string, query: string): boolean {
  if (!presentation.live || !query.includes('_HLS_')) return false;
  try {
    return !mediaCheck(presentation, file, query)();
  } catch {
    return true;
  }
}
