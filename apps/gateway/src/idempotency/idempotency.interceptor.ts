import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import type { Caller } from '../auth/caller.js';
import { canonicalJSON } from './canonical-json.js';
import { readIdempotencyKey } from './idempotency-key.js';
import { IdempotencyService } from './idempotency.service.js';
import type { RequestSender } from './idempotent-requests.store.js';
import { replay } from './kept-answer.js';

/** The administrator has no account. */
const administrator: RequestSender = { accountID: 'administrator', credential: 'administrator' };

/** Answers a repeated POST with what the first one got. It stands behind the guards: who may not ask gets nothing. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: IdempotencyService) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const key = readIdempotencyKey(request);
    const sender = request.caller ? senderOf(request.caller) : request.administrator ? administrator : undefined;
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
 * Keys of one owner and one type share their repeats, so that a repeat may come after a rotation. Nobody else gets an
 * answer, and with it a token or a key that is shown once.
 */
function senderOf({ accountID, keyKind, keyType, keyID, subUserID }: Caller): RequestSender {
  const owner = keyKind === 'disposable' || keyKind === 'dashboard' ? keyID : (subUserID ?? accountID);
  return { accountID, credential: `${owner} ${keyType}` };
}

function publicPath({ originalUrl }: Request): string {
  return originalUrl.replace(/\?.*$/s, '').replace(/\/+$/, '');
}

/** The inner path tells one action from another. */
function contentOf({ path, body }: Request): string {
  return canonicalJSON([path, body as unknown]);
}
