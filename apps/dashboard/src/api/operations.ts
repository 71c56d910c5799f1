import type { ApiRecord } from './records.js';

/** What a key or a member of the team may do. */
export type Operation = ApiRecord<'SubUser'>['permissions'][number];

/** In the order in which they are offered. */
export const operations: readonly Operation[] = [
  'createRoom',
  'joinRoom',
  'readRooms',
  'manageRooms',
  'ingestMedia',
  'playMedia',
  'broadcastMedia',
  'readRecordings',
  'manageRecordings',
  'readSettings',
  'manageSettings',
  'readBalance',
  'readLogs',
  'manageSubUsers',
  'manageDomains',
  'manageKeys',
  'manageAiCredentials',
  'manageSip',
  'manageTranslation',
  'manageAgents',
  'manageWebhooks',
];
