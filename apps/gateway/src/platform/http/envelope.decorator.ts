import { z } from 'zod';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { pageFields, success } from './answers.js';
import type { Page } from './page.decorator.js';
import type { Listed } from '../rows/list-rows.js';

/** Either form of a log endpoint's answer. */
export type LogAnswer<Entry> = Entry[] | Envelope<Entry>;

interface Envelope<Entry> extends Page {
  success: true;
  data: Entry[];
  total: number;
}

export function wantsEnvelope(_: unknown, context: ExecutionContext): boolean {
  const { query, headers } = context.switchToHttp().getRequest<Request>();
  return query['envelope'] === '1' || headers['x-service-response'] === 'envelope';
}

/** `@WantsEnvelope() wantsEnvelope: boolean`: `envelope=1`, or the header `X-Service-Response: envelope`. */
export const WantsEnvelope = createParamDecorator(wantsEnvelope);

/** A plain array, unless the envelope is asked for; failures have the failure form in both. */
export function presentLogs<Entry>({ items, total }: Listed<Entry>, page: Page, inEnvelope: boolean): LogAnswer<Entry> {
  return inEnvelope ? { success: true, data: items, total, ...page } : items;
}

/** A plain array cannot say that more entries exist: its headers do, by web links (RFC 8288). */
export function setPageHeaders(response: Response, { path, query, page, total }: ListedPage): void {
  const to = (startIndex: number, rel: string) => {
    const sent = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) sent.set(name, value);
    sent.set('startIndex', String(startIndex));
    sent.set('pageSize', String(page.pageSize));
    return `<${path}?${sent.toString()}>; rel="${rel}"`;
  };
  const { startIndex, pageSize } = page;
  const links = [
    ...(startIndex + pageSize < total ? [to(startIndex + pageSize, 'next')] : []),
    ...(startIndex > 0 ? [to(Math.max(0, startIndex - pageSize), 'prev')] : []),
  ];
  response.setHeader('X-Total-Count', String(total));
  if (links.length > 0) response.setHeader('Link', links.join(', '));
}

interface ListedPage {
  path: string;
  /** The filters of the list. */
  query: Readonly<Record<string, string | undefined>>;
  page: Page;
  total: number;
}

export function logAnswer<Entry>(entry: z.ZodType<Entry>): z.ZodType<LogAnswer<Entry>> {
  const data = z.array(entry).describe('The entries of this page.');
  return z.union([data, z.object({ success, data, ...pageFields })]);
}
