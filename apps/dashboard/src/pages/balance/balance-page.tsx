import { Alert, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { entitlements, type EntitlementsAnswer, type OverviewAnswer } from '@rtms/contracts';
import { IconAlertTriangle, IconClock, IconPlayerRecord } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dashboardRequest, request } from '../../api/request.js';
import { shownKey, type ApiRecord } from '../../api/resource.js';
import { Loaded, Page, Section } from '../../parts/page.js';
import { entitlementNames, environmentNames, NumberCard, OnOffBadge } from '../../parts/values.js';

type Balance = ApiRecord<'Balance'>;

const refetchMs = 30_000;
const usedSpanMs = 30 * 24 * 3_600_000;

export default function BalancePage() {
  return (
    <Page
      title="Balance"
      description="The minutes that remain. External sessions count as participants. Recordings have minutes of their own."
    >
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
  const query = useQuery({
    queryKey: shownKey('balance'),
    queryFn: async ({ signal }) => {
      const query = { action: 'get' };
      return (await request<{ balance: Balance }>('GET', '/v1/balance', { query, signal })).balance;
    },
    refetchInterval: refetchMs,
  });
  return (
    <Loaded query={query} height={260}>
      {balance =>
        (['sandbox', 'production'] as const).map(environment => (
          <Section key={environment} title={environmentNames[environment]}>
            <Minutes environment={environmentNames[environment]} {...balance[environment]} />
          </Section>
        ))
      }
    </Loaded>
  );
}

interface MinutesProps {
  environment: string;
  meetingMinutes: number;
  recordingMinutes: number;
}

function Minutes({ environment, meetingMinutes, recordingMinutes }: MinutesProps) {
  return (
    <Stack gap="sm">
      {meetingMinutes === 0 && (
        <Alert color="yellow" title="No minutes left" icon={<IconAlertTriangle aria-hidden />}>
          {`Nothing new can start in ${environment} until an administrator adds minutes.`}
        </Alert>
      )}
      <Cards>
        <NumberCard label="Meeting minutes left" value={meetingMinutes} icon={IconClock} />
        <NumberCard label="Recording minutes left" value={recordingMinutes} icon={IconPlayerRecord} />
      </Cards>
    </Stack>
  );
}

function Used() {
  const query = useQuery({
    queryKey: shownKey('overview', 'used'),
    queryFn: async ({ signal }) => {
      const to = Date.now();
      const query = { from: new Date(to - usedSpanMs).toISOString(), to: new Date(to).toISOString(), bucket: 'day' };
      return (await dashboardRequest<OverviewAnswer>('GET', '/overview', { query, signal })).overview.points;
    },
    refetchInterval: refetchMs,
  });
  return (
    <Section title="Used in the last 30 days" text="By all keys of the account together.">
      <Loaded query={query} height={96}>
        {points => {
          const sumOf = (name: 'participantMinutes' | 'recordingMinutes') =>
            Math.round(points.reduce((sum, point) => sum + point[name], 0));
          return (
            <Cards>
              <NumberCard label="Participant minutes" value={sumOf('participantMinutes')} icon={IconClock} />
              <NumberCard label="Recording minutes" value={sumOf('recordingMinutes')} icon={IconPlayerRecord} />
            </Cards>
          );
        }}
      </Loaded>
    </Section>
  );
}

function Entitlements() {
  const query = useQuery({
    queryKey: shownKey('entitlements'),
    queryFn: async ({ signal }) =>
      (await dashboardRequest<EntitlementsAnswer>('GET', '/entitlements', { signal })).entitlements,
  });
  return (
    <Section
      title="Entitlements"
      text="The media features that the account may use. Administrators of the platform grant them."
    >
      <Loaded query={query} height={56}>
        {states => (
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
            {entitlements.map(name => (
              <Card key={name} p="md">
                <Group justify="space-between" wrap="nowrap">
                  <Text size="sm">{entitlementNames[name]}</Text>
                  <OnOffBadge isOn={states[name]} on="Granted" off="Not granted" />
                </Group>
              </Card>
            ))}
          </SimpleGrid>
        )}
      </Loaded>
    </Section>
  );
}
