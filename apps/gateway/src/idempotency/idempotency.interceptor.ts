import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import { canonicalJSON } from './canonical-json.js';
import { readIdempotencyKey } from './idempotency-key.js';
import { IdempotencyService } from './idempotency.service.js';
import { replay } from './kept-answer.js';

/** The administrator has no account. */
const administratorScope = 'administrator';

/** Answers a repeated POST with what the first one got. It stands behind the guards: who may not ask gets nothing. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: IdempotencyService) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const key = readIdempotencyKey(request);
    const accountID = request.caller?.accountID ?? (request.administrator ? administratorScope : undefined);
    if (key === undefined || accountID === undefined) return next.handle();
    return defer(() => this.answer(http.getResponse(), request, { accountID, key }, next));
  }

  private async answer(
    response: Response,
    request: Request,
    { accountID, key }: { accountID: string; key: string },
    next: CallHandler<unknown>,
  ): Promise<unknown> {
    const identity = { accountID, key, path: publicPath(request) };
    const work = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    const outcome = await this.idempotency.once(identity, contentOf(request), work);
    if (outcome.kind === 'done') return outcome.body;
    response.setHeader('Idempotent-Replayed', 'true');
    return replay(outcome.answer);
  }
}

function publicPath({ originalUrl }: Request): string {
  return originalUrl.replace(/\?.*$/s, '').replace(/\/+$/, '');
}

/** The inner path tells one action from another. */
function contentOf({ path, body }: Request): string {
  return canonicalJSON([path, body as unknown]);
}
