import { createHash } from 'node:crypto';
import {
  applyDecorators,
  Injectable,
  Post,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import type { Request, Response } from 'express';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import { IdempotencyService } from './idempotency.service.js';
import type { RequestSender } from './idempotent-requests.repository.js';
import { replay } from './kept-answer.js';

/** Answers a repeated POST with the answer of the first one. Runs after the guards, so that nobody gets the answer without a right to it. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: IdempotencyService) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const key = readIdempotencyKey(request);
    const sender = key === undefined ? undefined : senderOf(request);
    if (key === undefined || sender === undefined) return next.handle();
    return defer(() => this.answer(http.getResponse(), request, { ...sender, key }, next));
  }

  private async answer(
    response: Response,
    request: Request,
    sender: RequestSender & { key: string },
    next: CallHandler<unknown>,
  ): Promise<unknown> {
    const identity = { ...sender, path: publicPath(request) };
    const work = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    const outcome = await this.idempotency.once(identity, contentOf(request), work);
    if (outcome.kind === 'done') return outcome.body;
    response.setHeader('Idempotent-Replayed', 'true');
    return replay(outcome.answer);
  }
}

/**
 * An answer may have a token or a key that is shown once. So only the same credential gets it again: neither another key of the
 * owner nor the key that a rotation put in its place. A user of the dashboard may ask in either environment.
 */
function senderOf({ caller, administrator, signedIn, headers }: Request): RequestSender | undefined {
  if (caller) return { accountID: caller.accountID, credential: `${caller.keyID} ${caller.keyType}` };
  if (!administrator) return undefined;
  const credential =
    signedIn?.sessionID ??
    createHash('sha256')
      .update(headers.authorization ?? '')
      .digest('base64');
  return { accountID: 'administrator', credential };
}

function publicPath({ originalUrl }: Request): string {
  return originalUrl.replace(/\?.*$/s, '').replace(/\/+$/, '');
}

/** The inner path has the action. */
function contentOf({ path, body }: Request): string {
  return canonicalJSON([path, body as unknown]);
}

/** A POST that may have an `Idempotency-Key`. Reads have no interceptor: it would cost a large part of their time. */
export function IdempotentPost(path = ''): MethodDecorator {
  return applyDecorators(Post(path), UseInterceptors(IdempotencyInterceptor));
}

const acceptable = /^[\x20-\x7e]{1,255}$/;

/** Returns the `Idempotency-Key` of a POST; undefined without the header and for other methods. */
function readIdempotencyKey({ method, headers }: Pick<Request, 'method' | 'headers'>): string | undefined {
  const sent = headers['idempotency-key'];
  if (method !== 'POST' || sent === undefined) return undefined;
  if (typeof sent === 'string' && acceptable.test(sent)) return sent;
  throw new ServiceError('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.');
}

/** JSON with sorted names, so that equal bodies are equal texts. */
export function canonicalJSON(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => (isPlainObject(each) ? sorted(each) : each));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without a prototype, so that `__proto__` stays an ordinary field. */
function sorted(value: Record<string, unknown>): object {
  const result = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(value).sort()) result[name] = value[name];
  return result;
}
