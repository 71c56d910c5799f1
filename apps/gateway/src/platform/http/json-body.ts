import { ServiceError } from '@rtms/contracts';
import { bodyReader } from '@rtms/http';
import type { Request, RequestHandler, Response } from 'express';
import { parseStrictJSON } from './strict-json.js';

const maxBodyBytes = 256 * 1024;
/** Of a sender whom nobody has identified, such as one who signs in: many of them must not fill the memory. */
const maxStrangersBytes = 16 * 1024;
const methodsWithBody: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

const utf8 = new TextDecoder('utf-8', { fatal: true });
const readBytes = bodyReader(maxBodyBytes);
const readStrangersBytes = bodyReader(maxStrangersBytes);

/** Makes `request.body` an object from a JSON body; without a body it is `{}`. */
export function jsonBody(): RequestHandler {
  return async (request, response, next) => {
    request.body = {};
    if (hasBody(request)) request.body = await readObject(request, response);
    next();
  };
}

function hasBody({ method, headers }: Request): boolean {
  if (!methodsWithBody.includes(method)) return false;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

async function readObject(request: Request, response: Response): Promise<object> {
  requireJSON(request);
  const bytes = await (isIdentified(request) ? readBytes : readStrangersBytes)(request, response);
  if (bytes.length === 0) return {};
  const value = parseStrictJSON(decode(bytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('invalid_request', 'The body must be a JSON object.');
  }
  return value;
}

function isIdentified({ caller, administrator, signedIn }: Request): boolean {
  return caller !== undefined || administrator === true || signedIn !== undefined;
}

function requireJSON(request: Request): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map(each => each.trim()).find(each => each.startsWith('charset='));
  if (type.trim() !== 'application/json' || (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))) {
    throw new ServiceError('unsupported_media_type', 'Send the body with Content-Type: application/json, in UTF-8.');
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ServiceError('malformed_json', 'The body is not valid UTF-8.');
  }
}
