import { z } from 'zod';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** Either form of a log endpoint's answer. */
export type LogAnswer<Entry> = Entry[] | { success: true; data: Entry[] };

export function wantsEnvelope(_: unknown, context: ExecutionContext): boolean {
  const { query, headers } = context.switchToHttp().getRequest<Request>();
  return query['envelope'] === '1' || headers['x-service-response'] === 'envelope';
}

/** `@WantsEnvelope() wantsEnvelope: boolean`: `envelope=1`, or the header `X-Service-Response: envelope`. */
export const WantsEnvelope = createParamDecorator(wantsEnvelope);

/** A plain array, unless the envelope is asked for; failures have the failure form in both. */
export function presentLogs<Entry>(entries: Entry[], inEnvelope: boolean): LogAnswer<Entry> {
  return inEnvelope ? { success: true, data: entries } : entries;
}

export function logAnswer<Entry>(entry: z.ZodType<Entry>): z.ZodType<LogAnswer<Entry>> {
  const entries = z.array(entry);
  return z.union([entries, z.object({ success: z.literal(true), data: entries })]);
}
