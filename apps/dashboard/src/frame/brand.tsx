import { Group, Text, ThemeIcon } from '@mantine/core';
import { IconBroadcast } from '@tabler/icons-react';
import { frameTexts } from '../texts/frame.js';

export function Brand() {
  return (
    <Group gap="xs" wrap="nowrap">
      <ThemeIcon size={32} radius="md" aria-hidden>
        <IconBroadcast size={20} />
      </ThemeIcon>
      <Text fw={700} size="lg">
        {frameTexts.product}
      </Text>
    </Group>
  );
}
