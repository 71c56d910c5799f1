/** What the addresses under a path are about. */
interface Resource {
  path: string;
  tag: string;
  description: string;
}

const service: Resource = { path: '/', tag: 'Service', description: 'The service itself.' };

const resources: readonly Resource[] = [
  service,
  { path: '/v1/rooms', tag: 'Rooms', description: 'Rooms are where meetings, calls and AI agents run.' },
  { path: '/v1/eventssettings', tag: 'Event settings', description: 'What new rooms of each type allow.' },
  {
    path: '/v1/recordingsettings',
    tag: 'Recording settings',
    description:
      'How sources are recorded: mediaOptions, maxDurationSeconds, pausesLimit, retentionDays. The others are about layouts of several sources and have no effect on a recording of one.',
  },
  {
    path: '/v1/recordings',
    tag: 'Recordings',
    description: 'Recordings of external sessions and participants, and their files.',
  },
  { path: '/v1/balance', tag: 'Balance', description: 'Minutes that remain.' },
  { path: '/v1/subusers', tag: 'Sub-users', description: 'Members of the team that shares the account.' },
  { path: '/v1/domains', tag: 'Domains', description: 'Hosts from which browsers may use production keys.' },
  { path: '/v1/disposable-keys', tag: 'Disposable keys', description: 'Keys that are narrowed to some operations.' },
  { path: '/v1/aicredentials', tag: 'AI credentials', description: 'The account’s own keys for providers of AI.' },
  { path: '/v1/sipconfigs', tag: 'SIP configurations', description: 'The account’s own telephone numbers.' },
  {
    path: '/v1/translationconfigs',
    tag: 'Translation configurations',
    description: 'Named presets of AI notes and translation.',
  },
  { path: '/v1/agents', tag: 'Agents', description: 'Who talks with people in rooms and calls.' },
  { path: '/v1/room/logs', tag: 'Logs', description: 'What happened in rooms and calls.' },
  { path: '/v1/audit-log', tag: 'Logs', description: '' },
  { path: '/v1/sipcall/logs', tag: 'Logs', description: '' },
  {
    path: '/v1/meetings/{meetingID}/external-sessions',
    tag: 'External sessions',
    description: 'External publishers (WHIP) in a running room.',
  },
  { path: '/v1/meetings/{meetingID}/playbacks', tag: 'Playbacks', description: 'WHEP players of a session.' },
  { path: '/v1/meetings/{meetingID}/broadcasts', tag: 'Broadcasts', description: 'HLS for audiences of any size.' },
  { path: '/admin/v1/accounts/{accountID}/keys', tag: 'Keys', description: 'Keys of an account.' },
  { path: '/admin/v1/accounts/{accountID}/disposable-keys', tag: 'Keys', description: '' },
  { path: '/admin/v1/accounts', tag: 'Accounts', description: 'Who uses the platform.' },
  { path: '/admin/v1/accounts/{accountID}/limits', tag: 'Limits', description: 'How much an account may have.' },
  { path: '/admin/v1/features', tag: 'Features', description: 'Ways of media, for the platform and for an account.' },
  { path: '/admin/v1/nodes', tag: 'Media nodes', description: 'Media workers and their load.' },
  { path: '/admin/v1/doctor', tag: 'Doctor', description: 'Whether everything that the platform needs is well.' },
  { path: '/admin/v1/dashboard-users', tag: 'Dashboard users', description: 'Who signs in to the dashboard.' },
  { path: '/admin/v1/audit-log', tag: 'Audit log', description: 'Who did what, when and from where.' },
  { path: '/admin/v1/secrets', tag: 'Secrets', description: 'What is stored under the secret key.' },
  { path: '/admin/v1/signing-keys', tag: 'Signing keys', description: 'What media tokens are signed with.' },
  { path: '/dashboard/api/session', tag: 'Session', description: 'Signing in and out of the dashboard.' },
  { path: '/dashboard/api/password', tag: 'Session', description: '' },
  { path: '/dashboard/api/password-reset', tag: 'Session', description: '' },
  { path: '/dashboard/api/totp', tag: 'Session', description: '' },
  { path: '/dashboard/api/keys', tag: 'Main keys', description: 'The account’s own keys.' },
  { path: '/dashboard/api/entitlements', tag: 'Entitlements', description: 'What the account may use.' },
  { path: '/dashboard/api', tag: 'Overview', description: 'What runs now, and what ran.' },
];

/** The most particular resource that a path is under. */
export function resourceOf(path: string): Resource {
  const fitting = resources.filter(each => path === each.path || path.startsWith(`${each.path}/`));
  return fitting.sort((one, other) => other.path.length - one.path.length)[0] ?? service;
}

export function tagsOf(names: ReadonlySet<string>): { name: string; description: string }[] {
  const told = resources.filter(({ tag, description }) => names.has(tag) && description !== '');
  return told.map(({ tag, description }) => ({ name: tag, description }));
}
