import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { Route } from '../http/route-table.js';
import { pageOfRequest } from '../http/page.decorator.js';
import { wantsEnvelope } from '../logs/envelope.decorator.js';
import type { DtoClass } from '../fields/nested.decorator.js';

interface RouteArgument {
  index: number;
  factory?: unknown;
}

/** What a handler takes from a request. */
export interface HandlerArguments {
  body: DtoClass | undefined;
  query: DtoClass | undefined;
  isPaged: boolean;
  hasEnvelope: boolean;
}

/** Numbers that Nest gives to `@Body()` and `@Query()` (its RouteParamtypes). */
const bodyType = '3';
const queryType = '4';

export function argumentsOf({ controller, handler }: Route): HandlerArguments {
  const declared = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as Record<
    string,
    RouteArgument
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler.name) ??
    []) as DtoClass[];
  const classOf = (kind: string) => {
    const found = Object.entries(declared).find(([key]) => key.startsWith(`${kind}:`));
    return found && types[found[1].index];
  };
  return {
    body: classOf(bodyType),
    query: classOf(queryType),
    isPaged: Object.values(declared).some(({ factory }) => factory === pageOfRequest),
    hasEnvelope: Object.values(declared).some(({ factory }) => factory === wantsEnvelope),
  };
}
