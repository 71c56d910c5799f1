import { DeletedRecords1763720000000 } from './1763720000000-deleted-records.js';
import { EventAndRecordingSettings1763730000000 } from './1763730000000-event-and-recording-settings.js';
import { Initial1763700000000 } from './1763700000000-initial.js';
import { Participants1763730001000 } from './1763730001000-participants.js';

/** What brings an empty database up to date; they run in the order of the times in their names. */
export const allMigrations = [
  Initial1763700000000,
  DeletedRecords1763720000000,
  EventAndRecordingSettings1763730000000,
  Participants1763730001000,
];
