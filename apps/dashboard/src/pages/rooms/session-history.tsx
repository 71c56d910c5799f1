import { Card, Group, SegmentedControl, SimpleGrid, Table, Text, Timeline } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isOver, readHistory, trackNames, type ExternalSession, type SessionHistory } from '../../api/meetings.js';
import { shownKey } from '../../api/resource.js';
import { endTexts, pendingTexts, type SessionEvent } from '../../media/reasons.js';
import { useAddressChoice } from '../../parts/address-choice.js';
import { Loaded, Section } from '../../parts/page.js';
import { ChartCard } from '../../parts/charts/time-chart.js';
import { Monospace, StateBadge, Time } from '../../parts/values.js';
import { sessionCharts } from './session-charts.js';

const minuteMs = 60_000;

const ranges = {
  minutes: { label: '15 minutes', spanMs: 15 * minuteMs },
  hour: { label: '1 hour', spanMs: 60 * minuteMs },
  day: { label: '24 hours', spanMs: 24 * 60 * minuteMs },
} as const;
type Range = keyof typeof ranges;
const rangeNames = Object.keys(ranges) as Range[];
const rangeChoices = rangeNames.map(value => ({ value, label: ranges[value].label }));

/** A node takes a sample every ten seconds. */
const refetchMs = 10_000;

/** Charts, tracks and events of a session. */
export function SessionHistorySections({ session }: { session: ExternalSession }) {
  const [range, setRange] = useAddressChoice<Range>({ name: 'range', values: rangeNames, initial: 'minutes' });
  const query = useQuery({
    queryKey: shownKey('externalSession', 'history', session.sessionID, range, session.endedAt),
    queryFn: ({ signal }) => readHistory(session, ranges[range].spanMs, signal),
    placeholderData: keepPreviousData,
    refetchInterval: isOver(session) ? false : refetchMs,
  });
  const choice = <SegmentedControl aria-label="Time range" data={rangeChoices} value={range} onChange={setRange} />;
  return (
    <>
      <Section title="Media over time" actions={choice}>
        <Loaded query={query} height={320}>
          {history => <Charts history={history} />}
        </Loaded>
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Tracks session={session} />
        <Section title="What happened">
          <Loaded query={query} height={120}>
            {({ events }) => <Events session={session} events={events} />}
          </Loaded>
        </Section>
      </SimpleGrid>
    </>
  );
}

function Charts({ history }: { history: SessionHistory }) {
  if (history.samples.length === 0) {
    return (
      <Card>
        <Text size="sm" c="dimmed">
          No media arrived in this time. Samples are kept until a day after the session.
        </Text>
      </Card>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      {sessionCharts(history).map(chart => (
        <ChartCard key={chart.title} kind="areas" {...chart} />
      ))}
    </SimpleGrid>
  );
}

function Tracks({ session: { tracks } }: { session: ExternalSession }) {
  return (
    <Section title="Tracks">
      <Card p={tracks.length === 0 ? 'md' : 0}>
        {tracks.length === 0 ? (
          <Text size="sm" c="dimmed">
            No track has arrived yet.
          </Text>
        ) : (
          <Table aria-label="Tracks">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Kind</Table.Th>
                <Table.Th scope="col">Codec</Table.Th>
                <Table.Th scope="col">State</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {tracks.map(({ trackID, kind, codec, state }) => (
                <Table.Tr key={trackID}>
                  <Table.Td>{trackNames[kind]}</Table.Td>
                  <Table.Td>
                    <Monospace>{codec}</Monospace>
                  </Table.Td>
                  <Table.Td>
                    <StateBadge state={state} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Card>
    </Section>
  );
}

/** Newest first. */
function Events({ session, events }: { session: ExternalSession; events: readonly SessionEvent[] }) {
  const all = [
    { at: session.createdAt, title: 'Created', text: 'The session waits for its publisher.' },
    ...events.map((event, index) => ({ at: event.at, ...textsOf(event, index) })),
  ].reverse();
  return (
    <Card>
      <Timeline bulletSize={14} lineWidth={2}>
        {all.map(({ at, title, text }, index) => (
          <Timeline.Item key={index} title={title}>
            <Text size="sm">{text}</Text>
            <Group>
              <Text size="sm" c="dimmed">
                <Time value={at} seconds />
              </Text>
            </Group>
          </Timeline.Item>
        ))}
      </Timeline>
    </Card>
  );
}

function textsOf({ state, reason }: SessionEvent, index: number): { title: string; text: string } {
  switch (state) {
    case 'active':
      return { title: 'Live', text: index === 0 ? 'Media arrives from the publisher.' : 'Media arrives again.' };
    case 'pending':
      return { title: 'Waiting for the publisher', text: (reason && pendingTexts[reason]) ?? 'No media arrives.' };
    case 'ended':
    case 'failed':
      return { title: 'Ended', text: textOfEnd(reason) };
    default:
      return state satisfies never;
  }
}

function textOfEnd(reason: SessionEvent['reason']): string {
  const known: Readonly<Record<string, string>> = endTexts;
  return known[reason ?? ''] ?? 'The reason is unknown.';
}
