import { dashboardApi, dashboardCookie, type ErrorReason } from '@rtms/contracts';
import type { Route } from '../http/route-table.js';
import { describeOperation, type Components } from './describe-operation.js';
import { exampleBody, failureMeanings } from './failure-meanings.js';
import { failureSchema } from './failure-responses.js';
import { sharedHeaders, sharedParameters } from './parameters.js';
import { publicOperations } from './public-routes.js';
import { resourceOf, tagsOf } from './resources.js';
import { servicePaths } from './service-paths.js';

/** `public`: for accounts; `administration`: for whoever runs the platform; `dashboard`: for the dashboard's page. */
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
  public:
    'Rooms and their media, driven by an application server. Every request carries ' +
    '`Authorization: Bearer <api-username>:<api-key>`. POST selects by `action` in the body, GET by `action` in the ' +
    'query. Every answer has `success`; a failure has `error`, `code` and `reason`.\n\n' +
    'A room has the environment of the key that made it, `sandbox` or `production`, and so has all that belongs to it: ' +
    'sessions, playbacks, broadcasts, recordings, logs and join tickets. A key reads and changes its own environment only; ' +
    'anything of the other one answers 404, as if it did not exist. Settings, domains, credentials, agents and sub-users ' +
    'belong to the account, and both environments share them. A key makes keys of its own environment only.',
  administration:
    'Accounts, keys, features and media nodes of the platform, under the administrator’s own token. Failures have ' +
    'the same form as those of the public API.',
  dashboard:
    'What the dashboard’s page asks beside the public API, by the cookie that signing in sets. Every request but GET ' +
    'carries the session’s token in `X-CSRF-Token`. Failures have the same form as those of the public API.',
};

/** The OpenAPI 3.1 document, made from the controllers, the rules of their bodies and what they say that they answer. */
export function buildDocument(routes: readonly Route[], { audience, url }: DocumentOptions): OpenApiDocument {
  const operations = publicOperations(routes.filter(({ path }) => audienceOf(path) === audience));
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
      contact: { name: 'Whoever runs this installation', url },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url }],
    security: [{ credential: [] }],
    tags: tagsOf(new Set(Object.keys(paths).map(path => resourceOf(path).tag))),
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

/** What serves these documents is no part of them, nor is what streams. */
function audienceOf(path: string): Audience | undefined {
  if (path.endsWith('/openapi.json') || path === `${dashboardApi}/events`) return undefined;
  if (path.startsWith('/v1/')) return 'public';
  if (path.startsWith(`${dashboardApi}/`)) return 'dashboard';
  return path.startsWith('/admin/v1/') ? 'administration' : undefined;
}

function securityScheme(audience: Audience): object {
  if (audience === 'dashboard') {
    return { type: 'apiKey', in: 'cookie', name: dashboardCookie, description: 'Set by signing in.' };
  }
  const description =
    audience === 'public' ? '`<api-username>:<api-key>`' : 'The administrator’s token, from the gateway’s settings.';
  return { type: 'http', scheme: 'bearer', description };
}

function failureExamples(): Record<string, object> {
  const reasons = Object.keys(failureMeanings) as ErrorReason[];
  return Object.fromEntries(reasons.map(reason => [reason, { value: exampleBody(reason) }]));
}

function pick<Value extends object>(all: Record<string, Value>, isWanted: (name: string) => boolean) {
  return Object.fromEntries(Object.entries(all).filter(([name]) => isWanted(name)));
}
