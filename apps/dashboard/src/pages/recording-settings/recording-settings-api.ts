import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/query-keys.js';
import type { ActionFields, ApiRecord } from '../../api/records.js';
import { resource } from '../../api/resource.js';

export type RecordingSetting = ApiRecord<'RecordingSetting'>;
export type RecordingOptions = Omit<RecordingSetting, 'recordingSettingID' | 'createdAt' | 'updatedAt'>;

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

/** In force while an account has saved none. */
export const defaultOptions: RecordingOptions = {
  mediaOptions: 'video',
  audioOptions: 'all',
  videoOptions: 'all',
  videoType: 'fullDisplay',
  videoOptimized: false,
  recordingDisplayType: 'media',
  addHLS: false,
  nameTags: true,
  backgroundColor: '#000000',
  nameTagsColor: '#ffffff',
  orientation: 'landscape',
  maxDurationSeconds: 86_400,
  pausesLimit: 10,
  retentionDays: 30,
};

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
  if (!stored) return defaultOptions;
  const names = Object.keys(defaultOptions) as (keyof RecordingOptions)[];
  return Object.fromEntries(names.map(name => [name, stored[name]])) as unknown as RecordingOptions;
}
