export interface AdminClientOptions {
  /** Base address of the gateway. */
  url: string;
  token: string;
}

/** The gateway refused a request. */
export class RefusedRequest extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** Sends requests to `/admin/v1`. Throws an error with the message of a failure. */
export class AdminClient {
  constructor(private readonly options: AdminClientOptions) {}

  /** `withinMs`: the time after which the request fails. */
  get(path: string, withinMs?: number): Promise<object> {
    return this.send('GET', path, undefined, withinMs);
  }

  post(path: string, body: object = {}): Promise<object> {
    return this.send('POST', path, body);
  }

  put(path: string, body: object): Promise<object> {
    return this.send('PUT', path, body);
  }

  delete(path: string): Promise<object> {
    return this.send('DELETE', path);
  }

  private async send(method: string, path: string, body?: object, withinMs?: number): Promise<object> {
    const address = `${this.options.url.replace(/\/+$/, '')}/admin/v1${path}`;
    const response = await fetch(address, {
      method,
      headers: { Authorization: `Bearer ${this.options.token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(withinMs !== undefined && { signal: AbortSignal.timeout(withinMs) }),
    }).catch(() => {
      throw new Error(`No answer from ${this.options.url}. Set RTMS_ADMIN_URL to the address of the gateway.`);
    });
    const answer = (await response.json()) as { error?: string };
    if (!response.ok)
      throw new RefusedRequest(answer.error ?? `The gateway answered ${response.status}.`, response.status);
    return answer;
  }
}
