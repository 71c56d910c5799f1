export const auditLogTexts = {
  title: 'Audit log',
  descriptions: {
    owner: 'Changes to keys, settings, users and sign-ins of this account. The newest comes first.',
    administrator: 'Every administrative action on the platform. The newest comes first.',
  },
  at: 'Time',
  actor: 'Who',
  actors: {
    administrator: 'Administrator',
    user: 'Dashboard user',
    main: 'Main key',
    subUser: 'Key of a sub-user',
    disposable: 'Disposable key',
  },
  action: 'Action',
  address: 'Address',
  hidden: 'Not shown',
  outcome: 'Result',
  outcomes: { unknown: 'Unknown', succeeded: 'Done', failed: 'Failed', repeated: 'Repeated' },
  emptyTitle: 'No entries yet',
  emptyText: 'Each administrative action leaves an entry here.',
} as const;
