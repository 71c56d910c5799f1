import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** Either form of a log endpoint's answer. */
export type LogAnswer<Entry> = Entry[] | { success: true; data: Entry[] };

/** `@WantsEnvelope() wantsEnvelope: boolean`: `envelope=1`, or the header `X-Service-Response: envelope`. */
export const WantsEnvelope = createParamDecorator((_: unknown, context: ExecutionContext): boolean => {
  const { query, headers } = context.switchToHttp().getRequest<Request>();
  return query['envelope'] === '1' || headers['x-service-response'] === 'envelope';
});

/** A plain array, unless the envelope is asked for; failures have the failure form in both. */
export function presentLogs<Entry>(entries: Entry[], wantsEnvelope: boolean): LogAnswer<Entry> {
  return wantsEnvelope ? { success: true, data: entries } : entries;
}
