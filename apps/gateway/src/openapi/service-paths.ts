import { failureResponses } from './failure-responses.js';
import type { JsonSchema } from './rule-schemas.js';

const tag = 'Service';
const example = {
  status: 'ok',
  info: { database: { status: 'up' } },
  error: {},
  details: { database: { status: 'up' } },
};

/** The parts that were looked at, by name. */
const parts: JsonSchema = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    properties: { status: { type: 'string', enum: ['up', 'down'], examples: ['up'] } },
    required: ['status'],
  },
};

const healthSchema: JsonSchema = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['ok'], examples: ['ok'] },
    info: { ...parts, description: 'The parts that are well.', examples: [example.info] },
    error: { ...parts, description: 'Empty: an answer with this status has none.', examples: [{}] },
    details: { ...parts, description: 'All parts.', examples: [example.info] },
  },
  required: ['status'],
};

interface Told {
  operationId: string;
  summary: string;
  description: string;
}

function healthOperation(told: Told): object {
  return operation(told, { 'application/json': { schema: healthSchema, examples: { ok: { value: example } } } });
}

function operation(told: Told, content: object): object {
  const headers = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
  return {
    tags: [tag],
    ...told,
    security: [],
    parameters: [{ $ref: '#/components/parameters/X-Request-Id' }],
    responses: {
      '200': { description: 'Well.', headers, content },
      ...failureResponses(['invalid_request', 'method_not_allowed', 'dependency_unavailable']),
    },
  };
}

/** What stands beside `/v1`, open to whoever can reach the gateway. */
export const servicePaths: Readonly<Record<string, Record<string, object>>> = {
  '/healthz': {
    get: healthOperation({
      operationId: 'getHealthz',
      summary: 'Service: is it alive',
      description: 'The process runs; starting it again would make nothing better.',
    }),
  },
  '/readyz': {
    get: healthOperation({
      operationId: 'getReadyz',
      summary: 'Service: is it ready',
      description:
        'Requests may be sent here: the bus and the database can be reached, its schema is up to date, and the gateway is not about to stop. Otherwise 503, with what is missing by name.',
    }),
  },
  '/metrics': {
    get: operation(
      {
        operationId: 'getMetrics',
        summary: 'Service: numbers',
        description: 'In the text format of Prometheus. Let only those reach it who should read it.',
      },
      { 'text/plain': { schema: { type: 'string', examples: ['process_cpu_seconds_total 1.5'] } } },
    ),
  },
};
