import { defaultRecordingOptions, type RecordingOptions } from '@rtms/contracts';
import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/query-keys.js';
import type { ActionFields, ApiRecord } from '../../api/records.js';
import { resource } from '../../api/resource.js';

export type RecordingSetting = ApiRecord<'RecordingSetting'>;

const recordingSettings = resource<
  RecordingSetting,
  ActionFields<'RecordingsettingsCreateBody'>,
  ActionFields<'RecordingsettingsUpdateBody'>
>({
  path: '/v1/recordingsettings',
  one: 'recordingSetting',
  many: 'recordingSettings',
  id: 'recordingSettingID',
});

/** An account has one record at most; null: none. */
export function useRecordingSetting() {
  return useQuery({
    queryKey: shownKey('recordingSetting'),
    queryFn: async ({ signal }) => {
      const { items } = await recordingSettings.list({ startIndex: 0, pageSize: 1 }, {}, signal);
      return items[0] ?? null;
    },
  });
}

export function saveRecordingSetting(stored: RecordingSetting | null, options: RecordingOptions) {
  if (!stored) return recordingSettings.create(options);
  return recordingSettings.update({ recordingSettingID: stored.recordingSettingID, ...options });
}

export function optionsOf(stored: RecordingSetting | null): RecordingOptions {
  if (!stored) return { ...defaultRecordingOptions };
  const names = Object.keys(defaultRecordingOptions) as (keyof RecordingOptions)[];
  return Object.fromEntries(names.map(name => [name, stored[name]])) as unknown as RecordingOptions;
}
