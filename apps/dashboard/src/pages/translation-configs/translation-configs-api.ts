import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/query-keys.js';
import type { ActionFields, ApiRecord } from '../../api/records.js';
import { resource } from '../../api/resource.js';

export type TranslationConfig = ApiRecord<'TranslationConfig'>;

export const translationConfigs = resource<
  TranslationConfig,
  ActionFields<'TranslationconfigsCreateBody'>,
  ActionFields<'TranslationconfigsUpdateBody'>
>({
  path: '/v1/translationconfigs',
  one: 'translationConfig',
  many: 'translationConfigs',
  id: 'translationConfigID',
});

const aiCredentials = resource<ApiRecord<'AiCredential'>>({
  path: '/v1/aicredentials',
  one: 'aiCredential',
  many: 'aiCredentials',
  id: 'aiCredentialID',
});

/** The nicknames of the account's credentials of a kind. */
export function useCredentialNames(kind: 'stt' | 'llm' | 'tts') {
  return useQuery({
    queryKey: shownKey('aiCredential', 'names', kind),
    queryFn: async ({ signal }) => {
      const { items } = await aiCredentials.list({ startIndex: 0, pageSize: 100 }, { kind }, signal);
      return items.map(({ nickName }) => nickName);
    },
  });
}
