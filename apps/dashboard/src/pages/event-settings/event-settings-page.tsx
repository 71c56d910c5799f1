import { Text } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import { EditableList } from '../../parts/editable-list.js';
import type { Column } from '../../parts/resource-table.js';
import { eventSettingsTexts as texts } from '../../texts/event-settings.js';
import { eventSettings, type EventsSetting } from './event-settings-api.js';
import { EventSettingsForm } from './event-settings-form.js';

const columns: readonly Column<EventsSetting>[] = [
  { header: texts.type, cell: ({ type }) => <Text fw={500}>{texts.types[type]}</Text> },
  { header: texts.audioSetting, cell: ({ audioSetting }) => texts.permissions[audioSetting] },
  { header: texts.videoSetting, cell: ({ videoSetting }) => texts.permissions[videoSetting], visibleFrom: 'sm' },
  {
    header: texts.screenshareSetting,
    cell: ({ screenshareSetting }) => texts.permissions[screenshareSetting],
    visibleFrom: 'md',
  },
  { header: texts.chatSetting, cell: ({ chatSetting }) => texts.permissions[chatSetting], visibleFrom: 'md' },
  {
    header: texts.targetResolution,
    cell: ({ targetResolution }) => texts.resolutions[targetResolution],
    visibleFrom: 'sm',
  },
  { header: texts.addCoHost, cell: ({ addCoHost }) => (addCoHost ? texts.on : texts.off), visibleFrom: 'lg' },
  {
    header: texts.enableAiNotes,
    cell: ({ enableAiNotes, translationConfigNickName }) =>
      enableAiNotes ? (translationConfigNickName ?? texts.on) : texts.off,
    visibleFrom: 'lg',
  },
];

export default function EventSettingsPage() {
  return (
    <EditableList
      texts={texts}
      kind="eventsSetting"
      icon={IconAdjustments}
      resource={eventSettings}
      idOf={({ eventsSettingID }) => eventsSettingID}
      nameOf={({ type }) => texts.types[type]}
      columns={columns}
      form={EventSettingsForm}
    />
  );
}
