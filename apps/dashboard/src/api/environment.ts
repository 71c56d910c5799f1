import { readLocalStorageValue } from '@mantine/hooks';

/** Rooms of both environments, or those of one; in `all` the page makes sandbox rooms. */
export const apiEnvironments = ['all', 'sandbox', 'production'] as const;
export type ApiEnvironment = (typeof apiEnvironments)[number];

export const environmentStorageKey = 'rtms-environment';

export function currentEnvironment(): ApiEnvironment {
  return toEnvironment(readLocalStorageValue<string>({ key: environmentStorageKey }));
}

export function toEnvironment(stored: string | undefined): ApiEnvironment {
  return apiEnvironments.find(each => each === stored) ?? 'all';
}
