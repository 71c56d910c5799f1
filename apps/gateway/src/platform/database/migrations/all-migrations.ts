import { Initial1795398467912 } from './1795398467912-initial.js';

/** Every migration. TypeORM runs them in the order of the times in their names. */
export const allMigrations = [Initial1795398467912];
