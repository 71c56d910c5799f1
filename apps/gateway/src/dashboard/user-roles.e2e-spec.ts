import { accountRoles, type AccountRole } from '@rtms/contracts';
import { splitAction } from '../platform/http/action.decorator.js';
import { collectRoutes, type Route } from '../platform/http/route-table.js';
import { DashboardClient } from '../testing/dashboard-client.js';
import { MediaTestBed } from '../testing/media-test-bed.js';

/** Reasons with which the gateway refuses a role. Any other answer means that the role may call the route. */
const refusals: readonly unknown[] = ['not_permitted', 'operation_not_granted', 'invalid_credentials'];

/** Changes that each user may make: the user's own sign-in. */
const ownSignIn = /^(?:POST|DELETE) \/dashboard\/api\/(?:session|password|totp)(?:\/|$)/;
/** Routes without a session. */
const open = [
  'POST /dashboard/api/session',
  'GET /dashboard/api/session',
  'POST /dashboard/api/password-reset',
  'POST /dashboard/api/invitations/accept',
  'GET /dashboard/api/setup',
  'POST /dashboard/api/setup',
];
/** Routes that only owners may call. A new route for owners is listed here and in docs/dashboard.md. */
const ofOwners = /^\w+ (?:\/dashboard\/api\/(?:keys|users|invitations)|\/v1\/subusers)(?:[/ ]|$)/;
/** GET of records with secrets, and of the records of these pages. */
const hiddenFromViewers = new RegExp(
  String.raw`^GET /v1/(?:disposable-keys|domains|aicredentials|sipconfigs|translationconfigs|agents|webhooks)(?:[/ ]|$)` +
    String.raw`|/participant-state$`,
);

describe('the role of a dashboard user', () => {
  let bed: MediaTestBed;
  let routes: Route[];
  const pages = {} as Record<AccountRole | 'administrator', DashboardClient>;

  beforeAll(async () => {
    const rateLimits = { windowSeconds: 60, addressReads: 0, addressWrites: 0, keyReads: 0, keyWrites: 0 };
    bed = await MediaTestBed.start({ config: { rateLimits } });
    const { accountID } = bed.account;
    for (const role of accountRoles) pages[role] = await DashboardClient.signedIn(bed.gateway, accountID, role);
    pages.administrator = await DashboardClient.signedIn(bed.gateway, null);
    routes = collectRoutes(bed.gateway.app).filter(
      ({ method, path }) =>
        /^\/(?:v1|admin\/v1|dashboard\/api)\//.test(path) &&
        !open.includes(nameOf({ method, path })) &&
        // A stream that never ends, and the ends of the sessions that this test uses.
        !['GET /dashboard/api/events', 'DELETE /dashboard/api/session'].includes(nameOf({ method, path })),
    );
  });
  afterAll(() => bed?.close());

  /** `POST /v1/rooms create` */
  const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => {
    const { segments, action } = splitAction(path);
    return `${method} /${segments.join('/')}${action === undefined ? '' : ` ${action}`}`;
  };

  /** Sends a request without the fields that the route needs, so that an allowed request changes nothing. */
  const isRefused = async (page: DashboardClient, { method, path }: Route) => {
    const { segments, action } = splitAction(path);
    const url = `/${segments.map(each => each.replace(/^:.*/, 'nothing')).join('/')}`;
    const query = method === 'GET' && action !== undefined ? `?action=${action}` : '';
    const sent = action === undefined ? { unknownField: true } : { action, unknownField: true };
    const pending =
      method === 'GET' ? page.get(`${url}${query}`) : page.send(method.toLowerCase() as 'post', url, sent);
    const { body } = await pending;
    return refusals.includes((body as { reason?: unknown }).reason);
  };

  const refusedTo = async (role: AccountRole | 'administrator') => {
    const names: string[] = [];
    for (const route of routes) if (await isRefused(pages[role], route)) names.push(nameOf(route));
    return names.sort();
  };
  const named = (isMeant: (name: string) => boolean) =>
    routes
      .map(nameOf)
      .filter(name => isMeant(name))
      .sort();
  const isOfAdministrators = (name: string) => name.includes(' /admin/v1/');

  it('lets an owner do everything in the account, and nothing on the platform', async () => {
    expect(await refusedTo('owner')).toEqual(named(isOfAdministrators));
  });

  it('keeps people, sub-users and main keys from a developer', async () => {
    expect(await refusedTo('developer')).toEqual(named(name => isOfAdministrators(name) || ofOwners.test(name)));
  });

  it('lets a viewer change nothing but the own sign-in, and see no secret', async () => {
    const isHidden = (name: string) => ofOwners.test(name) || hiddenFromViewers.test(name);
    const isChange = (name: string) => !name.startsWith('GET ') && !ownSignIn.test(name);
    expect(await refusedTo('viewer')).toEqual(
      named(name => isOfAdministrators(name) || isHidden(name) || isChange(name)),
    );
  });

  it('keeps the accounts’ routes from an administrator', async () => {
    const isOfAccounts = (name: string) =>
      name.includes(' /v1/') ||
      (name.includes(' /dashboard/api/') && !/ \/dashboard\/api\/(?:session|password|totp|openapi)/.test(name));
    expect(await refusedTo('administrator')).toEqual(named(isOfAccounts));
  });
});
