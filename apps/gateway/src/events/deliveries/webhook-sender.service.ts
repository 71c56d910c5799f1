import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { checkedLookup, hostOf, isPublicAddress, resolverFor, type Resolve } from '@rtms/http';
import { messageOf } from '@rtms/logging';
import { Webhook as Signer } from 'standardwebhooks';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { unstorable } from '../../platform/http/request-input.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { readRetryAfter, type Outcome } from './delivery-decisions.js';

/** From the beginning of the first connection to the status of the answer. Shorter than half of a lease. */
const answerMs = 12_000;
/** The end of a reused connection in this time means that the receiver has not read the request. */
const staleMs = 1_000;
/** From the status to the end of the body. */
const bodyMs = 1_000;
/** Of the answer's body. The connection is closed at more. */
const maxBodyBytes = 4_096;
const shownCharacters = 1_024;
/** Idle connections to one host and port. */
const idleConnections = 4;
const idleMs = 10_000;

export interface WebhookRequest {
  url: string;
  body: string;
  headers: Record<string, string>;
}

export interface WebhookAnswer extends Outcome {
  /** null: the answer is a success. */
  error: string | null;
  responseBody: string | null;
  durationMs: number;
}

/** The headers of Standard Webhooks. Each secret signs, so that a receiver may know either. */
export function signedHeaders(
  { id, body, at }: { id: string; body: string; at: Date },
  secrets: readonly string[],
): Record<'Webhook-Id' | 'Webhook-Timestamp' | 'Webhook-Signature', string> {
  const signatures = secrets.map(secret => new Signer(secret).sign(id, at, body));
  return {
    'Webhook-Id': id,
    'Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
    'Webhook-Signature': signatures.join(' '),
  };
}

/** Sends requests to the addresses of webhooks: with deadlines, without redirects, and only to public addresses. */
@Injectable()
export class WebhookSenderService implements OnApplicationShutdown {
  /** Tests replace the resolver and the trusted certificates. */
  network: { resolve: Resolve; tls: SecureContextOptions } = {
    resolve: resolverFor({ allowsPrivate: this.config.insecureWebhooks === true }),
    tls: {},
  };
  private readonly agents = {
    'http:': new http.Agent({ keepAlive: true, maxFreeSockets: idleConnections, timeout: idleMs }),
    'https:': new https.Agent({ keepAlive: true, maxFreeSockets: idleConnections, timeout: idleMs }),
  };

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationShutdown(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  /** Never rejects. An aborted request has no answer. */
  async send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> {
    const began = this.clock.now();
    const answer = await this.attempt(request, signal).catch((error: unknown) => failed(messageOf(error)));
    return { ...answer, durationMs: Math.max(0, this.clock.now() - began) };
  }

  private async attempt(request: WebhookRequest, signal: AbortSignal): Promise<Omit<WebhookAnswer, 'durationMs'>> {
    const url = new URL(request.url);
    const { insecureWebhooks = false } = this.config;
    if (!insecureWebhooks && url.protocol !== 'https:') return failed('the address is not https');
    const host = hostOf(url);
    if (!insecureWebhooks && isIP(host) !== 0 && !isPublicAddress(host)) return failed('the host is a private address');
    const began = this.clock.now();
    const first = await this.exchange(url, request, { signal, began });
    // The receiver closed an idle connection at the moment of its reuse, so it has not read the request.
    if (first !== 'stale') return first;
    const second = await this.exchange(url, request, { signal, began, isFresh: true });
    return second as Exclude<typeof second, 'stale'>;
  }

  private exchange(
    url: URL,
    { body, headers }: WebhookRequest,
    { signal, began, isFresh = false }: { signal: AbortSignal; began: number; isFresh?: boolean },
  ): Promise<Omit<WebhookAnswer, 'durationMs'> | 'stale'> {
    return new Promise(resolve => {
      const protocol = url.protocol as keyof typeof this.agents;
      const { request: open } = protocol === 'https:' ? https : http;
      const sent = open(url, {
        ...this.network.tls,
        ...{ method: 'POST', signal, agent: isFresh ? false : this.agents[protocol] },
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        lookup: checkedLookup(this.network.resolve, { allowsPrivate: this.config.insecureWebhooks === true }),
      });
      const leftMs = Math.max(0, began + answerMs - this.clock.now());
      const deadline = this.clock.after(leftMs, () =>
        sent.destroy(new Error(`no answer within ${answerMs / 1000} seconds`)),
      );
      let isAnswered = false;
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const isEarly = this.clock.now() - began < staleMs;
        const isStale = !isFresh && isEarly && sent.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
        resolve(isStale && !signal.aborted ? 'stale' : failed(messageOf(error)));
      });
      sent.on('response', response => {
        isAnswered = true;
        deadline.cancel();
        this.readBody(response, text => resolve(answerOf(response, text, this.clock.now())));
      });
      sent.on('upgrade', ({ statusCode }, socket) => {
        resolve(failed(`the answer was ${statusCode}`));
        socket.destroy();
      });
      // The promise ends with any end of the connection.
      sent.on('close', () => {
        deadline.cancel();
        if (!isAnswered) resolve(failed('the connection closed'));
      });
      sent.end(body);
    });
  }

  /** Calls `done` once with the beginning of the body. A longer or slower body is cut off. */
  private readBody(response: http.IncomingMessage, done: (text: string) => void): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (): void => {
      timer.cancel();
      done(Buffer.concat(chunks).subarray(0, maxBodyBytes).toString('utf8'));
    };
    const cut = (): void => {
      end();
      response.destroy();
    };
    const timer = this.clock.after(bodyMs, cut);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBodyBytes) cut();
    });
    response.once('end', end);
    response.once('error', end);
    response.once('close', end);
  }
}

/** There was no answer that counts. */
export function failed(error: string): Omit<WebhookAnswer, 'durationMs'> {
  return { status: null, retryAfterMs: null, error: storable(error), responseBody: null };
}

function answerOf(
  { statusCode = 0, headers }: http.IncomingMessage,
  text: string,
  now: number,
): Omit<WebhookAnswer, 'durationMs'> {
  const isSuccess = statusCode >= 200 && statusCode < 300;
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const reason = isRedirect ? `${statusCode}: redirects are not followed` : `the answer was ${statusCode}`;
  return {
    status: statusCode,
    retryAfterMs: readRetryAfter(headers['retry-after'], now),
    error: isSuccess ? null : reason,
    responseBody: storable(text),
  };
}

const allUnstorable = new RegExp(unstorable, 'gu');

function storable(text: string): string {
  return text.slice(0, shownCharacters).replaceAll(allUnstorable, '\uFFFD');
}
