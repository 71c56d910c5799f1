import { applyDecorators, Get, HttpCode } from '@nestjs/common';
import { IdempotentPost } from '../idempotency/idempotency.interceptor.js';

/** Requests to `/v1` choose a handler by `action`. Each action has an internal path with this prefix, which callers cannot send. */
export const actionPrefix = '@';

const createdActions: readonly string[] = ['create', 'join'];

function actionPath(action: string, path: string): string {
  return [path, `${actionPrefix}${action}`].filter(part => part !== '').join('/');
}

/** Splits the internal path of a handler: `/v1/rooms/@create` has the segments `v1`, `rooms` and the action `create`. */
export function splitAction(path: string): { segments: string[]; action: string | undefined } {
  const segments = path.split('/').filter(Boolean);
  const action = segments.at(-1)?.startsWith(actionPrefix) ? segments.pop()?.slice(actionPrefix.length) : undefined;
  return { segments, action };
}

/** `@Action('create')` answers `POST <controller>` with `{ "action": "create" }`. `path` is relative to the controller. */
export function Action(action: string, path = ''): MethodDecorator {
  return applyDecorators(
    IdempotentPost(actionPath(action, path)),
    HttpCode(createdActions.includes(action) ? 201 : 200),
  );
}

/** `@ReadAction('get')` answers `GET <controller>?action=get`. A GET without `action` means `get`. */
export function ReadAction(action: string, path = ''): MethodDecorator {
  return applyDecorators(Get(actionPath(action, path)));
}
