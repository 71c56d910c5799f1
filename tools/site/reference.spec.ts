import { operationsPage, withTrueAnchors } from './reference.mjs';

it('lists the operations of a document by tag, each with its address in Swagger UI', () => {
  const page = operationsPage({
    info: { description: 'For application servers.' },
    tags: [{ name: 'SIP calls', description: 'Calls.' }],
    paths: {
      '/v1/calls': { get: { operationId: 'listCalls', tags: ['SIP calls'], summary: 'List a|b <c>' } },
      '/v1/rooms#create': { post: { operationId: 'createRoom', tags: ['Rooms'] } },
    },
  });
  expect(page).toContain('## SIP calls\n\nCalls.\n\n| Operation | Request |');
  expect(page).toContain('| [List a\\|b &lt;c>](/openapi/index.html#/SIP%20calls/listCalls) | `GET /v1/calls` |');
  expect(page).toContain('`POST /v1/rooms#create`');
});

it('corrects links to a heading that is there once, and drops links to rows of tables', () => {
  const page = '### connectionState\n## RoomState\n## ConnectionState\n';
  const right = '[b](#connectionstate-1)';
  expect(withTrueAnchors(`${page}[a](#roomstate-1)${right}[\`code\`](#property-code-4)`)).toBe(
    `${page}[a](#roomstate)${right}\`code\``,
  );
});
