import { readLocalStorageValue } from '@mantine/hooks';

/** In whose place the page acts: as the account's sandbox key would, or as its production key. */
export type ApiEnvironment = 'sandbox' | 'production';

export const environmentStorageKey = 'rtms-environment';

export function currentEnvironment(): ApiEnvironment {
  const stored = readLocalStorageValue<string>({ key: environmentStorageKey });
  return stored === 'production' ? 'production' : 'sandbox';
}
