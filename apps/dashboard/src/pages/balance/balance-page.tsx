import { Alert, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconClock, IconPlayerRecord } from '@tabler/icons-react';
import { entitlements } from '@rtms/contracts';
import type { ReactNode } from 'react';
import { LoadFailure } from '../../parts/load-failure.js';
import { NumberCard } from '../../parts/number-card.js';
import { Page } from '../../parts/page.js';
import { Section } from '../../parts/section.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Waiting } from '../../parts/waiting.js';
import { balanceTexts as texts } from '../../texts/balance.js';
import { frameTexts } from '../../texts/frame.js';
import { useBalance, useEntitlements, useUsedMinutes, type Balance } from './balance-api.js';

const environments = ['sandbox', 'production'] as const;

export default function BalancePage() {
  return (
    <Page title={texts.title} description={texts.description}>
      <Remaining />
      <Used />
      <Entitlements />
    </Page>
  );
}

function Cards({ children }: { children: ReactNode }) {
  return <SimpleGrid cols={{ base: 1, xs: 2 }}>{children}</SimpleGrid>;
}

function Remaining() {
  const { data: balance, error, refetch } = useBalance();
  if (error && !balance) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!balance) return <Waiting h={260} />;
  return environments.map(environment => (
    <Section key={environment} title={frameTexts.environments[environment]}>
      <Minutes environment={environment} {...balance[environment]} />
    </Section>
  ));
}

function Minutes({
  environment,
  meetingMinutes,
  recordingMinutes,
}: Balance['sandbox'] & { environment: keyof Balance }) {
  return (
    <Stack gap="sm">
      {meetingMinutes === 0 && (
        <Alert color="yellow" title={texts.emptyTitle} icon={<IconAlertTriangle aria-hidden />}>
          {texts.emptyText(frameTexts.environments[environment])}
        </Alert>
      )}
      <Cards>
        <NumberCard label={texts.meetingMinutes} value={meetingMinutes} icon={IconClock} />
        <NumberCard label={texts.recordingMinutes} value={recordingMinutes} icon={IconPlayerRecord} />
      </Cards>
    </Stack>
  );
}

function Used() {
  const { data: used, error, refetch } = useUsedMinutes();
  return (
    <Section title={texts.used}>
      <Text size="sm" c="dimmed">
        {texts.usedText}
      </Text>
      {error && !used && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!error && !used && <Waiting h={96} />}
      {used && (
        <Cards>
          <NumberCard label={texts.usedMeeting} value={used.meeting} icon={IconClock} />
          <NumberCard label={texts.usedRecording} value={used.recording} icon={IconPlayerRecord} />
        </Cards>
      )}
    </Section>
  );
}

function Entitlements() {
  const { data: states, error, refetch } = useEntitlements();
  return (
    <Section title={texts.entitlements}>
      <Text size="sm" c="dimmed">
        {texts.entitlementsText}
      </Text>
      {error && !states && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!error && !states && <Waiting h={56} />}
      {states && (
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          {entitlements.map(name => (
            <Card key={name} p="md">
              <Group justify="space-between" wrap="nowrap">
                <Text size="sm">{frameTexts.entitlements[name]}</Text>
                <StateBadge
                  state={states[name] ? 'enabled' : 'disabled'}
                  label={states[name] ? texts.granted : texts.notGranted}
                />
              </Group>
            </Card>
          ))}
        </SimpleGrid>
      )}
    </Section>
  );
}
