import { ServiceError } from '@rtms/contracts';
import type { Request, RequestHandler } from 'express';
import { actionPrefix, splitAction } from './action.decorator.js';

/** A public path with its methods. */
interface PathEntry {
  /** `['v1', 'rooms', ':meetingID']` */
  segments: string[];
  /** Actions by method. An ordinary route has an empty list. */
  methods: Map<string, string[]>;
}

export interface PathMatch {
  methods: ReadonlyMap<string, readonly string[]>;
}

/** Public paths with their methods and actions, from the routes of all controllers. */
export class ActionTable {
  private readonly entries = new Map<string, PathEntry>();
  private readonly byLength = new Map<number, PathEntry[]>();

  constructor(routes: readonly { method: string; path: string }[]) {
    for (const route of routes) this.add(route);
    const entries = [...this.entries.values()].sort((one, other) => parameters(one) - parameters(other));
    for (const entry of entries) {
      const alike = this.byLength.get(entry.segments.length) ?? [];
      this.byLength.set(entry.segments.length, [...alike, entry]);
    }
  }

  /** Literal segments win over parameters. */
  match(path: string): PathMatch | undefined {
    const segments = split(path);
    return this.byLength.get(segments.length)?.find(entry => fits(entry.segments, segments));
  }

  private add({ method, path }: { method: string; path: string }): void {
    const { segments, action } = splitAction(path);
    const key = segments.join('/');
    const entry = this.entries.get(key) ?? { segments, methods: new Map<string, string[]>() };
    const actions = entry.methods.get(method) ?? [];
    entry.methods.set(method, action === undefined ? actions : [...actions, action]);
    this.entries.set(key, entry);
  }
}

function split(path: string): string[] {
  return path.split('/').filter(Boolean);
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.every((each, index) => each.startsWith(':') || each === segments[index]);
}

function parameters({ segments }: PathEntry): number {
  return segments.filter(each => each.startsWith(':')).length;
}

/** The internal path of a request and whether `action` chose it; or the methods that the path allows. */
export type RoutedRequest = { path: string; isAction: boolean } | { allow: string[] };

/**
 * Finds the internal path of a request. `action` must be an action of the path and method. A path that contains `@` itself is not
 * found.
 */
export function routeRequest(table: ActionTable, method: string, path: string, action: unknown): RoutedRequest {
  if (hasActionSegment(path)) throw new ServiceError('not_found', 'There is nothing at this address.');
  const match = table.match(path);
  if (!match) return { path, isAction: false };
  const actions = match.methods.get(method === 'HEAD' ? 'GET' : method);
  if (actions === undefined) return { allow: [...match.methods.keys()].sort() };
  if (actions.length === 0) return { path, isAction: false };
  const wanted = action ?? (method === 'POST' ? undefined : 'get');
  if (typeof wanted !== 'string' || !actions.includes(wanted)) throw unknownAction(wanted, actions);
  return { path: `${path.replace(/\/+$/, '')}/${actionPrefix}${wanted}`, isAction: true };
}

function hasActionSegment(path: string): boolean {
  return /\/(?:@|%40)/i.test(path);
}

function unknownAction(wanted: unknown, actions: readonly string[]): ServiceError {
  const beginning = wanted === undefined ? 'Action is missing.' : 'Unknown action.';
  return new ServiceError('unknown_action', `${beginning} Actions here are: ${actions.join(', ')}.`);
}

/** Runs after the JSON parser and before the router. Reads the table on the first request, when all controllers exist. */
export function routeActions(table: () => ActionTable): RequestHandler {
  return (request, response, next) => {
    const action: unknown = request.method === 'POST' ? bodyOf(request)['action'] : request.query['action'];
    const routed = routeRequest(table(), request.method, request.path, action);
    if ('allow' in routed) {
      response.setHeader('Allow', routed.allow.join(', '));
      throw new ServiceError('method_not_allowed', `Possible here: ${routed.allow.join(', ')}.`);
    }
    if (routed.isAction) rewrite(request, routed.path);
    next();
  };
}

function rewrite(request: Request, path: string): void {
  if (request.method === 'POST') {
    const { action: _, ...rest } = bodyOf(request);
    request.body = rest;
  }
  const query = new URLSearchParams(request.url.slice(request.path.length + 1));
  query.delete('action');
  request.url = query.size === 0 ? path : `${path}?${query.toString()}`;
}

function bodyOf(request: Request): Record<string, unknown> {
  return (request.body ?? {}) as Record<string, unknown>;
}
