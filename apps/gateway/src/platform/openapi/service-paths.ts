import { responsesOf } from './failure-responses.js';
import type { JsonSchema } from './json-schema.js';
import { headerReferences, reference } from './parameters.js';

export const serviceTag = { name: 'Service', description: 'Health and metrics of the gateway.' };

const partState = { type: 'string', enum: ['up', 'down'], description: 'State of the part.', examples: ['up'] };
const parts = (description: string, example: object): JsonSchema => ({
  type: 'object',
  description,
  additionalProperties: { type: 'object', properties: { status: partState }, required: ['status'] },
  examples: [example],
});
const up = { database: { status: 'up' } };
const health: JsonSchema = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['ok'], description: 'State of the gateway.', examples: ['ok'] },
    info: parts('The parts that work.', up),
    error: parts('Empty in an answer with status 200.', {}),
    details: parts('All parts.', up),
  },
  required: ['status'],
};
const healthContent = {
  'application/json': {
    schema: health,
    examples: { ok: { value: { status: 'ok', info: up, error: {}, details: up } } },
  },
};
const metricsContent = {
  'text/plain': { schema: { type: 'string', examples: ['process_cpu_seconds_total 1.5'] } },
};

function get(operationId: string, summary: string, description: string, content: object) {
  const ok = { description: 'OK', headers: headerReferences(['X-Request-Id']), content };
  const failures = responsesOf(['invalid_request', 'method_not_allowed', 'dependency_unavailable']);
  return {
    get: {
      tags: [serviceTag.name],
      ...{ operationId, summary, description },
      security: [],
      parameters: [reference('parameters', 'X-Request-Id')],
      responses: { '200': ok, ...failures },
    },
  };
}

/** Paths outside `/v1`, open to everyone who reaches the gateway. */
export const servicePaths: Readonly<Record<string, Record<string, object>>> = {
  '/healthz': get('getHealthz', 'Check liveness', 'The process runs. A restart would not help.', healthContent),
  '/readyz': get(
    'getReadyz',
    'Check readiness',
    '200 when the gateway reaches the bus and the database, the schema is current and the gateway is not stopping. Otherwise 503, with the names of the missing parts.',
    healthContent,
  ),
  '/metrics': get(
    'getMetrics',
    'Read metrics',
    'In the text format of Prometheus. Restrict access to this path in the network.',
    metricsContent,
  ),
};
