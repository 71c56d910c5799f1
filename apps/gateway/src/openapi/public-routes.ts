import { HTTP_CODE_METADATA } from '@nestjs/common/constants.js';
import { actionPrefix } from '../http/action.decorator.js';
import type { Route } from '../http/route-table.js';

/** A handler as callers see it. */
export interface PublicHandler {
  route: Route;
  /** undefined: the address has no actions. */
  action: string | undefined;
  status: number;
}

/** One method of one public path; with actions, it has several handlers. */
export interface PublicOperation {
  method: string;
  /** `/v1/meetings/{meetingID}/playbacks` */
  path: string;
  handlers: PublicHandler[];
}

export function publicOperations(routes: readonly Route[]): PublicOperation[] {
  const operations = new Map<string, PublicOperation>();
  for (const route of routes) {
    const { path, action } = publicPath(route.path);
    const key = `${route.method} ${path}`;
    const operation = operations.get(key) ?? { method: route.method, path, handlers: [] };
    operation.handlers.push({ route, action, status: statusOf(route) });
    operations.set(key, operation);
  }
  return [...operations.values()];
}

function publicPath(path: string): { path: string; action: string | undefined } {
  const segments = path.split('/').filter(Boolean);
  const action = segments.at(-1)?.startsWith(actionPrefix) ? segments.pop()?.slice(actionPrefix.length) : undefined;
  return { path: `/${segments.map(each => each.replace(/^:(.*)$/, '{$1}')).join('/')}`, action };
}

function statusOf({ method, handler }: Route): number {
  const declared = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
  return declared ?? (method === 'POST' ? 201 : 200);
}
