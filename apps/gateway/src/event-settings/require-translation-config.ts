import { ServiceError } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';

/**
 * The account has a translation config of that name, which can't be deleted before this transaction ends. A plain
 * look-up: asking the configs' own service, which asks who uses them, would tie the two modules in a knot.
 */
export async function requireTranslationConfig(
  manager: EntityManager,
  accountID: string,
  nickName: string,
): Promise<void> {
  const sql = 'SELECT 1 FROM translation_configs WHERE account_id = $1 AND nick_name = $2 FOR SHARE';
  const found = await manager.query<object[]>(sql, [accountID, nickName]);
  if (found.length > 0) return;
  throw new ServiceError('invalid_request', 'translationConfigNickName must name one of your translation configs.');
}
