import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import type { Request } from 'express';
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

/** A page of a list that is short by its nature, so that it is read as a whole. */
export function pageOf<Item>(all: readonly Item[], { startIndex, pageSize }: Page): Listed<Item> {
  return { items: all.slice(startIndex, startIndex + pageSize), total: all.length };
}
