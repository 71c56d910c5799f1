export interface DialogExample {
  role: 'owner' | 'administrator';
  path: string;
  button: string;
  dialog: string;
  tab?: string;
}

const ofOwner: Omit<DialogExample, 'role'>[] = [
  { path: '/rooms', button: 'Create room', dialog: 'Create room' },
  {
    path: '/rooms/:meetingID',
    button: 'Create session for an encoder',
    dialog: 'Create session for an encoder',
  },
  { path: '/rooms/:meetingID', button: 'Start a broadcast', dialog: 'Start a broadcast' },
  { path: '/rooms/:meetingID', button: 'End room', dialog: 'End this room?' },
  { path: '/rooms/:meetingID/sessions/:sessionID', button: 'End session', dialog: 'End this session?' },
  { path: '/api-keys', button: 'Rotate sandbox key', dialog: 'Rotate sandbox key' },
  { path: '/api-keys', tab: 'Disposable keys', button: 'Create disposable key', dialog: 'Create disposable key' },
  { path: '/domains', button: 'Add domain', dialog: 'Add domain' },
  { path: '/domains', button: 'Delete shop.example.com', dialog: 'Delete this domain?' },
  { path: '/webhooks', button: 'Add webhook', dialog: 'Add webhook' },
  { path: '/webhooks/:webhookID', button: 'Rotate secret', dialog: 'Rotate the secret' },
  { path: '/webhooks/:webhookID', button: 'Send events again', dialog: 'Send events again' },
  { path: '/webhooks/:webhookID', button: 'Disable', dialog: 'Disable this webhook?' },
  { path: '/webhooks/:webhookID', button: 'webhook.test', dialog: 'Delivery' },
  { path: '/team', button: 'Invite', dialog: 'Invite' },
  { path: '/profile', button: 'Set up', dialog: 'Second factor' },
];
const ofAdministrator: Omit<DialogExample, 'role'>[] = [
  { path: '/accounts', button: 'New account', dialog: 'New account' },
  { path: '/users', button: 'New user', dialog: 'New user' },
  { path: '/users', button: 'Make a reset link for :ownerEmail', dialog: 'Make a reset link?' },
  { path: '/nodes', button: 'Drain :nodeID', dialog: 'Drain :nodeID?' },
  { path: '/accounts/:accountID', button: 'Rotate sandbox key', dialog: 'Rotate sandbox key' },
];
/** Dialogs, their pages and the buttons that open them. Names may hold `:parameters` as paths do. */
export const dialogs: DialogExample[] = [
  ...ofOwner.map(each => ({ ...each, role: 'owner' as const })),
  ...ofAdministrator.map(each => ({ ...each, role: 'administrator' as const })),
];
