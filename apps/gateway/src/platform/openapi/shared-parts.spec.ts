import { resolved } from '../../testing/request-samples.js';
import type { Components } from './responses.js';
import { shareParts } from './shared-parts.js';

const createdAt = {
  type: 'string',
  format: 'date-time',
  description: 'When the record was created, by the clock of the gateway.',
};
const boat = {
  type: 'object',
  properties: { success: { const: true }, boat: { type: 'object', properties: { createdAt } } },
};
const state = {
  name: 'state',
  in: 'query',
  description: 'Answers only records with this state.',
  schema: { type: 'string' },
};
const action = { type: 'string', const: 'create', description: 'The requested action, which is a constant value.' };

function documentOf() {
  const answer = { content: { 'application/json': { schema: boat } } };
  const operation = { parameters: [state], responses: { '200': answer } };
  const paths: Record<string, Record<string, object>> = {
    '/v1/boats': { get: operation, post: operation },
    '/v1/ships': { get: operation, post: operation },
  };
  const components: Components = {
    schemas: {
      Trip: { type: 'object', properties: { createdAt, action } },
      Harbour: { type: 'object', properties: { createdAt, action, crew: { type: 'array', items: { const: 'one' } } } },
    },
    responses: {},
    parameters: {},
  };
  return { openapi: '3.1.0', paths, components };
}

describe('shareParts', () => {
  const before = documentOf();
  const { components } = documentOf();
  const paths = shareParts(before.paths, components);
  const after = { openapi: '3.1.0', paths, components };

  it('loses nothing', () => {
    expect(resolved(after, paths)).toEqual(before.paths);
    for (const [name, schema] of Object.entries(before.components.schemas)) {
      expect(resolved(after, components.schemas[name] ?? {})).toEqual(schema);
    }
  });

  it('names a field by its name, an answer by its record, and a parameter by its place', () => {
    expect(Object.keys(components.schemas)).toEqual(['Trip', 'Harbour', 'field.createdAt', 'BoatAnswer']);
    expect(Object.keys(components.parameters)).toEqual(['stateQuery']);
  });

  it('leaves a constant value in its body', () => {
    expect(components.schemas['Trip']?.properties?.['action']).toEqual(action);
  });
});
