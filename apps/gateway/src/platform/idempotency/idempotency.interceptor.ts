import { createHash } from 'node:crypto';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import { canonicalJSON } from './canonical-json.js';
import { readIdempotencyKey } from './idempotency-key.js';
import { IdempotencyService } from './idempotency.service.js';
import type { RequestSender } from './idempotent-requests.repository.js';
import { replay } from './kept-answer.js';

/** Answers a repeated POST with what the first one got. It stands behind the guards: who may not ask gets nothing. */
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
 * Nobody but the very credential gets an answer, and with it a token or a key that is shown once: not another key of the same
 * owner, nor the key that a rotation put in its place. A user of the dashboard may ask in either environment.
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

/** The inner path tells one action from another. */
function contentOf({ path, body }: Request): string {
  return canonicalJSON([path, body as unknown]);
}
