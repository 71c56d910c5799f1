import { HTTP_CODE_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { administratorOnlyKey, requiredOperationKey } from '../auth/auth.decorators.js';
import { dashboardAccessKey, type DashboardAccess } from '../auth/signed-in.decorators.js';
import { splitAction } from '../http/action.decorator.js';
import { answerOf, operationOf, tagOf } from '../http/api.decorators.js';
import type { DtoClass } from '../http/dto.js';
import { wantsEnvelope } from '../http/page.decorator.js';
import { pageOfRequest } from '../http/page.decorator.js';
import type { Route } from '../http/route-table.js';

export type NeededCredential = 'key' | 'administrator' | 'session' | 'none';

/** A handler with the declarations of its decorators and those of its controller. */
export type Handler = ReturnType<typeof handlerOf>;

/** One method of one public path. With actions, an operation has several handlers. */
export type DocumentedOperation = [Handler, ...Handler[]];

export function operationsOf(routes: readonly Route[]): DocumentedOperation[] {
  return grouped(routes.map(handlerOf), ({ method, path }) => `${method} ${path}`).map(([, handlers]) => handlers);
}

/** Items by key, in the order in which the keys appear. */
export function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): [Key, [Item, ...Item[]]][] {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups];
}

function handlerOf(route: Route) {
  const { segments, action } = splitAction(route.path);
  const { method, controller, handler } = route;
  const status = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
  const access = accessOf(route);
  return {
    method,
    /** `/v1/meetings/{meetingID}/playbacks` */
    path: `/${segments.join('/')}`.replaceAll(/:(\w+)/g, '{$1}'),
    /** undefined: the path has no actions. */
    action,
    status: status ?? (method === 'POST' ? 201 : 200),
    tag: tagOf(controller),
    answer: answerOf(handler),
    ...operationOf(handler),
    ...argumentsOf(route),
    ...access,
    /** The request may have an `Idempotency-Key`. */
    isRepeatable: method === 'POST' && (access.credential === 'key' || access.credential === 'administrator'),
  };
}

/** Numbers of `@Body()` and `@Query()` in Nest's RouteParamtypes. */
const bodyType = '3';
const queryType = '4';

/** The values that a handler takes from a request. */
export function argumentsOf({ controller, handler }: Route) {
  const declared = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) as object | undefined;
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler.name) as DtoClass[];
  const all = Object.entries(declared ?? {}) as [string, { index: number; factory?: unknown }][];
  const classOf = (kind: string): DtoClass | undefined =>
    types[all.find(([key]) => key.startsWith(`${kind}:`))?.[1].index ?? -1];
  const has = (wanted: unknown) => all.some(([, { factory }]) => factory === wanted);
  return {
    body: classOf(bodyType),
    query: classOf(queryType),
    isPaged: has(pageOfRequest),
    hasEnvelope: has(wantsEnvelope),
  };
}

const reflector = new Reflector();

const sessionRights: Readonly<Record<Exclude<DashboardAccess, 'anyone'>, string>> = {
  user: 'For signed-in users.',
  viewer: 'For users of an account.',
  developer: 'For developers and owners of an account.',
  owner: 'For owners of an account.',
};

function accessOf({ controller, handler }: Route): { credential: NeededCredential; rights: string } {
  const of = <Value>(key: string) => reflector.getAllAndOverride<Value | undefined>(key, [handler, controller]);
  const access = of<DashboardAccess>(dashboardAccessKey);
  if (access !== undefined && access !== 'anyone') return { credential: 'session', rights: sessionRights[access] };
  if (of(administratorOnlyKey)) return { credential: 'administrator', rights: 'Needs the administrator’s token.' };
  const anyOf = of<readonly string[]>(requiredOperationKey)?.map(name => `\`${name}\``);
  if (anyOf) return { credential: 'key', rights: `The key needs the operation ${anyOf.join(' or ')}.` };
  return { credential: 'none', rights: 'Needs no credential.' };
}
