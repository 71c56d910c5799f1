import { Anchor, Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import {
  IconBroadcast,
  IconBuilding,
  IconCircleDot,
  IconDeviceTv,
  IconFilter,
  IconFilterOff,
  IconPlugConnected,
  IconServer,
  IconVideo,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { shownKey } from '../../api/resource.js';
import { IconButton } from '../../parts/buttons.js';
import { Loaded, Page, Section } from '../../parts/page.js';
import { TableSection, type Column } from '../../parts/resource-table.js';
import { counted, numberText, placesText } from '../../parts/formats.js';
import { NumberCard, OnOffBadge, ShortID, protocolNames, StateBadge, Time, TwoLines } from '../../parts/values.js';
import {
  listActiveRooms,
  listLiveAccounts,
  listLiveSessions,
  readStatus,
  type ActiveRoom,
  type LiveAccount,
  type LiveSession,
  type PlatformStatus,
} from './administration-api.js';

/** No event announces changes of the platform. */
const refetchMs = 5_000;
const pageSize = 10;

const cards = {
  rooms: { label: 'Active rooms', icon: IconVideo },
  externalSessions: { label: 'External sessions', icon: IconPlugConnected },
  playbacks: { label: 'Playbacks', icon: IconDeviceTv },
  broadcasts: { label: 'Broadcasts', icon: IconBroadcast },
  recordings: { label: 'Recordings', icon: IconCircleDot },
} as const;
type Kind = keyof typeof cards;
const kinds = Object.keys(cards) as Kind[];

const accountColumns: readonly Column<LiveAccount>[] = [
  {
    header: 'Account',
    cell: ({ accountID, name }) => (
      <Anchor component={Link} href={`/accounts/${accountID}`} inherit>
        {name}
      </Anchor>
    ),
  },
  { header: 'Rooms', cell: ({ rooms }) => numberText(rooms) },
  { header: 'Sessions', cell: ({ externalSessions }) => numberText(externalSessions) },
  { header: 'Playbacks', cell: ({ playbacks }) => numberText(playbacks), visibleFrom: 'sm' },
  { header: 'Broadcasts', cell: ({ broadcasts }) => numberText(broadcasts), visibleFrom: 'sm' },
  { header: 'Recordings', cell: ({ recordings }) => numberText(recordings), visibleFrom: 'md' },
];

const roomColumns: readonly Column<ActiveRoom>[] = [
  {
    header: 'Room',
    cell: ({ roomName, meetingID }) => (
      <>
        <TwoLines first={roomName ?? 'Unnamed room'} />
        <ShortID value={meetingID} what="Meeting ID" />
      </>
    ),
  },
  { header: 'Places taken', cell: placesText },
  {
    header: 'External sessions',
    cell: ({ externalSessionCount }) => numberText(externalSessionCount),
    visibleFrom: 'sm',
  },
  { header: 'Created', cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'md' },
];

const sessionColumns: readonly Column<LiveSession>[] = [
  {
    header: 'Name',
    cell: ({ displayName, sessionID }) => (
      <>
        <TwoLines first={displayName} />
        <ShortID value={sessionID} what="Session" />
      </>
    ),
  },
  { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { header: 'Protocol', cell: ({ protocol }) => protocolNames[protocol], visibleFrom: 'sm' },
  { header: 'Node', cell: ({ nodeID }) => nodeID ?? 'None yet', visibleFrom: 'md' },
];

export default function PlatformPage() {
  const [account, setAccount] = useState<LiveAccount>();
  const query = useQuery({
    queryKey: shownKey('admin', 'status'),
    queryFn: ({ signal }) => readStatus(signal),
    refetchInterval: refetchMs,
  });
  return (
    <Page title="Platform" description="The state of the platform, and what runs on it now.">
      <Loaded query={query} height={220}>
        {status => <Status status={status} />}
      </Loaded>
      <TableSection
        title="Accounts with live work"
        queryKey={shownKey('admin', 'live-accounts')}
        list={listLiveAccounts}
        rowKey={({ accountID }) => accountID}
        columns={accountColumns}
        rowActions={each => (
          <IconButton label={`Show the work of ${each.name}`} icon={IconFilter} onClick={() => setAccount(each)} />
        )}
        empty={{ icon: IconBuilding, title: 'Nothing is live', text: 'Accounts with an active room appear here.' }}
        pageSize={pageSize}
        refetchMs={refetchMs}
      />
      <LiveWork account={account} onShowAll={() => setAccount(undefined)} />
    </Page>
  );
}

function Status({ status: { live, gatewayVersion, database, bus, nodes } }: { status: PlatformStatus }) {
  const willing = nodes.filter(({ draining }) => !draining).length;
  return (
    <Stack gap="lg">
      {live ? (
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
          {kinds.map(kind => (
            <NumberCard key={kind} {...cards[kind]} value={live[kind]} />
          ))}
        </SimpleGrid>
      ) : (
        <Text>The database does not answer, so nothing can be counted.</Text>
      )}
      <Section title="Services">
        <Card>
          <Group justify="space-between">
            <Group gap="xl">
              <Service name="Gateway">{`Version ${gatewayVersion}`}</Service>
              <Service name="Database">
                <OnOffBadge isOn={database.isUp} on="Up" off="Down" />
              </Service>
              <Service name="Bus">
                <OnOffBadge isOn={bus.isUp} on="Up" off="Down" />
              </Service>
              <Service name="Media nodes">{`${willing} of ${counted(nodes.length, 'node')} take work`}</Service>
            </Group>
            <Group gap="xs">
              <Button component={Link} href="/nodes" variant="light" leftSection={<IconServer size={16} aria-hidden />}>
                Media nodes
              </Button>
              <Button component={Link} href="/doctor" variant="light">
                Doctor
              </Button>
            </Group>
          </Group>
        </Card>
      </Section>
    </Stack>
  );
}

function Service({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      <Text size="sm" c="dimmed" component="div">
        {children}
      </Text>
    </Stack>
  );
}

interface LiveWorkProps {
  /** undefined: all accounts. */
  account: LiveAccount | undefined;
  onShowAll: () => void;
}

/** The rooms and sessions of one account or of all. */
function LiveWork({ account, onShowAll }: LiveWorkProps) {
  const accountID = account?.accountID;
  const of = account ? ` of ${account.name}` : '';
  return (
    <>
      {account && (
        <Button
          variant="default"
          w="fit-content"
          leftSection={<IconFilterOff size={16} aria-hidden />}
          onClick={onShowAll}
        >
          Show the work of all accounts
        </Button>
      )}
      <TableSection
        key={`rooms ${accountID}`}
        title={`Active rooms${of}`}
        queryKey={shownKey('admin', 'rooms', accountID)}
        list={(page, signal) => listActiveRooms(accountID, page, signal)}
        rowKey={({ meetingID }) => meetingID}
        columns={roomColumns}
        empty={{ icon: IconVideo, title: 'No active rooms', text: 'Rooms appear here until they end.' }}
        pageSize={pageSize}
        refetchMs={refetchMs}
      />
      <TableSection
        key={`sessions ${accountID}`}
        title={`External sessions${of}`}
        queryKey={shownKey('admin', 'sessions', accountID)}
        list={(page, signal) => listLiveSessions(accountID, page, signal)}
        rowKey={({ sessionID }) => sessionID}
        columns={sessionColumns}
        empty={{ icon: IconPlugConnected, title: 'No external sessions', text: 'Sessions appear here until they end.' }}
        pageSize={pageSize}
        refetchMs={refetchMs}
      />
    </>
  );
}
