import { describeOperation } from './describe-operation.js';
import type { OpenApiDocument } from './document.js';
import { exampleOf, type JsonSchema } from './json-schema.js';
import type { DocumentedOperation } from './operations.js';
import { text, type Components } from './responses.js';

type Paths = OpenApiDocument['paths'];

/** The part of an operation that its samples need. */
interface Described {
  description?: string;
  parameters?: { name?: string; in?: string; required?: boolean; schema?: { enum?: string[] } }[];
  requestBody?: { content: Record<string, { schema: { $ref?: string } | { oneOf: { $ref: string }[] } }> };
}

/**
 * The operations as a person reads them: one for each action, with samples. OpenAPI has one operation for a method of a path, so the
 * action is the fragment of the path, which no client sends.
 */
export function referencePaths(operations: readonly DocumentedOperation[], url: string, components: Components): Paths {
  const paths: Paths = {};
  for (const handler of operations.flat()) {
    const path = handler.action === undefined ? handler.path : `${handler.path}#${handler.action}`;
    const described = describeOperation([handler], components) as Described;
    const body = bodyOf(described, components);
    const samples = samplesOf(handler.method, `${url}${handler.path}`, described, body);
    const description = `${described.description ?? ''}\n\n${samples}`.trim();
    paths[path] = { ...paths[path], [handler.method.toLowerCase()]: { ...described, description } };
  }
  return paths;
}

/** The same request by curl and in TypeScript. */
function samplesOf(method: string, path: string, described: Described, body: string | undefined): string {
  const address = `${path}${queryOf(described)}`;
  const curl = [
    `curl -X ${method} '${address}' -H "Authorization: Bearer $RTMS_KEY"`,
    ...(body === undefined ? [] : [`--json '${body.replaceAll("'", `'\\''`)}'`]),
  ];
  const headers = `Authorization: \`Bearer \${process.env.RTMS_KEY}\`${body === undefined ? '' : `, 'Content-Type': 'application/json'`}`;
  const options = [
    `  method: '${method}',`,
    `  headers: { ${headers} },`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${body}),`]),
  ];
  const typescript = [
    `const response = await fetch('${address}', {`,
    ...options,
    '});',
    'const answer = await response.json();',
  ];
  return ['```sh', curl.join(' \\\n  '), '```', '```ts', ...typescript, '```'].join('\n');
}

/** The example of the body as JSON. */
function bodyOf({ requestBody }: Described, { schemas }: Components): string | undefined {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) return undefined;
  const name = ('oneOf' in schema ? schema.oneOf[0]?.$ref : schema.$ref)?.split('/').at(-1) ?? '';
  return JSON.stringify(exampleOf(schemas[name] ?? {}));
}

/** The query with the required parameters and the action. */
function queryOf({ parameters = [] }: Described): string {
  const named = parameters.filter(
    ({ in: place, name, required }) => place === 'query' && (required === true || name === 'action'),
  );
  const pairs = named.map(({ name, schema }) => `${name}=${schema?.enum?.[0] ?? `{${name}}`}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

export const mediaTags = [
  { name: 'WHIP', description: 'Publishing to a media node (RFC 9725).' },
  { name: 'WHEP', description: 'Watching from a media node (draft-ietf-wish-whep).' },
  { name: 'HLS', description: 'Playlists and segments of a broadcast (RFC 8216).' },
];

export const mediaSecurity = {
  mediaToken: { type: 'http', scheme: 'bearer', description: '`ingest.token` of a session, or `token` of a playback.' },
};

const sdp = { 'application/sdp': { schema: { type: 'string', examples: ['v=0\r\n…'] } } };
const fragment = { 'application/trickle-ice-sdpfrag': { schema: { type: 'string', examples: ['a=ice-ufrag:…\r\n'] } } };
const location = {
  Location: text('Address of the connection, for PATCH and DELETE.', 'https://sfu.example.com/whip/ext_1/k'),
};
const failed: JsonSchema = { description: 'The failure, as in the API of the gateway.' };

const addresses = {
  whip: '`ingest.url` of the external session, with `ingest.token` as the bearer token',
  whep: '`endpoint` of the playback, with its `token` as the bearer token',
};

const protocols: Paths = {
  '/whip/{sessionID}': {
    post: media('WHIP', 'publish', 'Publish', `Send an SDP offer to ${addresses.whip}.`, {
      sends: sdp,
      answers: [201, sdp, location],
    }),
  },
  '/whip/{sessionID}/{connection}': connectionPaths('WHIP', 'Publisher'),
  '/whep/{playbackID}': {
    get: media('WHEP', 'getPayloadProfile', 'Read the payload types', 'With `Accept: application/json`.', {
      answers: [200],
    }),
    post: media('WHEP', 'watch', 'Watch', `Send an SDP offer to ${addresses.whep}.`, {
      sends: sdp,
      answers: [201, sdp, location],
    }),
  },
  '/whep/{playbackID}/{connection}': connectionPaths('WHEP', 'Viewer'),
  '/hls/{broadcastID}/index.m3u8': {
    get: media(
      'HLS',
      'playBroadcast',
      'Play a broadcast',
      'Give a player the whole `playbackUrl` of the broadcast: its path is signed.',
      {
        answers: [200, { 'application/vnd.apple.mpegurl': { schema: { type: 'string' } } }],
      },
    ),
  },
};

function connectionPaths(tag: string, who: string) {
  const restart = 'Adds candidates (204), or restarts ICE with `If-Match: *` (200).';
  return {
    patch: media(tag, `change${who}`, 'Trickle or restart ICE', restart, { sends: fragment, answers: [200, fragment] }),
    delete: media(tag, `disconnect${who}`, 'Disconnect', 'A repetition gives the same answer.', { answers: [200] }),
  };
}

interface Exchange {
  sends?: object;
  answers: [status: number, content?: object, headers?: object];
}

function media(
  tag: string,
  operationId: string,
  summary: string,
  description: string,
  { sends, answers }: Exchange,
): object {
  const [status, content, headers] = answers;
  return {
    ...{ tags: [tag], operationId, summary, description, security: tag === 'HLS' ? [] : [{ mediaToken: [] }] },
    ...(sends && { requestBody: { required: true, content: sends } }),
    responses: {
      [status]: { description: 'Success', ...(content && { content }), ...(headers && { headers }) },
      '4XX': failed,
    },
  };
}

/** The protocols of the media nodes, at addresses that answers of the gateway contain. */
export function mediaPaths(): Paths {
  const node = {
    default: 'https://media.example.com',
    description: 'The origin of the address in the answer of the gateway.',
  };
  return Object.fromEntries(
    Object.entries(protocols).map(([path, operations]) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const parameters = names.map(name => ({
        name,
        in: 'path',
        required: true,
        ...text(`Part of the address: ${name}.`, name),
      }));
      const shared = { servers: [{ url: '{node}', variables: { node } }], parameters };
      const placed = Object.entries(operations).map(([method, operation]) => [method, { ...shared, ...operation }]);
      return [path, Object.fromEntries(placed) as Record<string, object>];
    }),
  );
}
