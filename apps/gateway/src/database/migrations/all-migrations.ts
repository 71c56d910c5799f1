import { AccountLimits1795359817708 } from './1795359817708-account-limits.js';
import { AccountKeys1763731000000 } from './1763731000000-account-keys.js';
import { AiSipAndAgents1763722000000 } from './1763722000000-ai-sip-and-agents.js';
import { AuditEntries1795361758360 } from './1795361758360-audit-entries.js';
import { BroadcastSources1763757000000 } from './1763757000000-broadcast-sources.js';
import { CountsByEnvironment1795360120415 } from './1795360120415-counts-by-environment.js';
import { ConfirmedSessions1795370962848 } from './1795370962848-confirmed-sessions.js';
import { DashboardUsers1763760000000 } from './1763760000000-dashboard-users.js';
import { DeletedRecordings1795359570000 } from './1795359570000-deleted-recordings.js';
import { DeletedRecords1763720000000 } from './1763720000000-deleted-records.js';
import { EnvironmentsOfRows1795360120414 } from './1795360120414-environments-of-rows.js';
import { Environments1795360120413 } from './1795360120413-environments.js';
import { EventAndRecordingSettings1763733000000 } from './1763733000000-event-and-recording-settings.js';
import { IdempotentRequests1763736000000 } from './1763736000000-idempotent-requests.js';
import { Initial1763700000000 } from './1763700000000-initial.js';
import { KeyAndAccountEnds1795371314059 } from './1795371314059-key-and-account-ends.js';
import { KeyBounds1795363383218 } from './1795363383218-key-bounds.js';
import { ListBuckets1763735000000 } from './1763735000000-list-buckets.js';
import { ListCounts1763745000000 } from './1763745000000-list-counts.js';
import { LiveMediaIndexes1763769000000 } from './1763769000000-live-media-indexes.js';
import { LiveSessionsByAccount1795375352632 } from './1795375352632-live-sessions-by-account.js';
import { Metering1763740000000 } from './1763740000000-metering.js';
import { Participants1763733001000 } from './1763733001000-participants.js';
import { PasswordResets1795370962847 } from './1795370962847-password-resets.js';
import { RateLimitCounts1763737000000 } from './1763737000000-rate-limit-counts.js';
import { ReasonsOfDeletes1795359570001 } from './1795359570001-reasons-of-deletes.js';
import { RecordingFiles1763755000000 } from './1763755000000-recording-files.js';
import { RecordingsAndLogs1763741000000 } from './1763741000000-recordings-and-logs.js';
import { RecoveryCodes1763768000000 } from './1763768000000-recovery-codes.js';
import { RetentionIndexes1763766000000 } from './1763766000000-retention-indexes.js';
import { RoomCreators1795359570002 } from './1795359570002-room-creators.js';
import { RoomLife1763750000000 } from './1763750000000-room-life.js';
import { RunningUsage1763770000000 } from './1763770000000-running-usage.js';
import { SchemaRequirements1763767000000 } from './1763767000000-schema-requirements.js';
import { ServiceSecrets1763721000000 } from './1763721000000-service-secrets.js';
import { SubUserKeyRotation1763752000000 } from './1763752000000-sub-user-key-rotation.js';
import { UsageByAccount1795371991395 } from './1795371991395-usage-by-account.js';
import { WrongGuesses1795375353120 } from './1795375353120-wrong-guesses.js';

/** What brings an empty database up to date; they run in the order of the times in their names. */
export const allMigrations = [
  Initial1763700000000,
  DeletedRecords1763720000000,
  ServiceSecrets1763721000000,
  AiSipAndAgents1763722000000,
  EventAndRecordingSettings1763733000000,
  ListBuckets1763735000000,
  IdempotentRequests1763736000000,
  RateLimitCounts1763737000000,
  Participants1763733001000,
  AccountKeys1763731000000,
  Metering1763740000000,
  RecordingsAndLogs1763741000000,
  ListCounts1763745000000,
  RoomLife1763750000000,
  SubUserKeyRotation1763752000000,
  RecordingFiles1763755000000,
  BroadcastSources1763757000000,
  DashboardUsers1763760000000,
  RetentionIndexes1763766000000,
  SchemaRequirements1763767000000,
  RecoveryCodes1763768000000,
  LiveMediaIndexes1763769000000,
  RunningUsage1763770000000,
  DeletedRecordings1795359570000,
  ReasonsOfDeletes1795359570001,
  RoomCreators1795359570002,
  AccountLimits1795359817708,
  Environments1795360120413,
  EnvironmentsOfRows1795360120414,
  CountsByEnvironment1795360120415,
  KeyBounds1795363383218,
  AuditEntries1795361758360,
  PasswordResets1795370962847,
  ConfirmedSessions1795370962848,
  KeyAndAccountEnds1795371314059,
  UsageByAccount1795371991395,
  LiveSessionsByAccount1795375352632,
  WrongGuesses1795375353120,
];
