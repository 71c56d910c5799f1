import type { OpenApiDocument } from '../platform/openapi/document.js';
import type { JsonSchema } from '../platform/openapi/json-schema.js';

/** IDs of records by the name of their field. */
export type IDs = Readonly<Record<string, string>>;

interface Parameter {
  name: string;
  in: string;
  schema: JsonSchema;
}

/** A request that the document describes. */
export interface RequestSample {
  method: string;
  /** `/v1/meetings/{meetingID}/playbacks` */
  template: string;
  action: string | undefined;
  parameters: Parameter[];
  body: JsonSchema | undefined;
  /** Whether the request creates a record. */
  isMaking: boolean;
}

interface Operation {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
}

/** Sorted so that a record is created before the requests that need it and deleted after them. */
export function requestSamples(document: OpenApiDocument): RequestSample[] {
  const samples = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => samplesOf(document, method, template, operation)),
  );
  return samples.sort((one, other) => rankOf(one) - rankOf(other));
}

function samplesOf(document: OpenApiDocument, method: string, template: string, operation: Operation): RequestSample[] {
  const parameters = (operation.parameters ?? []).map(each => resolved(document, each) as Parameter);
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
  return all.map(each => withNeeded(resolved(document, each) as JsonSchema));
}

/** Bodies that require one of several fields, which the schema of a plain object cannot say. */
const needed: Readonly<Record<string, string>> = {
  delete: 'eventsSettingID',
  none: 'sourceSessionID',
  compose: 'meetingID',
};

function withNeeded(schema: JsonSchema): JsonSchema {
  const action = schema.properties?.['action']?.['const'] as string | undefined;
  const field = needed[action ?? 'none'] ?? '';
  return schema.properties?.[field] ? { ...schema, required: [...(schema.required ?? []), field] } : schema;
}

/** A part of the document with the parts that it refers to. */
export function resolved(document: OpenApiDocument, part: object): object {
  const text = JSON.stringify(part, (_, value: unknown) => {
    const { $ref, ...own } = (value ?? {}) as { $ref?: string };
    const [, section = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec($ref ?? '') ?? [];
    const shared = document.components[section]?.[name];
    return shared ? { ...resolved(document, shared), ...own } : value;
  });
  return JSON.parse(text) as object;
}

/** Resources that others need: created first and ended last. */
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

/** The path with the given IDs. An absent ID becomes `nothing`. */
export function pathOf({ template }: RequestSample, ids: IDs): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'nothing');
}

/** A body with the required fields only. The protocol of the sample needs a stream key, which others do not. */
export function validBody(schema: JsonSchema, ids: IDs): Record<string, unknown> {
  const names = [...(schema.required ?? []), ...(schema.properties?.['streamKey'] ? ['streamKey'] : [])];
  const required = names.map(name => [name, validValue(name, schema.properties?.[name] ?? {}, ids)]);
  return Object.fromEntries(required) as Record<string, unknown>;
}

export function validValue(name: string, schema: JsonSchema, ids: IDs): unknown {
  if (schema.properties) return validBody(schema, ids);
  return schema['const'] ?? ids[name] ?? (schema['examples'] as unknown[])[0];
}
