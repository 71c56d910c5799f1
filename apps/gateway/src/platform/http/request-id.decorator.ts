import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { requestIDOf } from '@rtms/http';
import type { Request } from 'express';

/** `@RequestID() requestID: string`: it travels with the commands that a request causes. */
export const RequestID = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  requestIDOf(context.switchToHttp().getRequest<Request>()),
);
