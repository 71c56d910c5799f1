import { z } from 'zod';
import { answerSchema } from './json-schema.js';
import { failuresOf, headersOf, reference, type Components } from './responses.js';

export const serviceTag = { name: 'Service', description: 'Health and metrics of the gateway.' };

const parts = (description: string) =>
  z
    .record(z.string(), z.looseObject({ status: z.enum(['up', 'down']).describe('State of the part.') }))
    .optional()
    .meta({ description, examples: [{ database: { status: 'up' } }] });
const health = z
  .looseObject({
    status: z.enum(['ok']).describe('State of the gateway.'),
    info: parts('The parts that work.'),
    error: parts('The parts that do not work and that readiness does not need.'),
    details: parts('All parts.'),
  })
  .meta({ id: 'Health', description: 'State of the gateway and its parts.' });
const metrics = { 'text/plain': { schema: { type: 'string', examples: ['process_cpu_seconds_total 1.5'] } } };

/** Paths outside `/v1`, open to everyone who reaches the gateway. The controllers belong to a library without OpenAPI. */
export function describeService(components: Components): Record<string, Record<string, object>> {
  const traits = { credential: 'none', isRepeatable: false } as const;
  const json = { 'application/json': { schema: answerSchema(health, components.schemas) } };
  const get = (operationId: string, summary: string, description: string, content: object = json) => ({
    get: {
      ...{ tags: [serviceTag.name], operationId, summary, description, security: [] },
      parameters: [reference('parameters', 'X-Request-Id')],
      responses: {
        '200': { description: 'OK', headers: headersOf(200, traits), content },
        ...failuresOf(['invalid_request', 'method_not_allowed', 'dependency_unavailable'], traits, components),
      },
    },
  });
  return {
    '/healthz': get('getHealthz', 'Check liveness', 'The process runs. A restart would not help.'),
    '/readyz': get(
      'getReadyz',
      'Check readiness',
      '200 when the schema of the database fits and the gateway is not stopping, also while the bus or the database is away. Otherwise 503. Both answers name the parts that are down.',
    ),
    '/metrics': get(
      'getMetrics',
      'Read metrics',
      'In the text format of Prometheus. Restrict access to this path in the network.',
      metrics,
    ),
  };
}
