import { Card, ColorInput, Select, SimpleGrid, Switch, Text, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { RecordingOptions } from '@rtms/contracts';
import { choicesOf } from '../../parts/choices.js';
import { recordingSettingsTexts as texts } from '../../texts/recording-settings.js';

const choices = [
  ['audioOptions', texts.audioOptions, texts.audios],
  ['videoOptions', texts.videoOptions, texts.videos],
  ['videoType', texts.videoType, texts.videoTypes],
  ['recordingDisplayType', texts.recordingDisplayType, texts.displayTypes],
  ['orientation', texts.orientation, texts.orientations],
] as const;

const colors = ['backgroundColor', 'nameTagsColor'] as const;

/** What matters where several sources make one picture. */
export function LayoutFields({ form }: { form: UseFormReturnType<RecordingOptions> }) {
  return (
    <Card component="section" aria-label={texts.layout}>
      <Title order={2} size="h4">
        {texts.layout}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {texts.layoutText}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
        {choices.map(([name, label, labels]) => (
          <Select
            key={name}
            label={label}
            data={choicesOf<string>(labels)}
            allowDeselect={false}
            {...form.getInputProps(name)}
          />
        ))}
        {colors.map(name => (
          <ColorInput
            key={name}
            label={texts[name]}
            format="hex"
            eyeDropperButtonProps={{ 'aria-label': texts.pick(texts[name]) }}
            {...form.getInputProps(name)}
          />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 3 }} mt="md">
        <Switch label={texts.nameTags} {...form.getInputProps('nameTags', { type: 'checkbox' })} />
        <Switch label={texts.videoOptimized} {...form.getInputProps('videoOptimized', { type: 'checkbox' })} />
        <Switch label={texts.addHLS} {...form.getInputProps('addHLS', { type: 'checkbox' })} />
      </SimpleGrid>
    </Card>
  );
}
