import { dashboardApi, dashboardCookie, type ErrorReason } from '@rtms/contracts';
import { tagOf } from '../http/api.decorators.js';
import type { Route } from '../http/route-table.js';
import { describeOperation, type Components } from './describe-operation.js';
import { exampleBody, failureMeanings } from './failure-meanings.js';
import { failureSchema } from './failure-responses.js';
import { sharedHeaders, sharedParameters } from './parameters.js';
import { operationsOf, type Operation } from './operations.js';
import { servicePaths, serviceTag } from './service-paths.js';

/** Readers of a document: accounts, administrators of the platform, the dashboard's page. */
export const audiences = ['public', 'administration', 'dashboard'] as const;
export type Audience = (typeof audiences)[number];

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, object>>;
  components: Record<string, Record<string, object>>;
  [member: string]: unknown;
}

export interface DocumentOptions {
  audience: Audience;
  /** Base address of the gateway. */
  url: string;
}

const titles: Readonly<Record<Audience, string>> = {
  public: 'RTMS API',
  administration: 'RTMS administration API',
  dashboard: 'RTMS dashboard API',
};

const introductions: Readonly<Record<Audience, string>> = {
  public: `Rooms and their media, for application servers. Every request carries \`Authorization: Bearer <api-username>:<api-key>\`.
A POST chooses an action by \`action\` in the body, a GET by \`action\` in the query. Every answer has \`success\`; a failure has
\`error\`, \`code\` and \`reason\`.

A room has the environment of the key that created it: \`sandbox\` or \`production\`. Its sessions, playbacks, broadcasts, recordings,
logs and join tickets have the same environment. A key reaches its own environment only; records of the other one answer 404.
Both environments share settings, domains, credentials, agents and sub-users. A key creates keys of its own environment only.`,
  administration:
    'Accounts, keys, features and media nodes of the platform, with the administrator’s token. Failures have the form of the public API.',
  dashboard:
    'Requests of the dashboard’s page, with the session cookie. Every request except GET carries the session’s token in ' +
    '`X-CSRF-Token`. Failures have the form of the public API.',
};

/** The OpenAPI 3.1 document of the controllers of one audience. */
export function buildDocument(routes: readonly Route[], { audience, url }: DocumentOptions): OpenApiDocument {
  const operations = operationsOf(routes.filter(({ path }) => audienceOf(path) === audience));
  const schemas: Components = { Failure: failureSchema };
  const paths: OpenApiDocument['paths'] = audience === 'public' ? { ...servicePaths } : {};
  for (const operation of operations) {
    const described = describeOperation(operation, schemas);
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described };
  }
  const text = JSON.stringify(paths);
  const isUsed = (section: string) => (name: string) => text.includes(`"#/components/${section}/${name}"`);
  return {
    openapi: '3.1.0',
    info: {
      title: titles[audience],
      version: '1.0.0',
      description: introductions[audience],
      contact: { name: 'Administrator of this installation', url },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url }],
    security: [{ credential: [] }],
    tags: [...(audience === 'public' ? [serviceTag] : []), ...tagsOf(operations)],
    paths,
    components: {
      securitySchemes: { credential: securityScheme(audience) },
      schemas,
      parameters: pick(sharedParameters, isUsed('parameters')),
      headers: pick(sharedHeaders, isUsed('headers')),
      examples: pick(failureExamples(), isUsed('examples')),
    },
  };
}

/** Each tag once, with its description. */
function tagsOf(operations: readonly Operation[]): object[] {
  const tags = operations.map(({ handlers }) => tagOf(handlers[0].route.controller));
  return [...new Set(tags)].flatMap(({ name, description }) => (description ? [{ name, description }] : []));
}

/** The documents describe neither themselves nor event streams. */
function audienceOf(path: string): Audience | undefined {
  if (path.endsWith('/openapi.json') || path === `${dashboardApi}/events`) return undefined;
  if (path.startsWith('/v1/')) return 'public';
  if (path.startsWith(`${dashboardApi}/`)) return 'dashboard';
  return path.startsWith('/admin/v1/') ? 'administration' : undefined;
}

function securityScheme(audience: Audience): object {
  if (audience === 'dashboard') {
    return { type: 'apiKey', in: 'cookie', name: dashboardCookie, description: 'Set by the sign-in.' };
  }
  const description =
    audience === 'public'
      ? '`<api-username>:<api-key>`'
      : 'The administrator’s token from the configuration of the gateway.';
  return { type: 'http', scheme: 'bearer', description };
}

function failureExamples(): Record<string, object> {
  const reasons = Object.keys(failureMeanings) as ErrorReason[];
  return Object.fromEntries(reasons.map(reason => [reason, { value: exampleBody(reason) }]));
}

function pick<Value extends object>(all: Record<string, Value>, isWanted: (name: string) => boolean) {
  return Object.fromEntries(Object.entries(all).filter(([name]) => isWanted(name)));
}
