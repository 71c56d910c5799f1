import { Select, SimpleGrid, Switch } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { defaultEventOptions, eventOptionNames, type EventOptions } from '@rtms/contracts';
import { choicesOf } from '../../parts/choices.js';
import { FormModal } from '../../parts/form-modal.js';
import { eventSettingsTexts as texts } from '../../texts/event-settings.js';
import { eventSettings, useTranslationNames, type EventsSetting } from './event-settings-api.js';

interface EventSettingsFormProps {
  edited: EventsSetting | 'new' | undefined;
  onClose: () => void;
}

export function EventSettingsForm({ edited, onClose }: EventSettingsFormProps) {
  const setting = typeof edited === 'object' ? edited : undefined;
  const isOpen = edited !== undefined;
  return <Form key={setting?.eventsSettingID ?? 'new'} setting={setting} isOpen={isOpen} onClose={onClose} />;
}

function valuesOf(setting: EventsSetting): EventOptions {
  return Object.fromEntries(eventOptionNames.map(name => [name, setting[name]])) as unknown as EventOptions;
}

interface FormProps {
  setting: EventsSetting | undefined;
  isOpen: boolean;
  onClose: () => void;
}

function Form({ setting, isOpen, onClose }: FormProps) {
  const form = useForm<EventOptions>({
    initialValues: setting ? valuesOf(setting) : defaultEventOptions(),
    validate: {
      translationConfigNickName: (nickName, { enableAiNotes }) =>
        enableAiNotes && nickName === null ? texts.translationConfigNeeded : null,
    },
  });
  return (
    <FormModal
      title={setting ? texts.change : texts.add}
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={values =>
        setting
          ? eventSettings.update({ eventsSettingID: setting.eventsSettingID, ...values })
          : eventSettings.create(values)
      }
      success={setting ? texts.changed : texts.added}
      changes={['eventsSetting']}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Choice form={form} name="type" label={texts.type} labels={texts.types} />
        <Choice form={form} name="targetResolution" label={texts.targetResolution} labels={texts.resolutions} />
        <Choice form={form} name="audioSetting" label={texts.audioSetting} labels={texts.permissions} />
        <Choice form={form} name="videoSetting" label={texts.videoSetting} labels={texts.permissions} />
        <Choice form={form} name="screenshareSetting" label={texts.screenshareSetting} labels={texts.permissions} />
        <Choice form={form} name="chatSetting" label={texts.chatSetting} labels={texts.chatPermissions} />
      </SimpleGrid>
      <Switch
        label={texts.addCoHost}
        description={texts.addCoHostHint}
        {...form.getInputProps('addCoHost', { type: 'checkbox' })}
      />
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
  const { data: nickNames = [] } = useTranslationNames();
  return (
    <>
      <Switch
        label={texts.enableAiNotes}
        description={texts.enableAiNotesHint}
        {...form.getInputProps('enableAiNotes', { type: 'checkbox' })}
      />
      {form.values.enableAiNotes && (
        <Select
          label={texts.translationConfig}
          data={nickNames}
          clearable
          {...(nickNames.length === 0 && { description: texts.noTranslationConfig })}
          {...form.getInputProps('translationConfigNickName')}
        />
      )}
    </>
  );
}
