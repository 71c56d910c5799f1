import { Button, Text } from '@mantine/core';
import { IconAdjustments, IconPencil, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { shownKey } from '../../api/query-keys.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { IconButton } from '../../parts/icon-button.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
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
  const [edited, setEdited] = useState<EventsSetting | 'new'>();
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {texts.add}
    </Button>
  );
  return (
    <Page title={texts.title} description={texts.description} actions={add}>
      <ResourceTable
        label={texts.title}
        queryKey={shownKey('eventsSetting', 'list')}
        list={(page, signal) => eventSettings.list(page, {}, signal)}
        rowKey={({ eventsSettingID }) => eventsSettingID}
        columns={columns}
        rowActions={setting => <SettingActions setting={setting} onEdit={() => setEdited(setting)} />}
        empty={<EmptyState icon={IconAdjustments} title={texts.emptyTitle} text={texts.emptyText} />}
      />
      <EventSettingsForm edited={edited} onClose={() => setEdited(undefined)} />
    </Page>
  );
}

function SettingActions({ setting, onEdit }: { setting: EventsSetting; onEdit: () => void }) {
  const type = texts.types[setting.type];
  return (
    <>
      <IconButton label={texts.edit(type)} icon={IconPencil} onClick={onEdit} />
      <ConfirmButton
        label={texts.delete(type)}
        title={texts.deleteTitle}
        text={texts.deleteText(type)}
        run={() => eventSettings.remove(setting.eventsSettingID)}
        success={texts.deleted}
        changes={['eventsSetting']}
      />
    </>
  );
}
