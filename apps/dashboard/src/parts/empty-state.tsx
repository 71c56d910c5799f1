import { Stack, Text, ThemeIcon } from '@mantine/core';
import { IconInbox, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  text?: string;
  icon?: Icon;
  action?: ReactNode;
}

/** Instead of nothing: what would be here, and how it comes here. */
export function EmptyState({ title, text, icon: EmptyIcon = IconInbox, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py="xl" px="md" ta="center">
      <ThemeIcon variant="light" size={48} radius="xl" aria-hidden>
        <EmptyIcon size={26} stroke={1.5} />
      </ThemeIcon>
      <Text fw={600}>{title}</Text>
      {text !== undefined && (
        <Text c="dimmed" size="sm" maw={440}>
          {text}
        </Text>
      )}
      {action}
    </Stack>
  );
}
