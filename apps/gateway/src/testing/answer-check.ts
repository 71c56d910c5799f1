import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../platform/openapi/document.js';

interface DescribedOperation {
  /** Failures refer to the responses of the components. `default` has the failures of no status of its own. */
  responses: Record<string, { $ref?: string } | undefined>;
}

/** Returns the difference between an answer and the document; undefined when they agree. */
export type AnswerCheck = (method: string, path: string, status: number, text: string) => string | undefined;

const documentID = 'openapi';

/** Checks answers against an OpenAPI document. openapi.e2e-spec.ts lints the document itself. */
export function makeAnswerCheck(document: OpenApiDocument): AnswerCheck {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: true,
    meta: false,
    validateSchema: false,
    // Each check runs only a few times.
    code: { optimize: false },
  });
  addFormats.default(ajv);
  ajv.addSchema(document, documentID);
  const findTemplate = templateFinder(document);
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `${documentID}#${pointer}` });
    validators.set(pointer, known);
    return known;
  };
  return (method, path, status, text) => {
    const template = findTemplate(path);
    if (template === undefined) return undefined;
    const operation = document.paths[template]?.[method.toLowerCase()] as DescribedOperation | undefined;
    if (!operation) return status === 405 ? undefined : `${method} ${template} is not described`;
    const key = keyOf(status, operation);
    const described = operation.responses[key];
    if (!described) return `${method} ${template} answered ${status}, which is not described: ${text}`;
    const place = ['paths', template, method.toLowerCase(), 'responses', key];
    const pointer = described.$ref?.slice(1) ?? place.map(part => `/${escape(part)}`).join('');
    const validate = validatorOf(`${pointer}/content/application~1json/schema`);
    if (validate(JSON.parse(text))) return undefined;
    return `${method} ${template} ${status} is not as described: ${ajv.errorsText(validate.errors)}: ${text}`;
  };
}

/** The status, or `default` for a failure without a response of its own. */
function keyOf(status: number, { responses }: DescribedOperation): string {
  return status >= 400 && !responses[status] ? 'default' : String(status);
}

/** Escapes a segment of a JSON pointer in a URI (RFC 6901, section 6). */
function escape(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** Finds the template of a path. Literal segments win over parameters. */
function templateFinder({ paths }: OpenApiDocument): (path: string) => string | undefined {
  const count = (parts: string[]) => parts.filter(part => part.startsWith('{')).length;
  const templates = Object.keys(paths)
    .map(template => ({ template, parts: segmentsOf(template) }))
    .sort((one, other) => count(one.parts) - count(other.parts));
  return path => {
    const segments = segmentsOf(path);
    const fits = (parts: string[]) =>
      parts.length === segments.length &&
      parts.every((part, index) => part.startsWith('{') || part === segments[index]);
    return templates.find(({ parts }) => fits(parts))?.template;
  };
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean);
}

/**
 * Checks every answer of a server before it is sent. An undescribed answer is replaced by a 599 with the difference, so that
 * the test fails; `drifts` collects all differences.
 */
export function checkAnswers(server: Server, checks: () => readonly AnswerCheck[]): { drifts: string[] } {
  const drifts: string[] = [];
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request;
    const path = url.split('?')[0] ?? '/';
    const end = response.end.bind(response) as (chunk?: unknown, ...rest: unknown[]) => ServerResponse;
    response.end = (chunk?: unknown, ...rest: unknown[]) => {
      const drift = isDescribed(method, path, response) ? driftOf(checks(), method, path, response, chunk) : undefined;
      if (drift === undefined) return end(chunk, ...rest);
      drifts.push(drift);
      return answerDrift(response, drift, end);
    };
  });
  return { drifts };
}

function isDescribed(method: string, path: string, { headersSent }: ServerResponse): boolean {
  return !headersSent && method !== 'HEAD' && method !== 'OPTIONS' && /^\/(?:v1|admin\/v1|dashboard\/api)\//.test(path);
}

function driftOf(
  checks: readonly AnswerCheck[],
  method: string,
  path: string,
  { statusCode }: ServerResponse,
  chunk: unknown,
): string | undefined {
  const text = Buffer.isBuffer(chunk) ? chunk.toString('utf8') : String(chunk);
  return checks.map(check => check(method, path, statusCode, text)).find(drift => drift !== undefined);
}

function answerDrift(response: ServerResponse, drift: string, end: (chunk: unknown) => ServerResponse): ServerResponse {
  const body = JSON.stringify({ drift });
  response.statusCode = 599;
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.removeHeader('ETag');
  return end(body);
}
