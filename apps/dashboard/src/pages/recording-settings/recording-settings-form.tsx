import { Alert, Button, Card, Group, NumberInput, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { colourForm, recordingBounds, type RecordingOptions } from '@rtms/contracts';
import { choicesOf } from '../../parts/choices.js';
import { wholeNumber } from '../../parts/field-rules.js';
import { Time } from '../../parts/time.js';
import { useAction } from '../../parts/use-action.js';
import { recordingSettingsTexts as texts } from '../../texts/recording-settings.js';
import { LayoutFields } from './layout-fields.js';
import { optionsOf, saveRecordingSetting, type RecordingSetting } from './recording-settings-api.js';

const numberRule = ([least, most]: readonly [number, number]) =>
  wholeNumber(least, most, texts.wholeNumber(least, most));
const colorRule = (value: string) => (colourForm.test(value) ? null : texts.colorWrong);

const rules = {
  maxDurationSeconds: numberRule(recordingBounds.maxDurationSeconds),
  pausesLimit: numberRule(recordingBounds.pausesLimit),
  retentionDays: numberRule(recordingBounds.retentionDays),
  backgroundColor: colorRule,
  nameTagsColor: colorRule,
};

export function RecordingSettingsForm({ stored }: { stored: RecordingSetting | null }) {
  const form = useForm<RecordingOptions>({ initialValues: optionsOf(stored), validate: rules });
  const save = useAction({
    run: (options: RecordingOptions) => saveRecordingSetting(stored, options),
    success: texts.saved,
    changes: ['recordingSetting'],
  });
  const number = (name: keyof typeof recordingBounds, label: string, description: string) => {
    const [min, max] = recordingBounds[name];
    return <NumberInput label={label} description={description} min={min} max={max} {...form.getInputProps(name)} />;
  };
  return (
    <form onSubmit={form.onSubmit(options => save.mutate(options))} noValidate>
      <Stack gap="lg">
        {!stored && <Alert color="blue">{texts.defaults}</Alert>}
        <Card component="section" aria-label={texts.ofOne}>
          <Title order={2} size="h4" mb="md">
            {texts.ofOne}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              label={texts.mediaOptions}
              data={choicesOf(texts.medias)}
              allowDeselect={false}
              description={texts.mediaOptionsHint}
              {...form.getInputProps('mediaOptions')}
            />
            {number('maxDurationSeconds', texts.maxDurationSeconds, texts.maxDurationHint)}
            {number('pausesLimit', texts.pausesLimit, texts.pausesHint)}
            {number('retentionDays', texts.retentionDays, texts.retentionHint)}
          </SimpleGrid>
        </Card>
        <LayoutFields form={form} />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {texts.updatedAt}: <Time value={stored?.updatedAt} />
          </Text>
          <Group>
            <Button variant="default" disabled={!form.isDirty()} onClick={form.reset}>
              {texts.reset}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {texts.save}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
