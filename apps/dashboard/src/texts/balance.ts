export const balanceTexts = {
  title: 'Balance',
  description: 'Minutes that remain. External sessions count as participants; a recording counts for itself.',
  meetingMinutes: 'Meeting minutes left',
  recordingMinutes: 'Recording minutes left',
  used: 'Used in the last 30 days',
  usedText: 'By all keys of the account together.',
  usedMeeting: 'Participant minutes',
  usedRecording: 'Recording minutes',
  emptyTitle: 'No minutes left',
  emptyText: (environment: string) => `Nothing new can run in ${environment} until the platform adds minutes.`,
} as const;
