import type { Clock } from '@rtms/clock';
import { authorization, safeAddress } from './player-source.js';

interface ViewerListener {
  /** The types of the events, as they arrive. */
  onEvent(type: string): void;
  /** The server no longer has the viewer. */
  onGone(): void;
}

interface FollowOptions {
  /** From the answer to the offer. */
  url: string;
  token: string;
  signal: AbortSignal;
  clock: Clock;
}

const wantedTypes = ['active', 'inactive', 'reconnect'];
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** Failures in a row. After them the player only watches the media. */
const mostFailures = 6;
/** A longer line is none of an event that we want. */
const longestLine = 64 * 1024;

/**
 * Follows the events of a WHEP viewer (draft-ietf-wish-whep, server-sent events) until `signal` aborts. `EventSource` cannot send the
 * token, so this reads the stream of `fetch`. Opens a lost stream again: a proxy may close it while the media goes on.
 */
export async function followViewer(options: FollowOptions, listener: ViewerListener): Promise<void> {
  const { signal, clock } = options;
  const stream = new EventStream(options);
  const isOver = (): boolean => signal.aborted;
  let pauseMs = firstPauseMs;
  for (let failures = 0; failures < mostFailures && !isOver(); failures += 1) {
    const end = await stream.read(type => {
      [failures, pauseMs] = [0, firstPauseMs];
      if (!isOver()) listener.onEvent(type);
    });
    if (end === 'gone') {
      if (!isOver()) listener.onGone();
      return;
    }
    await clock.pause(pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

class EventStream {
  private address: string | undefined;

  constructor(private readonly options: FollowOptions) {}

  /** Reads until the stream ends. `gone`: the server no longer has the viewer. */
  async read(onEvent: (type: string) => void): Promise<'gone' | 'lost'> {
    try {
      const response = await this.open();
      if (isGone(response)) return 'gone';
      if (response.ok) for await (const type of eventsIn(response.body)) onEvent(type);
    } catch {
      // The connection was lost, or the answer is none of WHEP.
    }
    return 'lost';
  }

  private async open(): Promise<Response> {
    const { url, signal } = this.options;
    const headers = authorization(this.options);
    if (this.address === undefined) {
      const init = { method: 'POST', body: JSON.stringify(wantedTypes), signal };
      const made = await fetch(url, { ...init, headers: { ...headers, 'Content-Type': 'application/json' } });
      const location = made.headers.get('Location');
      if (!made.ok || location === null) return made;
      this.address = safeAddress(location, url);
      if (this.address === undefined) return made;
    }
    return fetch(this.address, { headers, signal });
  }
}

const isGone = ({ status }: Response): boolean => status === 404 || status === 410;

/** The types of the events of a stream, as they arrive. */
export async function* eventsIn(body: ReadableStream<Uint8Array<ArrayBuffer>> | null): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let text = ''; ;) {
      const read = await reader?.read();
      if (!read || read.done) return;
      const lines = `${text}${read.value}`.split('\n');
      text = (lines.pop() ?? '').slice(0, longestLine);
      yield* lines.filter(line => line.startsWith('event:')).map(line => line.slice('event:'.length).trim());
    }
  } finally {
    void reader?.cancel().catch(() => undefined);
  }
}
