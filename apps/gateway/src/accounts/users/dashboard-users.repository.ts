import type { EntityManager } from 'typeorm';

/** Lets no other transaction add or change a dashboard user until this transaction ends. */
export async function lockAllUsers(manager: EntityManager): Promise<void> {
  await manager.query('LOCK TABLE dashboard_users IN SHARE ROW EXCLUSIVE MODE');
}
