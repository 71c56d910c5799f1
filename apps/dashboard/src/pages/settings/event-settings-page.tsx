import { Select, SimpleGrid } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { defaultEventOptions, eventOptionNames, type EventOptions } from '@rtms/contracts';
import { IconAdjustments } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { eventsSettings, shownKey, translationConfigs, type EventsSetting } from '../../api/resource.js';
import { EditableList, type RecordFormProps } from '../../parts/editable-list.js';
import { SwitchField } from '../../parts/fields.js';
import { choicesOf, FormModal } from '../../parts/forms.js';
import type { Column } from '../../parts/resource-table.js';
import { eventTypeNames, TwoLines } from '../../parts/values.js';

const permissions = { allow: 'Allowed', approval: 'After approval', disallow: 'Not allowed' } as const;
const chatPermissions = { allow: 'Allowed', disallow: 'Not allowed' } as const;
const resolutions = { sd: 'SD', hd: 'HD', fhd: 'Full HD', qhd: 'Quad HD', QnHD: 'QnHD' } as const;

const columns: readonly Column<EventsSetting>[] = [
  { header: 'Room type', cell: ({ type }) => <TwoLines first={eventTypeNames[type]} /> },
  { header: 'Microphone', cell: ({ audioSetting }) => permissions[audioSetting] },
  { header: 'Camera', cell: ({ videoSetting }) => permissions[videoSetting], visibleFrom: 'sm' },
  { header: 'Screen sharing', cell: ({ screenshareSetting }) => permissions[screenshareSetting], visibleFrom: 'md' },
  { header: 'Chat', cell: ({ chatSetting }) => permissions[chatSetting], visibleFrom: 'md' },
  { header: 'Highest resolution', cell: ({ targetResolution }) => resolutions[targetResolution], visibleFrom: 'sm' },
  { header: 'Co-hosts', cell: ({ addCoHost }) => (addCoHost ? 'On' : 'Off'), visibleFrom: 'lg' },
  {
    header: 'AI notes',
    cell: ({ enableAiNotes, translationConfigNickName: name }) => (enableAiNotes ? (name ?? 'On') : 'Off'),
    visibleFrom: 'lg',
  },
];

export default function EventSettingsPage() {
  return (
    <EditableList
      title="Event settings"
      description="The settings of a new room, by its type. Existing rooms keep their settings."
      icon={IconAdjustments}
      noun="event setting"
      resource={eventsSettings}
      columns={columns}
      nameOf={({ type }) => eventTypeNames[type]}
      deleteText={type => `New rooms of type ${type} use the service’s defaults again.`}
      emptyTitle="No event settings yet"
      emptyText="Every room uses the service’s defaults: everything is allowed, up to HD."
      form={props => <EventSettingForm {...props} />}
    />
  );
}

function valuesOf(setting: EventsSetting): EventOptions {
  return Object.fromEntries(eventOptionNames.map(name => [name, setting[name]])) as unknown as EventOptions;
}

function EventSettingForm({ record, modal }: RecordFormProps<EventsSetting>) {
  const form = useForm<EventOptions>({
    initialValues: record ? valuesOf(record) : defaultEventOptions(),
    validate: {
      translationConfigNickName: (nickName, { enableAiNotes }) =>
        enableAiNotes && nickName === null ? 'AI notes need a translation configuration.' : null,
    },
  });
  return (
    <FormModal
      {...modal}
      form={form}
      run={values => (record ? eventsSettings.update(record, values) : eventsSettings.create(values))}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Choice form={form} name="type" label="Room type" labels={eventTypeNames} />
        <Choice form={form} name="targetResolution" label="Highest resolution" labels={resolutions} />
        <Choice form={form} name="audioSetting" label="Microphone" labels={permissions} />
        <Choice form={form} name="videoSetting" label="Camera" labels={permissions} />
        <Choice form={form} name="screenshareSetting" label="Screen sharing" labels={permissions} />
        <Choice form={form} name="chatSetting" label="Chat" labels={chatPermissions} />
      </SimpleGrid>
      <SwitchField form={form} name="addCoHost" label="Co-hosts" description="A host may make others co-hosts." />
      <Notes form={form} />
    </FormModal>
  );
}

interface ChoiceProps {
  form: UseFormReturnType<EventOptions>;
  name: keyof EventOptions;
  label: string;
  labels: Readonly<Record<string, string>>;
}

function Choice({ form, name, label, labels }: ChoiceProps) {
  return <Select label={label} data={choicesOf(labels)} allowDeselect={false} {...form.getInputProps(name)} />;
}

function Notes({ form }: Pick<ChoiceProps, 'form'>) {
  const { data: configs = [] } = useQuery({
    queryKey: shownKey('translationConfig', 'newest'),
    queryFn: ({ signal }) => translationConfigs.newest(signal),
  });
  return (
    <>
      <SwitchField
        form={form}
        name="enableAiNotes"
        label="AI notes"
        description="Stored only: the service writes no notes. They need a translation configuration."
      />
      {form.values.enableAiNotes && (
        <Select
          label="Translation configuration"
          data={configs.map(({ nickName }) => nickName)}
          clearable
          {...(configs.length === 0 && { description: 'None yet. Add one on the page “Translation”.' })}
          {...form.getInputProps('translationConfigNickName')}
        />
      )}
    </>
  );
}
