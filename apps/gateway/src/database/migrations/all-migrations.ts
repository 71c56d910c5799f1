import { DeletedRecords1763720000000 } from './1763720000000-deleted-records.js';
import { Initial1763700000000 } from './1763700000000-initial.js';

/** What brings an empty database up to date; they run in the order of the times in their names. */
export const allMigrations = [Initial1763700000000, DeletedRecords1763720000000];
