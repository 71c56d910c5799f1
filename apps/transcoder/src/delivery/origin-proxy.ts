import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Closeable } from '@rtms/bus';
import { ServiceError } from '@rtms/contracts';
import type { Request, Response } from 'express';

/** Says that another node asks, so that two with an old idea of each other never ask in a circle. */
export const forwardedHeader = 'x-rtms-forwarded';
/**
 * Who asks: a replica that has nothing of the broadcast, the node that had it before, or the one that took it over and
 * is still without it.
 */
export type Asking = 'replica' | 'former' | 'successor';

const requestHeaders = ['accept-encoding', 'if-none-match', 'if-range', 'range', 'x-request-id'];
const responseHeaders = [
  ...[
    'accept-ranges',
    'cache-control',
    'content-disposition',
    'content-encoding',
    'content-length',
    'content-range',
    'content-type',
  ],
  ...['etag', 'retry-after', 'vary'],
];
/** The owner answers from memory: one that is silent for this long is gone. */
const silenceMs = 10_000;
/** How long the first byte may take. A former node is probably gone already; nobody shall wait for it. */
const usualPatienceMs: Record<Asking, number> = { replica: silenceMs, former: 2_000, successor: 1_000 };

/** Fetches from the node that has the broadcast, and passes it on as it comes. */
export class OriginProxy implements Closeable {
  private readonly agents = { 'http:': new Agent({ keepAlive: true }), 'https:': new TlsAgent({ keepAlive: true }) };

  constructor(private readonly patienceMs = usualPatienceMs) {}

  /** Throws `dependency_unavailable` when the owner cannot be reached; then nothing has been sent yet. */
  async forward(request: Request, response: Response, internalUrl: string, asking: Asking = 'replica'): Promise<void> {
    await passOn(await this.fetch(request, response, internalUrl, asking), response);
  }

  /** As `forward`, but only what the other node has. Whether it had it; if not, nothing has been sent. */
  async forwardFound(request: Request, response: Response, internalUrl: string, asking: Asking): Promise<boolean> {
    const answer = await this.fetch(request, response, internalUrl, asking);
    if (isFound(answer.statusCode ?? 502)) return passOn(answer, response).then(() => true);
    answer.resume();
    return false;
  }

  close(): Promise<void> {
    for (const agent of Object.values(this.agents)) agent.destroy();
    return Promise.resolve();
  }

  private fetch(request: Request, response: Response, internalUrl: string, asking: Asking): Promise<IncomingMessage> {
    const url = new URL(internalUrl + request.originalUrl);
    const isTls = url.protocol === 'https:';
    const headers = { ...pick(request.headers, requestHeaders), [forwardedHeader]: asking };
    const options = { method: request.method, headers, agent: this.agents[isTls ? 'https:' : 'http:'] };
    return new Promise((resolve, reject) => {
      const outgoing = (isTls ? httpsRequest : httpRequest)(url, options, answer => {
        outgoing.setTimeout(silenceMs);
        resolve(answer);
      });
      outgoing.setTimeout(this.patienceMs[asking], () => outgoing.destroy());
      outgoing.on('error', () => reject(unreachable()));
      response.once('close', () => outgoing.destroy());
      outgoing.end();
    });
  }
}

/** What a player can use; also that it has it already, or asks for a part that is not there. */
function isFound(status: number): boolean {
  return (status >= 200 && status < 300) || status === 304 || status === 416;
}

async function passOn(answer: IncomingMessage, response: Response): Promise<void> {
  response.statusCode = answer.statusCode ?? 502;
  for (const [name, value] of Object.entries(pick(answer.headers, responseHeaders))) {
    if (value !== undefined) response.setHeader(name, value);
  }
  // Either side may go away at any time; there is nobody left to tell.
  await pipeline(answer, response).catch(() => undefined);
}

function pick(headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(names.flatMap(name => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

function unreachable(): ServiceError {
  return new ServiceError('dependency_unavailable', 'The node that has this cannot be reached right now.');
}
