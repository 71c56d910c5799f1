import { Group, Text } from '@mantine/core';
import { CopyButton } from './copy-button.js';

const shownLength = 12;

/** The beginning of an identifier, and a button that copies all of it. */
export function ShortID({ value, what }: { value: string; what: string }) {
  return (
    <Group gap={2} wrap="nowrap">
      <Text size="sm" ff="monospace" title={value}>
        {value.slice(0, shownLength)}…
      </Text>
      <CopyButton value={value} what={`${what} ${value}`} />
    </Group>
  );
}
