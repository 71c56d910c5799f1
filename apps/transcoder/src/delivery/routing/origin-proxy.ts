import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Closeable } from '@rtms/bus';
import { ServiceError, type BroadcastOrigin } from '@rtms/contracts';
import type { Request, Response } from 'express';
import { clientDataHeaders } from '../viewers/client-data.js';
import { isWaiting } from '../presentation/playlists/parts.js';

/** Header of a request from another node. It prevents loops between nodes with outdated lookups. */
export const forwardedHeader = 'x-rtms-forwarded';
/** Header with the key of the requested node. Only the bus names the key, so clients cannot claim to be a node. */
export const nodeKeyHeader = 'x-rtms-node-key';
/**
 * The role of the requesting node: a replica without the broadcast, the former node, or the successor that does not have the
 * file yet.
 */
export type Asking = 'replica' | 'former' | 'successor';

const requestHeaders = ['accept-encoding', 'if-none-match', 'if-range', 'range', 'x-request-id', ...clientDataHeaders];
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
/** The owner answers from memory, so a longer silence means that it is lost. */
const silenceMs = 10_000;
/** ms to wait for an answer that waits for media: three target durations of the longest segments, and some. */
const longestWaitMs = 35_000;
/** ms to wait for the first byte. Short for a hand-over, because the other node is probably gone. */
const usualPatienceMs: Record<Asking, number> = { replica: silenceMs, former: 2_000, successor: 1_000 };

/** Streams responses from the node that has the broadcast. */
export class OriginProxy implements Closeable {
  private readonly agents = { 'http:': new Agent({ keepAlive: true }), 'https:': new TlsAgent({ keepAlive: true }) };

  constructor(private readonly patienceMs = usualPatienceMs) {}

  /**
   * Gives the owner the time that it lets a request for low-latency HLS wait. Throws `dependency_unavailable` if the owner is
   * unreachable. The response is then still unsent.
   */
  async forward(
    request: Request,
    response: Response,
    origin: BroadcastOrigin,
    asking: Asking = 'replica',
  ): Promise<void> {
    const usualMs = this.patienceMs[asking];
    const patienceMs = isWaiting(request.originalUrl) ? Math.max(longestWaitMs, usualMs) : usualMs;
    await passOn(await this.fetch(request, response, origin, { asking, patienceMs }), response);
  }

  /** Like `forward`, but not patient. Sends nothing and returns false if the other node does not have the file. */
  async forwardFound(request: Request, response: Response, origin: BroadcastOrigin, asking: Asking): Promise<boolean> {
    const answer = await this.fetch(request, response, origin, { asking, patienceMs: this.patienceMs[asking] });
    if (isFound(answer.statusCode ?? 502)) return passOn(answer, response).then(() => true);
    answer.resume();
    return false;
  }

  close(): Promise<void> {
    for (const agent of Object.values(this.agents)) agent.destroy();
    return Promise.resolve();
  }

  private fetch(
    request: Request,
    response: Response,
    { internalUrl, nodeKey }: BroadcastOrigin,
    { asking, patienceMs }: { asking: Asking; patienceMs: number },
  ): Promise<IncomingMessage> {
    const url = new URL(internalUrl + request.originalUrl);
    const isTls = url.protocol === 'https:';
    const claims = { [forwardedHeader]: asking, ...(nodeKey !== undefined && { [nodeKeyHeader]: nodeKey }) };
    const headers = { ...pick(request.headers, requestHeaders), ...claims };
    const options = { method: request.method, headers, agent: this.agents[isTls ? 'https:' : 'http:'] };
    return new Promise((resolve, reject) => {
      const outgoing = (isTls ? httpsRequest : httpRequest)(url, options, answer => {
        outgoing.setTimeout(silenceMs);
        resolve(answer);
      });
      outgoing.setTimeout(patienceMs, () => outgoing.destroy());
      outgoing.on('error', () => reject(unreachable()));
      response.once('close', () => outgoing.destroy());
      outgoing.end();
      if (response.destroyed) outgoing.destroy();
    });
  }
}

export function newNodeKey(): string {
  return randomBytes(24).toString('base64url');
}

/** Whether the request comes from another node, which knows this node's key. Compares in constant time. */
export function isFromNode(request: Request, nodeKey: string): boolean {
  const [given, own] = [Buffer.from(request.header(nodeKeyHeader) ?? ''), Buffer.from(nodeKey)];
  return given.length === own.length && timingSafeEqual(given, own);
}

/** Whether the player can use the response: 2xx, 304 or 416. */
function isFound(status: number): boolean {
  return (status >= 200 && status < 300) || status === 304 || status === 416;
}

async function passOn(answer: IncomingMessage, response: Response): Promise<void> {
  response.statusCode = answer.statusCode ?? 502;
  for (const [name, value] of Object.entries(pick(answer.headers, responseHeaders))) {
    if (value !== undefined) response.setHeader(name, value);
  }
  // Ignore a connection that either side closes.
  await pipeline(answer, response).catch(() => undefined);
}

function pick(headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(names.flatMap(name => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

function unreachable(): ServiceError {
  return new ServiceError('dependency_unavailable', 'The node with this file is unavailable. Try again in a moment.');
}
