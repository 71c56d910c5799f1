import { endpointsOf, resourcesOf, type OpenApiDocument } from './endpoints.js';

const document: OpenApiDocument = {
  components: {
    schemas: {
      CreateBody: { properties: { action: { const: 'create' }, name: { type: 'string' } }, required: ['name'] },
      DeleteBody: { properties: { action: { const: 'delete' } } },
      EndBody: { properties: { reason: { $ref: '#/components/schemas/field.reason' } } },
      'field.reason': { type: 'string' },
    },
    parameters: {
      boatID: { name: 'boatID', in: 'path', required: true },
      'X-Request-Id': { name: 'X-Request-Id', in: 'header' },
    },
  },
  paths: {
    '/metrics': { get: { tags: ['Service'], summary: 'Read metrics' } },
    '/v1/boats': {
      get: {
        tags: ['Boats'],
        summary: 'List boats',
        description: 'The key needs `readBoats`.',
        parameters: [
          { name: 'action', in: 'query', schema: { enum: ['get', 'count'] } },
          { name: 'state', in: 'query', schema: { type: 'string' } },
          { $ref: '#/components/parameters/X-Request-Id' },
        ],
      },
      post: {
        tags: ['Boats'],
        summary: 'Boats: create, delete',
        description:
          'The field `action` of the body chooses the action:\n\n' +
          '- `create` (createBoat): **Make a boat.** The key needs `makeBoats`.\n' +
          '- `delete` (deleteBoat): **Sink a boat.** The key needs `sinkBoats`.',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                oneOf: [{ $ref: '#/components/schemas/CreateBody' }],
                discriminator: {
                  propertyName: 'action',
                  mapping: { create: '#/components/schemas/CreateBody', delete: '#/components/schemas/DeleteBody' },
                },
              },
            },
          },
        },
      },
    },
    '/v1/boats/{boatID}/trips': {
      get: { tags: ['Trips'], summary: 'List trips', parameters: [{ $ref: '#/components/parameters/boatID' }] },
      delete: {
        tags: ['Trips'],
        summary: 'End a trip',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/EndBody' } } } },
      },
    },
  },
};

describe('the endpoints of an OpenAPI document', () => {
  const endpoints = endpointsOf(document);

  it('are all actions of the routes for account keys', () => {
    expect(endpoints.map(({ id }) => id)).toEqual([
      'GET /v1/boats get',
      'GET /v1/boats count',
      'POST /v1/boats create',
      'POST /v1/boats delete',
      'GET /v1/boats/{boatID}/trips List trips',
      'DELETE /v1/boats/{boatID}/trips End a trip',
    ]);
  });

  it('describe their action alone, without Markdown', () => {
    expect(endpoints.slice(1, 4).map(({ description }) => description)).toEqual([
      'The key needs readBoats.',
      'Make a boat. The key needs makeBoats.',
      'Sink a boat. The key needs sinkBoats.',
    ]);
  });

  it('belong to resources', () => {
    expect(resourcesOf(endpoints)).toEqual(['Boats', 'Trips']);
  });

  it('have the body of their action', () => {
    expect(endpoints.map(({ body }) => body && Object.keys(body.properties ?? {}))).toEqual([
      undefined,
      undefined,
      ['action', 'name'],
      ['action'],
      undefined,
      ['reason'],
    ]);
  });

  it('have the parameters of path and query, and no headers', () => {
    expect(endpoints[1]?.parameters).toEqual([
      { name: 'action', in: 'query', schema: { const: 'count' } },
      { name: 'state', in: 'query', schema: { type: 'string' } },
    ]);
    expect(endpoints[4]?.parameters).toEqual([{ name: 'boatID', in: 'path', required: true }]);
  });

  it('have the parts that the document shares', () => {
    expect(endpoints[5]?.body?.properties).toEqual({ reason: { type: 'string' } });
  });
});
