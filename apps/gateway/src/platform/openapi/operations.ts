import { HTTP_CODE_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { administratorOnlyKey, requiredOperationKey } from '../auth/auth.decorators.js';
import { dashboardAccessKey } from '../auth/signed-in.decorators.js';
import { splitAction } from '../http/action.decorator.js';
import type { DtoClass } from '../http/dto.js';
import { wantsEnvelope } from '../http/envelope.decorator.js';
import { pageOfRequest } from '../http/page.decorator.js';
import type { Route } from '../http/route-table.js';

/** The values that a handler takes from a request. */
interface Arguments {
  body: DtoClass | undefined;
  query: DtoClass | undefined;
  isPaged: boolean;
  hasEnvelope: boolean;
}

interface Handler extends Arguments {
  route: Route;
  /** undefined: the path has no actions. */
  action: string | undefined;
  status: number;
}

/** One method of one public path. With actions, an operation has several handlers. */
export interface Operation {
  method: string;
  /** `/v1/meetings/{meetingID}/playbacks` */
  path: string;
  handlers: [Handler, ...Handler[]];
}

export type Credential = 'key' | 'administrator' | 'session' | 'none';

export function operationsOf(routes: readonly Route[]): Operation[] {
  const operations = new Map<string, Operation>();
  for (const route of routes) {
    const { segments, action } = splitAction(route.path);
    const path = `/${segments.map(each => each.replace(/^:(.*)$/, '{$1}')).join('/')}`;
    const handler = { route, action, status: statusOf(route), ...argumentsOf(route) };
    const known = operations.get(`${route.method} ${path}`);
    if (known) known.handlers.push(handler);
    else operations.set(`${route.method} ${path}`, { method: route.method, path, handlers: [handler] });
  }
  return [...operations.values()];
}

function statusOf({ method, handler }: Route): number {
  const declared = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
  return declared ?? (method === 'POST' ? 201 : 200);
}

/** Numbers of `@Body()` and `@Query()` in Nest's RouteParamtypes. */
const bodyType = '3';
const queryType = '4';

export function argumentsOf({ controller, handler }: Route): Arguments {
  const prototype = controller.prototype as object;
  const declared = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) as object | undefined;
  const types = Reflect.getMetadata('design:paramtypes', prototype, handler.name) as DtoClass[] | undefined;
  const all = Object.entries(declared ?? {}) as [string, { index: number; factory?: unknown }][];
  const classOf = (kind: string) => types?.[all.find(([key]) => key.startsWith(`${kind}:`))?.[1].index ?? -1];
  const has = (wanted: unknown) => all.some(([, { factory }]) => factory === wanted);
  return {
    body: classOf(bodyType),
    query: classOf(queryType),
    isPaged: has(pageOfRequest),
    hasEnvelope: has(wantsEnvelope),
  };
}

function metadataOf(key: string, { route }: Handler): unknown {
  return Reflect.getMetadata(key, route.handler) ?? Reflect.getMetadata(key, route.controller);
}

export function credentialOf({ handlers }: Operation): Credential {
  const access = handlers.map(handler => metadataOf(dashboardAccessKey, handler));
  if (access.includes('anyone')) return 'none';
  if (access.some(each => each !== undefined)) return 'session';
  if (handlers.some(handler => metadataOf(administratorOnlyKey, handler) !== undefined)) return 'administrator';
  return handlers.some(handler => metadataOf(requiredOperationKey, handler) !== undefined) ? 'key' : 'none';
}

export function rightsOf(handler: Handler): string {
  const anyOf = metadataOf(requiredOperationKey, handler) as readonly string[] | undefined;
  const access = metadataOf(dashboardAccessKey, handler);
  if (access === 'owner') return 'For users of an account.';
  if (access === 'user') return 'For signed-in users.';
  if (anyOf) return `The key needs the operation ${anyOf.map(name => `\`${name}\``).join(' or ')}.`;
  return metadataOf(administratorOnlyKey, handler) ? 'Needs the administrator’s token.' : 'Needs no credential.';
}
