import { Card, Group, Text, ThemeIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

const format = new Intl.NumberFormat();

interface NumberCardProps {
  label: string;
  value: number;
  icon?: Icon;
}

/** One number and what it counts. */
export function NumberCard({ label, value, icon: CardIcon }: NumberCardProps) {
  return (
    <Card padding="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" c="dimmed" fw={500} miw={0}>
          {label}
        </Text>
        {CardIcon && (
          <ThemeIcon variant="light" size="md" aria-hidden>
            <CardIcon size={16} />
          </ThemeIcon>
        )}
      </Group>
      <Text fz={28} fw={700} lh={1.2} mt="xs">
        {format.format(value)}
      </Text>
    </Card>
  );
}
