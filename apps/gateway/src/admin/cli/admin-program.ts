import { systemClock } from '@rtms/clock';
import { entitlements } from '@rtms/contracts';
import { serviceVersion } from '@rtms/health';
import { Argument, Command } from 'commander';
import { features } from '../../accounts/features/features.js';
import { accountLimitNames } from '../../accounts/limits/account-limits.js';
import { keyTypes } from '../../platform/auth/caller.js';
import type { RotationProgress } from '../../platform/secrets/secret-rotation.service.js';
import { type AdminClient, RefusedRequest } from './admin-client.js';
import { makeList, wholeNumber } from './list-command.js';

/** The interval at which a waiting command asks a node for its work. */
const workEveryMs = 2_000;

/** Sends the requests of a command and prints the last answer. */
type Run = (call: (client: AdminClient) => Promise<object>) => Promise<void>;

export interface AdminProgramOptions {
  /** Called only when a command needs the client, so that `--help` needs no token. */
  client: () => AdminClient;
  print: (answer: object) => void;
  pause?: (milliseconds: number) => Promise<void>;
}

/** The commands of `rtms-admin`. Almost every command is one request. */
export function adminProgram({ client, print, pause = ms => systemClock.pause(ms) }: AdminProgramOptions): Command {
  const run: Run = async call => print(await call(client()));
  const program = new Command('rtms-admin')
    .description(
      'Administers the platform. Set RTMS_ADMIN_URL to the gateway and RTMS_ADMIN_TOKEN to its token. Beside npm start it needs neither.',
    )
    .option('--json', 'prints the answer as JSON')
    .version(serviceVersion)
    .showHelpAfterError();
  addAccounts(program.command('accounts').description('accounts of the platform'), run);
  addMinutes(program.command('minutes').description('remaining minutes of an account'), run);
  addEntitlements(program.command('entitlements').description('entitlements of an account'), run);
  addLimits(program.command('limits').description('limits of an account'), run);
  addKeys(program.command('keys').description('main keys of an account'), run);
  addDashboardUsers(program.command('dashboard-users').description('users who sign in to the dashboard'), run);
  program
    .command('setup-link')
    .description('a link with which the first administrator chooses a password in the browser; works for an hour')
    .action(() => run(api => api.get('/setup-link')));
  addFeatures(program.command('features').description('media protocols of the platform or of one account'), run);
  addLive(program, run);
  addNodes(program, run, { client, print, pause });
  program
    .command('secrets')
    .description('encrypted values in the database')
    .command('rotate')
    .description('encrypts all values with the current RTMS_SECRET_KEY; safe to repeat')
    .action(() => run(rotateSecrets));
  program
    .command('rotate-signing-key')
    .description('signs tokens and paths with a new key')
    .action(() => run(api => api.post('/signing-keys/rotate')));
  return program;
}

function addLive(program: Command, run: Run): void {
  const account = ['--account <accountID>', 'of one account'] as const;
  const lists = {
    rooms: ['active rooms', { path: '/rooms', records: 'rooms' }],
    sessions: ['live external sessions', { path: '/external-sessions', records: 'externalSessions' }],
  } as const;
  program
    .command('status')
    .description('gateway, database, bus, media nodes with their versions, and what runs now')
    .action(() => run(api => api.get('/status')));
  for (const [name, [description, listed]] of Object.entries(lists)) {
    const list = program
      .command(name)
      .description(description)
      .command('list')
      .option(...account);
    makeList(list, run, listed);
  }
}

/** A path whose values are escaped. */
function path(texts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: texts }, ...values.map(encodeURIComponent));
}

function addAccounts(command: Command, run: Run): void {
  makeList(command.command('list'), run, { path: '/accounts', records: 'accounts' });
  command
    .command('create <name>')
    .option('--user-name <name>', 'API username; 6 to 32 letters and digits')
    .action((name: string, { userName: apiUserName }: { userName?: string }) =>
      run(api => api.post('/accounts', { name, apiUserName })),
    );
  for (const change of ['disable', 'enable', 'restore']) {
    command
      .command(`${change} <accountID>`)
      .action((id: string) => run(api => api.post(path`/accounts/${id}/${change}`)));
  }
  command
    .command('rename <accountID> <name>')
    .action((id: string, name: string) => run(api => api.post(path`/accounts/${id}/rename`, { name })));
  command
    .command('delete <accountID>')
    .description('refuses its keys and ends its rooms; its data is removed after RETENTION_DAYS_ACCOUNTS')
    .action((id: string) => run(api => api.delete(path`/accounts/${id}`)));
}

function addMinutes(command: Command, run: Run): void {
  command.command('list <accountID>').action((id: string) => run(api => api.get(path`/accounts/${id}/balance`)));
  command
    .command('set <accountID>')
    .addArgument(new Argument('<type>').choices(keyTypes))
    .option('--meeting <minutes>', 'remaining meeting minutes', wholeNumber)
    .option('--recording <minutes>', 'remaining recording minutes', wholeNumber)
    .action((id: string, type: string, { meeting, recording }: { meeting?: number; recording?: number }) => {
      const minutes = { type, meetingMinutes: meeting, recordingMinutes: recording };
      return run(api => api.put(path`/accounts/${id}/balance`, minutes));
    });
}

function addEntitlements(command: Command, run: Run): void {
  command.command('list <accountID>').action((id: string) => run(api => api.get(path`/accounts/${id}/entitlements`)));
  command
    .command('set <accountID>')
    .addArgument(new Argument('<entitlement>').choices(entitlements))
    .addArgument(new Argument('<state>').choices(['on', 'off']))
    .action((id: string, entitlement: string, state: string) =>
      run(api => api.put(path`/accounts/${id}/entitlements`, { entitlement, granted: state === 'on' })),
    );
}

function addLimits(command: Command, run: Run): void {
  command.command('list <accountID>').action((id: string) => run(api => api.get(path`/accounts/${id}/limits`)));
  command
    .command('set <accountID>')
    .addArgument(new Argument('<limit>').choices(accountLimitNames))
    .argument('<value>', 'a whole number, or `default` for the value of the plan')
    .action((id: string, limit: string, text: string) => {
      const value = text === 'default' ? null : wholeNumber(text);
      return run(api => api.put(path`/accounts/${id}/limits`, { [limit]: value }));
    });
}

function addKeys(command: Command, run: Run): void {
  const type = new Argument('<type>').choices(keyTypes);
  const force = ['--force', 'also the last working key of its environment'] as const;
  command.command('list <accountID>').action((id: string) => run(api => api.get(path`/accounts/${id}/keys`)));
  command
    .command('create <accountID>')
    .addArgument(type)
    .action((id: string, keyType: string) => run(api => api.post(path`/accounts/${id}/keys`, { type: keyType })));
  command
    .command('rotate <accountID>')
    .addArgument(type)
    .option('--overlap-hours <hours>', 'hours for which the former key stays valid, 0 to 72', wholeNumber, 0)
    .action((id: string, keyType: string, { overlapHours }: { overlapHours: number }) =>
      run(api => api.post(path`/accounts/${id}/keys/rotate`, { type: keyType, overlapHours })),
    );
  command
    .command('disable <accountID> <keyID>')
    .option(...force)
    .action((id: string, keyID: string, options: { force?: true }) =>
      run(api => api.post(path`/accounts/${id}/keys/${keyID}/disable`, options)),
    );
  command
    .command('enable <accountID> <keyID>')
    .action((id: string, keyID: string) => run(api => api.post(path`/accounts/${id}/keys/${keyID}/enable`)));
  command
    .command('delete <accountID> <keyID>')
    .option(...force)
    .action((id: string, keyID: string, options: { force?: true }) =>
      run(api => api.delete(path`/accounts/${id}/keys/${keyID}` + (options.force ? '?force=true' : ''))),
    );
}

function addDashboardUsers(command: Command, run: Run): void {
  makeList(command.command('list'), run, { path: '/dashboard-users', records: 'users' });
  command
    .command('create <email>')
    .description('prints the password, which no other command shows')
    .option('--account <accountID>', 'creates an owner of this account; without it, an administrator')
    .action((email: string, { account: accountID }: { account?: string }) => {
      const role = accountID === undefined ? 'administrator' : 'owner';
      return run(api => api.post('/dashboard-users', { email, role, accountID }));
    });
  for (const change of ['reset-link', 'reset-password', 'reset-totp']) {
    command
      .command(`${change} <userID>`)
      .action((id: string) => run(api => api.post(path`/dashboard-users/${id}/${change}`)));
  }
}

function addFeatures(command: Command, run: Run): void {
  const account = ['--account <accountID>', 'for one account'] as const;
  command
    .command('list')
    .option(...account)
    .action(({ account: id }: { account?: string }) =>
      run(api => api.get(id === undefined ? '/features' : path`/features?accountID=${id}`)),
    );
  command
    .command('set')
    .addArgument(new Argument('<feature>').choices(features))
    .addArgument(new Argument('<state>').choices(['on', 'off']))
    .option(...account)
    .action((feature: string, state: string, { account: accountID }: { account?: string }) =>
      run(api => api.put('/features', { feature, enabled: state === 'on', accountID })),
    );
}

function addNodes(program: Command, run: Run, options: Required<AdminProgramOptions>): void {
  const nodes = program.command('nodes').description('media nodes');
  nodes.command('list').action(() => run(api => api.get('/nodes')));
  program
    .command('drain <nodeID>')
    .description('gives a media node no new work; its running work moves to other nodes within DRAIN_SECONDS')
    .option('--force', 'also the last node of its kind')
    .option('--wait', 'prints what is left at each change, until nothing is left')
    .action(async (id: string, { wait, ...body }: { wait?: true; force?: true }) => {
      await run(api => api.post(path`/nodes/${id}/drain`, body));
      if (wait) await untilEmpty(id, options);
    });
  program
    .command('undrain <nodeID>')
    .description('lets a media node take work again')
    .action((id: string) => run(api => api.post(path`/nodes/${id}/undrain`)));
}

/** Prints what is left on a node at each change. Resolves when nothing is left, or when the node is gone. */
async function untilEmpty(nodeID: string, { client, print, pause }: Required<AdminProgramOptions>): Promise<void> {
  const api = client();
  let printed = '';
  for (;;) {
    const left = await readWork(api, nodeID);
    if (left === 'gone') return print({ nodeID, gone: true });
    if (left !== 'unknown' && JSON.stringify(left) !== printed) {
      printed = JSON.stringify(left);
      print({ nodeID, left });
    }
    // A room without clients waits for another node. It keeps no node from stopping.
    if (left !== 'unknown' && Object.entries(left).every(([name, count]) => name === 'rooms' || count === 0)) return;
    await pause(workEveryMs);
  }
}

/** `gone`: the node has stopped. `unknown`: the node does not answer now. */
async function readWork(api: AdminClient, nodeID: string): Promise<Record<string, number> | 'gone' | 'unknown'> {
  try {
    return ((await api.get(path`/nodes/${nodeID}/work`)) as { work: Record<string, number> }).work;
  } catch (error) {
    if (error instanceof RefusedRequest && error.status === 404) return 'gone';
    if (error instanceof RefusedRequest && error.status === 503) return 'unknown';
    throw error;
  }
}

/** Each request works for some seconds, so a full rotation takes several requests. */
async function rotateSecrets(api: AdminClient): Promise<object> {
  let reencrypted = 0;
  for (;;) {
    const { rotation } = (await api.post('/secrets/rotate')) as { rotation: RotationProgress };
    reencrypted += rotation.reencrypted;
    if (rotation.done) return { success: true, rotation: { ...rotation, reencrypted } };
  }
}
