import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { pageFields, success } from './answers.js';
import { optionalQuery } from './dto.js';
import { whole } from './fields.js';
import type { Listed, Page } from '../rows/list-rows.js';

export type { Page };

const maxStartIndex = 2 ** 31 - 1;
const maxPageSize = 100;
const defaultPageSize = 20;

/** The parameters of a list in the API reference. */
export const pageQuery = optionalQuery({
  startIndex: whole(0, maxStartIndex).meta({
    ...{ description: 'Number of records to skip, newest first.', default: 0, examples: [0] },
  }),
  pageSize: whole(1, maxPageSize).meta({
    ...{ description: 'Greatest number of records in the answer.', default: defaultPageSize, examples: [20] },
  }),
});

function wholeNumber(value: unknown, fallback: number, [min, max]: [number, number]): number | undefined {
  if (value === undefined) return fallback;
  if (typeof value !== 'string' || !/^\d{1,10}$/.test(value)) return undefined;
  const number = Number(value);
  return number >= min && number <= max ? number : undefined;
}

export function readPage(query: Record<string, unknown>): Page {
  const startIndex = wholeNumber(query['startIndex'], 0, [0, maxStartIndex]);
  if (startIndex === undefined) {
    throw new ServiceError('invalid_request', 'startIndex must be a whole number, 0 or more.');
  }
  const pageSize = wholeNumber(query['pageSize'], defaultPageSize, [1, maxPageSize]);
  if (pageSize === undefined) {
    throw new ServiceError('invalid_request', `pageSize must be a whole number from 1 to ${maxPageSize}.`);
  }
  return { startIndex, pageSize };
}

export function pageOfRequest(_: unknown, context: ExecutionContext): Page {
  return readPage(context.switchToHttp().getRequest<Request>().query);
}

/** `@PageQuery() page: Page`: `startIndex` and `pageSize` of the query. */
export const PageQuery = createParamDecorator(pageOfRequest);

/** A page of a short list that is already in memory. */
export function pageOf<Item>(all: readonly Item[], { startIndex, pageSize }: Page): Listed<Item> {
  return { items: all.slice(startIndex, startIndex + pageSize), total: all.length };
}

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

/** Answers a plain array or, on request, the envelope. Failures have the failure form in both. */
export function presentLogs<Entry>({ items, total }: Listed<Entry>, page: Page, inEnvelope: boolean): LogAnswer<Entry> {
  return inEnvelope ? { success: true, data: items, total, ...page } : items;
}

/** Says in headers how many entries exist and where the next page is (RFC 8288): a plain array has no place for it. */
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
