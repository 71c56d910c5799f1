import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/query-keys.js';
import type { ActionFields, ApiRecord } from '../../api/records.js';
import { resource } from '../../api/resource.js';

export type EventsSetting = ApiRecord<'EventsSetting'>;

type Creating = ActionFields<'EventssettingsCreateBody'>;

export const eventSettings = resource<EventsSetting, Creating, ActionFields<'EventssettingsUpdateBody'>>({
  path: '/v1/eventssettings',
  one: 'eventsSetting',
  many: 'eventsSettings',
  id: 'eventsSettingID',
});

const translationConfigs = resource<ApiRecord<'TranslationConfig'>>({
  path: '/v1/translationconfigs',
  one: 'translationConfig',
  many: 'translationConfigs',
  id: 'translationConfigID',
});

/** What AI notes may be made with. */
export function useTranslationNames() {
  return useQuery({
    queryKey: shownKey('translationConfig', 'names'),
    queryFn: async ({ signal }) => {
      const { items } = await translationConfigs.list({ startIndex: 0, pageSize: 100 }, {}, signal);
      return items.map(({ nickName }) => nickName);
    },
  });
}
