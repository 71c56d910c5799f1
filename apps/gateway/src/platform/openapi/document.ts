import { dashboardApi, dashboardCookie, errorCatalogue, ServiceError, type ErrorReason } from '@rtms/contracts';
import { z } from 'zod';
import type { Route } from '../http/route-table.js';
import { describeOperation, sharedParameters } from './describe-operation.js';
import { answerSchema } from './json-schema.js';
import { operationsOf, type DocumentedOperation } from './operations.js';
import { mediaPaths, mediaSecurity, mediaTags, referencePaths } from './reference.js';
import { shareParts } from './shared-parts.js';
import { describeService, serviceTag } from './service-paths.js';
import { headers, type Components } from './responses.js';

/** Readers of a document: accounts, administrators of the platform, the dashboard's page. */
export const audiences = ['public', 'administration', 'dashboard'] as const;
export type Audience = (typeof audiences)[number];

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, object>>;
  components: Record<string, Record<string, object>>;
  [member: string]: unknown;
}

const introductions: Readonly<Record<Audience, { title: string; description: string; security: object }>> = {
  public: {
    title: 'RTMS API',
    description: `Rooms and their media, for application servers. Every request carries \`Authorization: Bearer <api-username>:<api-key>\`.
A POST chooses an action by \`action\` in the body, a GET by \`action\` in the query. Every answer has \`success\`; a failure has
\`error\`, \`code\` and \`reason\`.

A room has the environment of the key that created it: \`sandbox\` or \`production\`. Its sessions, playbacks, broadcasts, recordings,
logs and join tickets have the same environment. A key reaches its own environment only; records of the other one answer 404.
Both environments share settings, domains, credentials, agents and sub-users. A key creates keys of its own environment only.`,
    security: { type: 'http', scheme: 'bearer', description: '`<api-username>:<api-key>`' },
  },
  administration: {
    title: 'RTMS administration API',
    description:
      'Accounts, keys, features and media nodes of the platform, with the administrator’s token. Failures have the form of the public API.',
    security: {
      ...{ type: 'http', scheme: 'bearer' },
      description: 'The administrator’s token from the configuration of the gateway.',
    },
  },
  dashboard: {
    title: 'RTMS dashboard API',
    description:
      'Requests of the dashboard’s page, with the session cookie. Every request except GET carries the session’s token in ' +
      '`X-CSRF-Token`. Failures have the form of the public API.',
    security: { type: 'apiKey', in: 'cookie', name: dashboardCookie, description: 'Set by the sign-in.' },
  },
};

const bodies = (Object.keys(errorCatalogue) as ErrorReason[]).map(reason => new ServiceError(reason).toBody());
const failureSchema = z
  .looseObject({
    success: z.literal(false).describe('`false` in every failure.'),
    error: z.string().meta({
      description: 'Text that may be shown to a user.',
      examples: ['duration must be a whole number of minutes from 1 to 1440.'],
    }),
    code: z.enum(bodies.map(({ code }) => code)).describe('Kind of failure, with its own HTTP status.'),
    reason: z
      .enum(bodies.map(({ reason = '' }) => reason))
      .optional()
      .describe('Exact cause of the failure.'),
  })
  .meta({
    id: 'Failure',
    description: 'The body of every failure. Branch on `code` and `reason`; the text of `error` may change.',
  });

interface DocumentOptions {
  audience: Audience;
  /** Base address of the gateway. */
  url: string;
  /** For people: an operation for each action, samples, and the protocols of the media nodes. */
  isReference?: boolean;
}

/** The OpenAPI 3.1 document of the controllers of one audience. */
export function buildDocument(
  routes: readonly Route[],
  { audience, url, isReference = false }: DocumentOptions,
): OpenApiDocument {
  const operations = operationsOf(routes.filter(({ path }) => audienceOf(path) === audience));
  const { title, description, security } = introductions[audience];
  const components: Components = { schemas: {}, responses: {}, parameters: {} };
  answerSchema(failureSchema, components.schemas);
  const paths = isReference ? referencePaths(operations, url, components) : exactPaths(operations, components);
  if (isReference) Object.assign(paths, mediaPaths());
  if (audience === 'public') Object.assign(paths, describeService(components));
  const tags = new Set([
    ...operations.map(([{ tag }]) => tag),
    ...(isReference ? mediaTags : []),
    ...(audience === 'public' ? [serviceTag] : []),
  ]);
  const sharing = shareParts(paths, components);
  const text = JSON.stringify([sharing, components]);
  const used = (section: string, all: Record<string, object>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${section}/${name}"`)));
  return {
    openapi: '3.1.0',
    info: {
      ...{ title, version: '1.0.0', description },
      contact: { name: 'Administrator of this installation', url },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url }],
    security: [{ credential: [] }],
    tags: [...tags].flatMap(tag => (tag.description ? [{ name: tag.name, description: tag.description }] : [])),
    paths: sharing,
    components: {
      securitySchemes: { credential: security, ...(isReference && mediaSecurity) },
      ...components,
      parameters: { ...components.parameters, ...used('parameters', sharedParameters) },
      headers: used('headers', headers),
    },
  };
}

function exactPaths(operations: readonly DocumentedOperation[], components: Components): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    const [{ path, method }] = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, components) };
  }
  return paths;
}

/** The documents describe neither themselves nor event streams. */
function audienceOf(path: string): Audience | undefined {
  if (path.endsWith('/openapi.json') || path === `${dashboardApi}/events`) return undefined;
  if (path.startsWith('/v1/')) return 'public';
  if (path.startsWith(`${dashboardApi}/`)) return 'dashboard';
  return path.startsWith('/admin/v1/') ? 'administration' : undefined;
}
