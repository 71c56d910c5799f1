import { Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { OverviewNow } from '@rtms/contracts';
import { frameTexts } from '../../texts/frame.js';
import { overviewTexts as texts } from '../../texts/overview.js';

const format = new Intl.NumberFormat();
const environments = ['sandbox', 'production'] as const;

export function BalanceCards({ minutesLeft }: Pick<OverviewNow, 'minutesLeft'>) {
  return (
    <Stack component="section" gap="sm">
      <Title order={2} size="h4">
        {texts.balance}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {environments.map(environment => (
          <Card key={environment}>
            <Title order={3} size="h5" mb="sm">
              {frameTexts.environments[environment]}
            </Title>
            <Line label={texts.meetingMinutes} value={minutesLeft[environment].meetingMinutes} />
            <Line label={texts.recordingMinutes} value={minutesLeft[environment].recordingMinutes} />
          </Card>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function Line({ label, value }: { label: string; value: number }) {
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={600}>{format.format(value)}</Text>
    </Group>
  );
}
