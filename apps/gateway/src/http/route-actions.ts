import { ServiceError } from '@rtms/contracts';
import type { Request, RequestHandler } from 'express';
import { actionPrefix } from './action.decorator.js';
import type { ActionTable } from './action-table.js';

/** What becomes of a request: where it goes, and whether `action` was taken out of it. */
export type RoutedRequest = { path: string; isAction: boolean } | { allow: string[] };

/**
 * Decides where a request goes. `action` names one of the actions that the controllers registered for its path
 * and method; a path that is written with `@` itself leads nowhere.
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

/** Runs after the JSON parser and before the router; the table is asked for late, when all controllers are there. */
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
