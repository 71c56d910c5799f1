import { ManualClock } from '@rtms/testing';
import { createRtms, type Rtms, type RtmsOptions } from '../index.js';

interface SentRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

type Answering = (request: SentRequest, signal: AbortSignal) => Response | Promise<Response>;

/** A gateway that answers by a list: each request takes the next answer, and the last answer stays. */
export class FakeGateway {
  readonly clock = new ManualClock();
  readonly requests: SentRequest[] = [];
  readonly rtms: Rtms;

  constructor(
    private readonly answers: Answering[],
    options: Partial<RtmsOptions> = {},
  ) {
    const fetch = (request: Request): Promise<Response> => this.answer(request);
    this.rtms = createRtms({ url: 'https://rtms.test', key: 'acme:k3y', clock: this.clock, fetch, ...options });
  }

  private async answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    const sent = {
      method: request.method,
      path: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
    const answer = this.answers[Math.min(this.requests.push(sent), this.answers.length) - 1];
    if (!answer) throw new Error('The fake gateway has no answer.');
    return answer(sent, request.signal);
  }
}

export function succeeds(members: object, status = 200): Answering {
  return () => Response.json({ success: true, ...members }, { status });
}

export function fails(status: number, code: string, reason: string, headers: Record<string, string> = {}): Answering {
  const body = { success: false, error: `It is ${reason}.`, code, reason };
  return () => Response.json(body, { status, headers: { 'X-Request-Id': 'request-1', ...headers } });
}

/** The connection is refused. */
export function refuses(): never {
  throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
}

/** No answer before the caller gives up. */
export function isSilent(_: unknown, signal: AbortSignal): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });
}
