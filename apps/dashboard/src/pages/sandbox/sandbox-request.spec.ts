import type { Endpoint } from './endpoints.js';
import { formFields, type FieldValues } from './form-fields.js';
import { curlSnippet, httpSnippet, sandboxRequest, typeScriptSnippet } from './sandbox-request.js';

const create: Endpoint = {
  id: 'create',
  resource: 'Trips',
  method: 'POST',
  path: '/v1/boats/{boatID}/trips',
  action: 'create',
  description: '',
  parameters: [{ name: 'boatID', in: 'path', required: true, schema: { type: 'string' } }],
  body: {
    properties: {
      action: { const: 'create' },
      name: { type: 'string' },
      minutes: { type: 'integer' },
      isOpen: { type: 'boolean' },
      stops: { type: 'array', items: { type: 'string' } },
      metadata: { type: 'object' },
      crew: { type: 'object', properties: { captain: { type: 'string' } } },
    },
  },
};
const list: Endpoint = {
  ...create,
  method: 'GET',
  path: '/v1/boats',
  parameters: [
    { name: 'action', in: 'query', schema: { const: 'get' } },
    { name: 'state', in: 'query', schema: { type: 'string' } },
    { name: 'pageSize', in: 'query', schema: { type: 'integer', default: 20 } },
  ],
  body: undefined,
};

function requestOf(endpoint: Endpoint, values: FieldValues) {
  return sandboxRequest(endpoint, formFields(endpoint), values);
}

describe('the request of a form', () => {
  it.each<[string, Endpoint, FieldValues, object]>([
    [
      'leaves out what is empty',
      create,
      { 'path.boatID': 'boat_1', 'body.name': '' },
      { method: 'POST', target: '/v1/boats/boat_1/trips', body: { action: 'create' } },
    ],
    [
      'gives every value its type',
      create,
      {
        'path.boatID': 'a/b c',
        'body.minutes': '30',
        'body.isOpen': 'false',
        'body.stops': ['Elba'],
        'body.metadata': '{"a":1}',
        'body.crew.captain': 'Ada',
      },
      {
        method: 'POST',
        target: '/v1/boats/a%2Fb%20c/trips',
        body: {
          action: 'create',
          minutes: 30,
          isOpen: false,
          stops: ['Elba'],
          metadata: { a: 1 },
          crew: { captain: 'Ada' },
        },
      },
    ],
    ['shows what is not filled in yet', create, {}, { target: '/v1/boats/{boatID}/trips' }],
    [
      'asks by the query',
      list,
      { 'query.state': 'in port', 'query.pageSize': '5' },
      { method: 'GET', target: '/v1/boats?action=get&state=in+port&pageSize=5', body: undefined },
    ],
  ])('%s', (_case, endpoint, values, expected) => {
    expect(requestOf(endpoint, values)).toMatchObject(expected);
  });
});

describe('a call to copy', () => {
  const post = requestOf(create, { 'path.boatID': 'boat_1', 'body.name': "Ada's" });
  const get = requestOf(list, {});

  it('is quoted for a shell', () => {
    expect(curlSnippet(post, 'https://media.example')).toBe(
      [
        "curl -X POST 'https://media.example/v1/boats/boat_1/trips' \\",
        '  -H "Authorization: Bearer $RTMS_API_USERNAME:$RTMS_API_KEY" \\',
        "  -H 'Content-Type: application/json' \\",
        "  -d '{",
        '  "action": "create",',
        String.raw`  "name": "Ada'\''s"`,
        "}'",
      ].join('\n'),
    );
    expect(curlSnippet(get, 'https://media.example')).toBe(
      "curl 'https://media.example/v1/boats?action=get' \\\n" +
        '  -H "Authorization: Bearer $RTMS_API_USERNAME:$RTMS_API_KEY"',
    );
  });

  it('is TypeScript that sends the same body', () => {
    expect(typeScriptSnippet(post, 'https://media.example')).toBe(
      [
        'const { RTMS_API_USERNAME, RTMS_API_KEY } = process.env;',
        '',
        'const response = await fetch("https://media.example/v1/boats/boat_1/trips", {',
        "  method: 'POST',",
        '  headers: {',
        '    Authorization: `Bearer ${RTMS_API_USERNAME}:${RTMS_API_KEY}`,',
        "    'Content-Type': 'application/json',",
        '  },',
        '  body: JSON.stringify({',
        '    "action": "create",',
        '    "name": "Ada\'s"',
        '  }),',
        '});',
        'const answer = await response.json();',
        'if (!response.ok) throw new Error(`${answer.code}: ${answer.error}`);',
      ].join('\n'),
    );
    expect(typeScriptSnippet(get, '')).not.toContain('method');
  });

  it('is the HTTP message', () => {
    expect(httpSnippet(get)).toBe('GET /v1/boats?action=get\nAuthorization: Bearer <api-username>:<api-key>');
  });
});
