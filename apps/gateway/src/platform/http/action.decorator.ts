import { applyDecorators, Get, HttpCode } from '@nestjs/common';
import { IdempotentPost } from '../idempotency/idempotent-post.decorator.js';

/** `/v1` resources select by `action`; each action is a method of its own behind a path that no caller can send. */
export const actionPrefix = '@';

const createdActions: readonly string[] = ['create', 'join'];

function actionPath(action: string, path: string): string {
  return [path, `${actionPrefix}${action}`].filter(part => part !== '').join('/');
}

/** The segments of a handler's path as a caller sees it, and the action behind them: `/v1/rooms/@create` → `create`. */
export function splitAction(path: string): { segments: string[]; action: string | undefined } {
  const segments = path.split('/').filter(Boolean);
  const action = segments.at(-1)?.startsWith(actionPrefix) ? segments.pop()?.slice(actionPrefix.length) : undefined;
  return { segments, action };
}

/** `@Action('create')` answers `POST <controller>` with `{ "action": "create" }`; `path` is below the controller's. */
export function Action(action: string, path = ''): MethodDecorator {
  return applyDecorators(
    IdempotentPost(actionPath(action, path)),
    HttpCode(createdActions.includes(action) ? 201 : 200),
  );
}

/** `@ReadAction('get')` answers `GET <controller>?action=get`, and without `action` when it is `get`. */
export function ReadAction(action: string, path = ''): MethodDecorator {
  return applyDecorators(Get(actionPath(action, path)));
}
