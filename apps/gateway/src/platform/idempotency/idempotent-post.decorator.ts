import { applyDecorators, Post, UseInterceptors } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/** A POST that may carry an `Idempotency-Key`. Reads go without the interceptor, which costs more than they can spare. */
export function IdempotentPost(path = ''): MethodDecorator {
  return applyDecorators(Post(path), UseInterceptors(IdempotencyInterceptor));
}
