import {
  Alert,
  Button,
  Card,
  ColorInput,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useForm, type GetInputPropsReturnType, type UseFormReturnType } from '@mantine/form';
import { colourForm, defaultRecordingOptions, recordingBounds, type RecordingOptions } from '@rtms/contracts';
import { useQuery } from '@tanstack/react-query';
import { recordingSettings, shownKey, type RecordingSetting } from '../../api/resource.js';
import { useAction } from '../../parts/actions.js';
import { SwitchField } from '../../parts/fields.js';
import { numberText } from '../../parts/formats.js';
import { choicesOf, useRefetched, wholeNumber } from '../../parts/forms.js';
import { Loaded, Page } from '../../parts/page.js';
import { Time } from '../../parts/values.js';

/** An account has at most one record. */
export default function RecordingSettingsPage() {
  const query = useQuery({
    queryKey: shownKey('recordingSetting'),
    queryFn: async ({ signal }) => {
      const { items } = await recordingSettings.list({ startIndex: 0, pageSize: 1 }, {}, signal);
      return items[0] ?? null;
    },
  });
  return (
    <Page
      title="Recording settings"
      description="The settings of this account’s recordings. Running recordings keep the settings they started with."
    >
      <Loaded query={query} height={420}>
        {stored => <SettingsForm stored={stored} />}
      </Loaded>
    </Page>
  );
}

function optionsOf(stored: RecordingSetting | null): RecordingOptions {
  if (!stored) return { ...defaultRecordingOptions };
  const names = Object.keys(defaultRecordingOptions) as (keyof RecordingOptions)[];
  return Object.fromEntries(names.map(name => [name, stored[name]])) as unknown as RecordingOptions;
}

const numberRule = ([min, max]: readonly [number, number]) =>
  wholeNumber(min, max, `Enter a whole number from ${numberText(min)} to ${numberText(max)}.`);
const colorRule = (value: string) => (colourForm.test(value) ? null : 'Enter a color such as #1a2b3c.');

const rules = {
  maxDurationSeconds: wholeNumber(...recordingBounds.maxDurationSeconds, 'Enter 1 to 1,440 minutes.'),
  pausesLimit: numberRule(recordingBounds.pausesLimit),
  retentionDays: numberRule(recordingBounds.retentionDays),
  backgroundColor: colorRule,
  nameTagsColor: colorRule,
};

type SettingsFormReturn = UseFormReturnType<RecordingOptions>;

function SettingsForm({ stored }: { stored: RecordingSetting | null }) {
  const options = optionsOf(stored);
  const form = useForm<RecordingOptions>({ initialValues: options, validate: rules });
  useRefetched(form, options);
  const save = useAction({
    run: async (changed: RecordingOptions) => {
      await (stored ? recordingSettings.update(stored, changed) : recordingSettings.create(changed));
      form.resetDirty(changed);
    },
    success: 'The recording settings were saved.',
    changes: ['recordingSetting'],
  });
  return (
    <form onSubmit={form.onSubmit(changed => save.mutate(changed))} noValidate>
      <Stack gap="lg">
        {!stored && <Alert color="blue">You have saved nothing yet. These are the service’s defaults.</Alert>}
        <EveryRecording form={form} />
        <Layout form={form} />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            Last changed: <Time value={stored?.updatedAt} />
          </Text>
          <Group>
            <Button variant="default" disabled={!form.isDirty()} onClick={form.reset}>
              Discard changes
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save settings
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

const numbers = [
  ['pausesLimit', 'Pauses', '0 to 100. The recording ends if its source pauses more often.'],
  ['retentionDays', 'Kept for (days)', '1 to 3,650. Then the service deletes the file.'],
] as const;

/** The API counts in seconds. */
function inMinutes(input: GetInputPropsReturnType): GetInputPropsReturnType {
  const toSeconds = (minutes: number | string) => (typeof minutes === 'number' ? Math.round(minutes * 60) : minutes);
  const { value, onChange } = input as { value: number | string; onChange: (value: number | string) => void };
  return {
    ...input,
    value: typeof value === 'number' ? value / 60 : value,
    onChange: (minutes: number | string) => onChange(toSeconds(minutes)),
  };
}

function EveryRecording({ form }: { form: SettingsFormReturn }) {
  return (
    <Card component="section" aria-label="Every recording">
      <Title order={2} size="h4" mb="md">
        Every recording
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Recorded media"
          data={choicesOf({ video: 'Picture and sound', audio: 'Sound only' })}
          allowDeselect={false}
          description="For sources that have both."
          {...form.getInputProps('mediaOptions')}
        />
        <NumberInput
          label="Longest recording (minutes)"
          description="1 to 1,440 (a day). The recording then ends."
          {...inMinutes(form.getInputProps('maxDurationSeconds'))}
        />
        {numbers.map(([name, label, description]) => (
          <NumberInput
            key={name}
            label={label}
            description={description}
            min={recordingBounds[name][0]}
            max={recordingBounds[name][1]}
            {...form.getInputProps(name)}
          />
        ))}
      </SimpleGrid>
    </Card>
  );
}

const layoutChoices = [
  ['audioOptions', 'Sound of', { all: 'Everybody', onScreen: 'The pictures shown', host: 'Hosts' }],
  ['videoOptions', 'Picture of', { all: 'Everybody, in a grid', mainScreen: 'The main screen' }],
  ['videoType', 'Fit', { fullDisplay: 'Fill', bestDisplay: 'Whole picture', all: 'Whole, names without picture' }],
  ['recordingDisplayType', 'Display', { video: 'Cameras', media: 'Shared screens and encoders', all: 'All' }],
  ['orientation', 'Orientation', { landscape: 'Landscape', portrait: 'Portrait', all: 'Square' }],
] as const;

const colors = [
  ['backgroundColor', 'Background'],
  ['nameTagsColor', 'Name tags’ color'],
] as const;

function Layout({ form }: { form: SettingsFormReturn }) {
  return (
    <Card component="section" aria-label="Recordings of rooms">
      <Title order={2} size="h4">
        Recordings of rooms
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        For recordings that show the whole room in one picture.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
        {layoutChoices.map(([name, label, labels]) => (
          <Select
            key={name}
            label={label}
            data={choicesOf<string>(labels)}
            allowDeselect={false}
            {...form.getInputProps(name)}
          />
        ))}
        {colors.map(([name, label]) => (
          <ColorInput
            key={name}
            label={label}
            format="hex"
            eyeDropperButtonProps={{ 'aria-label': `${label}: pick from the screen` }}
            {...form.getInputProps(name)}
          />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 3 }} mt="md">
        <SwitchField form={form} name="nameTags" label="Name tags" />
        <SwitchField form={form} name="videoOptimized" label="1080 lines" />
        <SwitchField
          form={form}
          name="addHLS"
          label="HLS as well"
          description="For players in pages. Takes the place of a second file."
        />
      </SimpleGrid>
    </Card>
  );
}
