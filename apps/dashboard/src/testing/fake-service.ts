/** A request of the page. */
export interface SeenRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
}

interface Answer {
  status?: number;
  body?: object;
  /** Instead of JSON. */
  text?: string;
  headers?: Record<string, string>;
}

type Answering = (request: SeenRequest) => Answer | Promise<Answer>;

/** A refusal in the format of `/v1`. */
export function refusal(status: number, reason: string, error: string, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: { success: false, error, code: 'REFUSED', reason } };
}

/**
 * Replaces the gateway behind `fetch`. It answers the routes that a test adds, and records every request. A request to another
 * route fails like a lost connection, and `unexpected` names it.
 */
export class FakeService {
  readonly requests: SeenRequest[] = [];
  readonly unexpected: string[] = [];
  readonly #routes = new Map<string, Answering>();

  /** Replaces the page's `fetch`. */
  install(): this {
    Object.assign(window, { fetch: (url: string, init: RequestInit = {}) => this.#fetch(url, init) });
    return this;
  }

  /** Answers a route with a body, or with the result of a function. Replaces the earlier answer of the route. */
  on(route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`, answer: object | Answering): this {
    const answering = typeof answer === 'function' ? (answer as Answering) : () => ({ body: answer });
    this.#routes.set(route, answering);
    return this;
  }

  /** Answers a list of `/v1`, page by page. */
  onList(path: `/${string}`, many: string, records: readonly object[]): this {
    return this.on(`GET ${path}`, ({ query }: SeenRequest) => {
      const [startIndex, pageSize] = [Number(query['startIndex']), Number(query['pageSize'])];
      const page = records.slice(startIndex, startIndex + pageSize);
      return { body: { success: true, [many]: page, total: records.length, startIndex, pageSize } };
    });
  }

  /** The requests to a route, in order. */
  to(route: string): SeenRequest[] {
    return this.requests.filter(({ method, path }) => `${method} ${path}` === route);
  }

  /** The bodies of the requests to a route, in order. */
  bodiesTo(route: string): unknown[] {
    return this.to(route).map(({ body }) => body);
  }

  async #fetch(url: string, init: RequestInit): Promise<unknown> {
    const request = seen(url, init);
    this.requests.push(request);
    const route = `${request.method} ${request.path}`;
    const answering = this.#routes.get(route);
    if (!answering) {
      this.unexpected.push(route);
      throw new TypeError(`no answer to ${route}`);
    }
    // The fakes ignore the SDP of an answer.
    const { status = 200, body = {}, text = '', headers = {} } = await answering(request);
    const lowerCase = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    return {
      ok: status < 300,
      status,
      headers: { get: (name: string) => lowerCase.get(name.toLowerCase()) ?? null },
      json: () => Promise.resolve(structuredCopy(body)),
      text: () => Promise.resolve(text),
    };
  }
}

function seen(url: string, init: RequestInit): SeenRequest {
  const { pathname, searchParams } = new URL(url, 'http://gateway.test');
  return {
    method: init.method ?? 'GET',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: { ...(init.headers as Record<string, string>) },
    body: bodyOf(init),
  };
}

/** JSON, or the text of an SDP offer. */
function bodyOf({ body }: RequestInit): unknown {
  if (typeof body !== 'string') return undefined;
  return body.startsWith('v=0') ? body : JSON.parse(body);
}

function structuredCopy(body: object): unknown {
  return JSON.parse(JSON.stringify(body));
}
