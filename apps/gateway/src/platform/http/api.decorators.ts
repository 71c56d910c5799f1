import type { ErrorReason } from '@rtms/contracts';
import type { z } from 'zod';

export interface Tag {
  name: string;
  /** One controller of the tag gives it. */
  description?: string;
  /** The operationId of a POST that chooses among several actions. */
  post?: string;
}

export interface OperationTexts {
  operationId: string;
  summary: string;
  description?: string;
}

export interface Answer {
  schema: z.ZodType;
  reasons: readonly ErrorReason[];
}

type Answering<Body> = (...parameters: never[]) => Body | Promise<Body>;

/** The section of the API reference in which the controller's operations appear. */
export function ApiTag(tag: Tag): ClassDecorator {
  return controller => Reflect.defineMetadata(ApiTag, tag, controller);
}

/** The title and description of the handler in the API reference; clients name their methods by the `operationId`. */
export function ApiOperation(operation: OperationTexts): MethodDecorator {
  return (_, __, { value }) => Reflect.defineMetadata(ApiOperation, operation, value as object);
}

/** The body of a success, which the compiler holds the handler to, and the errors of this handler besides those of every request. */
export function ApiAnswer<Body>(schema: z.ZodType<Body>, ...reasons: ErrorReason[]) {
  return <Handler extends Answering<Body>>(_: object, __: string | symbol, of: TypedPropertyDescriptor<Handler>) => {
    if (of.value) Reflect.defineMetadata(ApiAnswer, { schema, reasons } satisfies Answer, of.value);
  };
}

export function tagOf(controller: object): Tag {
  return metadata<Tag>(ApiTag, controller);
}

export function operationOf(handler: object): OperationTexts {
  return metadata<OperationTexts>(ApiOperation, handler);
}

export function answerOf(handler: object): Answer {
  return metadata<Answer>(ApiAnswer, handler);
}

function metadata<Value>(decorator: { name: string }, of: object): Value {
  const value = Reflect.getMetadata(decorator, of) as Value | undefined;
  if (!value) throw new Error(`${(of as { name: string }).name} has no @${decorator.name}.`);
  return value;
}
