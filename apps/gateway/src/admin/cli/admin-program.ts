import { entitlements } from '@rtms/contracts';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { accountLimitNames } from '../../accounts/limits/account-limits.js';
import { keyTypes } from '../../platform/auth/caller.js';
import { features } from '../../accounts/features/features.js';
import type { RotationProgress } from '../../platform/secrets/secret-rotation.service.js';
import type { AdminClient } from './admin-client.js';

type Call = (client: AdminClient) => Promise<object>;

export interface AdminProgramOptions {
  /** Made when a command needs it, so that `--help` asks for no token. */
  client: () => AdminClient;
  print: (answer: object) => void;
}

/** The commands of `rtms-admin`; each is one call. */
export function adminProgram({ client, print }: AdminProgramOptions): Command {
  const run = async (call: Call): Promise<void> => print(await call(client()));
  const program = new Command('rtms-admin')
    .description('Runs the platform. RTMS_ADMIN_URL and RTMS_ADMIN_TOKEN say where and by what right.')
    .showHelpAfterError();
  addAccounts(program.command('accounts').description('accounts of the platform'), run);
  addMinutes(program.command('minutes').description('minutes that an account has left'), run);
  addEntitlements(program.command('entitlements').description('what an account may use'), run);
  addLimits(program.command('limits').description('how much an account may have'), run);
  addKeys(program.command('keys').description("an account's main keys"), run);
  addDashboardUsers(program.command('dashboard-users').description('who signs in to the dashboard'), run);
  addFeatures(program.command('features').description('ways of media, for the platform or one account'), run);
  addNodes(program, run);
  addSecrets(program.command('secrets').description('what is encrypted in the database'), run);
  program
    .command('rotate-signing-key')
    .description('signs tokens and paths with a new key')
    .action(() => run(api => api.post('/signing-keys/rotate')));
  return program;
}

type Run = (call: Call) => Promise<void>;

function addAccounts(command: Command, run: Run): void {
  command.command('list').action(() => run(api => api.get('/accounts?pageSize=100')));
  command
    .command('create <name>')
    .option('--user-name <name>', 'API username; 6 to 32 letters and digits')
    .action((name: string, { userName }: { userName?: string }) =>
      run(api => api.post('/accounts', { name, ...(userName !== undefined && { apiUserName: userName }) })),
    );
  for (const change of ['disable', 'enable', 'restore']) {
    command
      .command(`${change} <accountID>`)
      .action((id: string) => run(api => api.post(`/accounts/${encodeURIComponent(id)}/${change}`)));
  }
  command
    .command('rename <accountID> <name>')
    .action((id: string, name: string) => run(api => api.post(`/accounts/${encodeURIComponent(id)}/rename`, { name })));
  command
    .command('delete <accountID>')
    .description('refuses its keys and ends its rooms; its data is removed after RETENTION_DAYS_ACCOUNTS')
    .action((id: string) => run(api => api.delete(`/accounts/${encodeURIComponent(id)}`)));
}

function addMinutes(command: Command, run: Run): void {
  const pathOf = (id: string, what: string) => `/accounts/${encodeURIComponent(id)}/${what}`;
  command.command('list <accountID>').action((id: string) => run(api => api.get(pathOf(id, 'balance'))));
  command
    .command('set <accountID>')
    .addArgument(new Argument('<type>').choices(keyTypes))
    .option('--meeting <minutes>', 'meeting minutes that are left from now on', wholeNumber)
    .option('--recording <minutes>', 'recording minutes that are left from now on', wholeNumber)
    .action((id: string, type: string, { meeting, recording }: { meeting?: number; recording?: number }) =>
      run(api => api.put(pathOf(id, 'balance'), { type, meetingMinutes: meeting, recordingMinutes: recording })),
    );
}

function addEntitlements(command: Command, run: Run): void {
  const pathOf = (id: string) => `/accounts/${encodeURIComponent(id)}/entitlements`;
  command.command('list <accountID>').action((id: string) => run(api => api.get(pathOf(id))));
  command
    .command('set <accountID>')
    .addArgument(new Argument('<entitlement>').choices(entitlements))
    .addArgument(new Argument('<state>').choices(['on', 'off']))
    .action((id: string, entitlement: string, state: string) =>
      run(api => api.put(pathOf(id), { entitlement, granted: state === 'on' })),
    );
}

function addLimits(command: Command, run: Run): void {
  const pathOf = (id: string) => `/accounts/${encodeURIComponent(id)}/limits`;
  command.command('list <accountID>').action((id: string) => run(api => api.get(pathOf(id))));
  command
    .command('set <accountID>')
    .addArgument(new Argument('<limit>').choices(accountLimitNames))
    .argument('<value>', 'a whole number, or `default` for the value of the plan')
    .action((id: string, limit: string, value: string) =>
      run(api => api.put(pathOf(id), { [limit]: value === 'default' ? null : wholeNumber(value) })),
    );
}

function addKeys(command: Command, run: Run): void {
  const pathOf = (id: string) => `/accounts/${encodeURIComponent(id)}/keys`;
  const type = () => new Argument('<type>').choices(keyTypes);
  command.command('list <accountID>').action((id: string) => run(api => api.get(pathOf(id))));
  command
    .command('create <accountID>')
    .addArgument(type())
    .action((id: string, keyType: string) => run(api => api.post(pathOf(id), { type: keyType })));
  command
    .command('rotate <accountID>')
    .addArgument(type())
    .option('--overlap-hours <hours>', 'how long the former key stays valid, 0 to 72', wholeNumber, 0)
    .action((id: string, keyType: string, { overlapHours }: { overlapHours: number }) =>
      run(api => api.post(`${pathOf(id)}/rotate`, { type: keyType, overlapHours })),
    );
  const keyPath = (id: string, keyID: string) => `${pathOf(id)}/${encodeURIComponent(keyID)}`;
  const force = ['--force', 'also the last key of its environment that works'] as const;
  command
    .command('disable <accountID> <keyID>')
    .option(...force)
    .action((id: string, keyID: string, options: { force?: true }) =>
      run(api => api.post(`${keyPath(id, keyID)}/disable`, options)),
    );
  command
    .command('enable <accountID> <keyID>')
    .action((id: string, keyID: string) => run(api => api.post(`${keyPath(id, keyID)}/enable`)));
  command
    .command('delete <accountID> <keyID>')
    .option(...force)
    .action((id: string, keyID: string, options: { force?: true }) =>
      run(api => api.delete(`${keyPath(id, keyID)}${options.force ? '?force=true' : ''}`)),
    );
}

function addDashboardUsers(command: Command, run: Run): void {
  const pathOf = (id: string, change: string) => `/dashboard-users/${encodeURIComponent(id)}/${change}`;
  command.command('list').action(() => run(api => api.get('/dashboard-users?pageSize=100')));
  command
    .command('create <email>')
    .description('prints the password this once')
    .option('--account <accountID>', 'of this account; without it an administrator')
    .action((email: string, { account: accountID }: { account?: string }) =>
      run(api =>
        api.post('/dashboard-users', {
          email,
          role: accountID ? 'owner' : 'administrator',
          ...(accountID && { accountID }),
        }),
      ),
    );
  for (const change of ['reset-link', 'reset-password', 'reset-totp']) {
    command.command(`${change} <userID>`).action((id: string) => run(api => api.post(pathOf(id, change))));
  }
}

function addFeatures(command: Command, run: Run): void {
  const accountOption = ['--account <accountID>', 'for one account'] as const;
  command
    .command('list')
    .option(...accountOption)
    .action(({ account }: { account?: string }) =>
      run(api => api.get(account === undefined ? '/features' : `/features?accountID=${encodeURIComponent(account)}`)),
    );
  command
    .command('set')
    .addArgument(new Argument('<feature>').choices(features))
    .addArgument(new Argument('<state>').choices(['on', 'off']))
    .option(...accountOption)
    .action((feature: string, state: string, { account: accountID }: { account?: string }) =>
      run(api => api.put('/features', { feature, enabled: state === 'on', ...(accountID && { accountID }) })),
    );
}

function addNodes(program: Command, run: Run): void {
  const nodes = program.command('nodes').description('media nodes');
  nodes.command('list').action(() => run(api => api.get('/nodes')));
  const change = (name: 'drain' | 'undrain', description: string) =>
    program
      .command(`${name} <nodeID>`)
      .description(description)
      .action((id: string) => run(api => api.post(`/nodes/${encodeURIComponent(id)}/${name}`)));
  change('drain', 'gives a media node nothing new; what runs there ends within DRAIN_SECONDS');
  change('undrain', 'lets a media node take work again');
}

function addSecrets(command: Command, run: Run): void {
  command
    .command('rotate')
    .description('encrypts everything under the current RTMS_SECRET_KEY; may be repeated')
    .action(() => run(rotateSecrets));
}

/** Each call works for some seconds. */
async function rotateSecrets(api: AdminClient): Promise<object> {
  let reencrypted = 0;
  for (;;) {
    const { rotation } = (await api.post('/secrets/rotate')) as { rotation: RotationProgress };
    reencrypted += rotation.reencrypted;
    if (rotation.done) return { success: true, rotation: { ...rotation, reencrypted } };
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
