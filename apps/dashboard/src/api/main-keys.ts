import { request } from './request.js';

export type KeyChange = 'disable' | 'enable' | 'delete';

/** `isForced`: also when no other main key of its environment works. */
export async function changeMainKey(
  keysPath: string,
  keyID: string,
  change: KeyChange,
  isForced: boolean,
): Promise<void> {
  const path = `${keysPath}/${encodeURIComponent(keyID)}`;
  if (change === 'delete') await request('DELETE', path, { query: { force: isForced || undefined } });
  else await request('POST', `${path}/${change}`, { body: isForced ? { force: true } : {} });
}
