import type { OpenApiDocument } from '../openapi/build-document.js';
import type { JsonSchema } from '../openapi/rule-schemas.js';

/** Names of records, by the name of the field that they stand in. */
export type IDs = Readonly<Record<string, string>>;

export interface Parameter {
  name: string;
  in: string;
  schema: JsonSchema;
}

/** One way to ask for something, as the document describes it. */
export interface RequestSample {
  method: string;
  /** `/v1/meetings/{meetingID}/playbacks` */
  template: string;
  action: string | undefined;
  parameters: Parameter[];
  body: JsonSchema | undefined;
  /** It makes a record. */
  isMaking: boolean;
}

interface Operation {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
}

/** In an order in which what is made first serves those after it, and is ended after them. */
export function requestSamples(document: OpenApiDocument): RequestSample[] {
  const samples = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => samplesOf(document, method, template, operation)),
  );
  return samples.sort((one, other) => rankOf(one) - rankOf(other));
}

function samplesOf(document: OpenApiDocument, method: string, template: string, operation: Operation): RequestSample[] {
  const parameters = (operation.parameters ?? []).map(each => resolve(document, each) as unknown as Parameter);
  const bodies = bodiesOf(document, operation);
  return (bodies.length > 0 ? bodies : [undefined]).map(body => {
    const action = body?.properties?.['action']?.['const'] as string | undefined;
    const isMaking = action === 'create' || (method === 'post' && action === undefined && template.endsWith('s'));
    return { method, template, parameters, body, action, isMaking };
  });
}

function bodiesOf(document: OpenApiDocument, { requestBody }: Operation): JsonSchema[] {
  const schema = requestBody?.content['application/json']?.schema;
  const all = (schema?.['oneOf'] ?? (schema ? [schema] : [])) as JsonSchema[];
  return all.map(each => withNeeded(resolve(document, each) as JsonSchema));
}

/** Bodies of which one of several fields must be there: a schema that says so would be no plain object any more. */
const needed: Readonly<Record<string, string>> = {
  delete: 'eventsSettingID',
  start: 'sourceSessionID',
  none: 'sourceSessionID',
};

function withNeeded(schema: JsonSchema): JsonSchema {
  const action = schema.properties?.['action']?.['const'] as string | undefined;
  const field = needed[action ?? 'none'] ?? '';
  return schema.properties?.[field] ? { ...schema, required: [...(schema.required ?? []), field] } : schema;
}

function resolve({ components }: OpenApiDocument, value: object): object {
  const [, section = '', name = ''] =
    /^#\/components\/(\w+)\/(.+)$/.exec((value as { $ref?: string }).$ref ?? '') ?? [];
  return components[section]?.[name] ?? value;
}

/** What others need comes first, and is ended last. */
const groundwork = [
  '/dashboard/api/session',
  '/v1/rooms',
  '/v1/aicredentials',
  '/admin/v1/accounts',
  '/v1/meetings/{meetingID}/external-sessions',
];

function rankOf({ method, template, action, isMaking }: RequestSample): number {
  const isGroundwork = groundwork.some(each => template === each || template.startsWith(`${each}/{`));
  const place = isGroundwork ? groundwork.length - groundwork.findIndex(each => template.startsWith(each)) : 0;
  if (isMaking) return 10 - place;
  const isEnding = method === 'delete' || /delete|end|stop/.test(action ?? '') || /\/(?:disable|drain)$/.test(template);
  return isEnding ? 30 + place : 20;
}

/** The address with these records in it; a name that is not among them leads nowhere. */
export function pathOf({ template }: RequestSample, ids: IDs): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'nothing');
}

/** A body with every field that must be there and no other. */
export function validBody(schema: JsonSchema, ids: IDs): Record<string, unknown> {
  const required = (schema.required ?? []).map(name => [name, validValue(name, schema.properties?.[name] ?? {}, ids)]);
  return Object.fromEntries(required) as Record<string, unknown>;
}

export function validValue(name: string, schema: JsonSchema, ids: IDs): unknown {
  if (schema.properties) return validBody(schema, ids);
  return ids[name] ?? (schema['examples'] as unknown[])[0];
}
