import { Badge, Button, Modal, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import { IconHeartbeat } from '@tabler/icons-react';
import { useState } from 'react';
import {
  readBroadcastViewers,
  readPlaybackViewers,
  type HlsViewerQuality,
  type ViewerQuality,
  type ViewersAnswer,
} from '../../api/meetings.js';
import { shownKey } from '../../api/resource.js';
import { IconButton } from '../../parts/buttons.js';
import { numberText } from '../../parts/formats.js';
import { LoadFailure, Waiting } from '../../parts/page.js';
import type { Column } from '../../parts/resource-table.js';
import { ShortID, TwoLines } from '../../parts/values.js';

/** A sample tells about ten seconds. */
const sampleMs = 10_000;
const refetchMs = sampleMs;
/** Each refetch reads all shown pages. */
const mostRefetchedPages = 3;

type Fault = ViewerQuality['fault'];

const faultNames: Readonly<Record<Fault, string>> = {
  none: 'Good',
  publisher: 'Publisher',
  uplink: "Publisher's network",
  node: 'Media node',
  relay: 'Between media nodes',
  viewer_network: "Viewer's network",
};

/** The common fields of WebRTC and HLS viewers. */
interface JudgedViewer {
  viewerID: string;
  fault: Fault;
  reason: string;
}

interface ViewersOfProps {
  meetingID: string;
  /** The playback or broadcast. */
  id: string;
}

/** The WebRTC viewers of a playback in the last ten minutes, and whose fault a poor picture was. */
function PlaybackViewers({ meetingID, id }: ViewersOfProps) {
  return (
    <Viewers
      queryKey={shownKey('playback', 'viewers', meetingID, id)}
      read={(after, signal) => readPlaybackViewers(meetingID, id, after, signal)}
      columns={playbackColumns}
      empty="No viewer was measured. A viewer has its first sample 20 seconds after it connects."
    />
  );
}

/** The HLS viewers of a broadcast in the last ten minutes, and whose fault stalls were. */
function BroadcastViewers({ meetingID, id }: ViewersOfProps) {
  return (
    <Viewers
      queryKey={shownKey('broadcast', 'viewers', meetingID, id)}
      read={(after, signal) => readBroadcastViewers(meetingID, id, after, signal)}
      columns={broadcastColumns}
      empty="No viewer was measured. The service measures only players that send CMCD, such as <rtms-player>."
    />
  );
}

const contents = { playback: PlaybackViewers, broadcast: BroadcastViewers };

/**
 * For a table: a button of each row, and the dialog that the buttons open. The dialog belongs to the table, because a row moves to the
 * next page when newer ones come.
 */
export function useViewersDialog(watched: keyof typeof contents, meetingID: string) {
  const [shownID, setShownID] = useState<string>();
  const Content = contents[watched];
  const button = (id: string) => (
    <IconButton label={`Show the viewers of ${watched} ${id}`} icon={IconHeartbeat} onClick={() => setShownID(id)} />
  );
  const dialog = (
    <Modal
      opened={shownID !== undefined}
      onClose={() => setShownID(undefined)}
      title="Viewers in the last ten minutes"
      size="xl"
    >
      {shownID !== undefined && <Content meetingID={meetingID} id={shownID} />}
    </Modal>
  );
  return { button, dialog };
}

interface ViewersProps<Viewer> {
  queryKey: QueryKey;
  read: (after: string, signal: AbortSignal) => Promise<ViewersAnswer<Viewer>>;
  /** Columns after the viewer and the verdict. */
  columns: readonly Column<Viewer>[];
  /** Shown without viewers. */
  empty: string;
}

function Viewers<Viewer extends JudgedViewer>({ queryKey, read, columns, empty }: ViewersProps<Viewer>) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) => (isRefetched(state.data?.pages) ? refetchMs : false),
  });
  const pages = query.data?.pages;
  const viewers = pages?.flatMap(page => page.viewers);
  return (
    <>
      {viewers === undefined && query.error === null && <Waiting h={160} />}
      {query.error !== null && <LoadFailure error={query.error} onRetry={() => void query.refetch()} />}
      {viewers && (
        <Stack>
          {viewers.length > 0 ? (
            <ViewersTable viewers={viewers} columns={columns} />
          ) : (
            <Text size="sm" c="dimmed">
              {empty}
            </Text>
          )}
          {!isRefetched(pages) && (
            <Text size="sm" c="dimmed">
              The list is long, so it is not updated every ten seconds.
            </Text>
          )}
          {query.hasNextPage && (
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show more viewers
            </Button>
          )}
        </Stack>
      )}
    </>
  );
}

function isRefetched(pages: readonly unknown[] = []): boolean {
  return pages.length <= mostRefetchedPages;
}

interface ViewersTableProps<Viewer> {
  viewers: readonly Viewer[];
  columns: readonly Column<Viewer>[];
}

function ViewersTable<Viewer extends JudgedViewer>({ viewers, columns }: ViewersTableProps<Viewer>) {
  const all: readonly Column<Viewer>[] = [
    { header: 'Viewer', cell: ({ viewerID }) => <ShortID value={viewerID} what="Viewer" /> },
    { header: 'Picture', cell: viewer => <Verdict of={viewer} /> },
    ...columns,
  ];
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table aria-label="Viewers">
        <Table.Thead>
          <Table.Tr>
            {all.map(({ header }) => (
              <Table.Th key={header} scope="col">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {viewers.map(viewer => (
            <Table.Tr key={viewer.viewerID}>
              {all.map(({ header, cell }) => (
                <Table.Td key={header}>{cell(viewer)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Verdict({ of: { fault, reason } }: { of: JudgedViewer }) {
  const badge = (
    <Badge variant="light" color={fault === 'none' ? 'teal' : 'orange'}>
      {faultNames[fault]}
    </Badge>
  );
  return <TwoLines first={badge} second={fault === 'none' ? null : reason} />;
}

const playbackColumns: readonly Column<ViewerQuality>[] = [
  { header: 'Round trip', cell: ({ samples }) => roundTripText(samples.at(-1)?.roundTripMs) },
  { header: 'Lost', cell: ({ samples }) => unitText(samples.at(-1)?.fractionLost, 0.01, '%') },
  { header: 'Frozen', cell: ({ frozenMs }) => secondsText(frozenMs) },
  {
    header: 'Frozen time',
    cell: ({ samples }) => (
      <Bars bars={samples.map(({ at, frozenMs, fault }) => ({ at, fault, share: frozenMs / sampleMs }))} />
    ),
  },
];

const mostStalls = 3;

const broadcastColumns: readonly Column<HlsViewerQuality>[] = [
  { header: 'Buffer', cell: ({ samples }) => secondsText(samples.at(-1)?.bufferMs) },
  { header: 'Plays', cell: ({ samples }) => unitText(samples.at(-1)?.bitrate, 1e6, 'Mbit/s') },
  { header: 'Receives', cell: ({ samples }) => unitText(samples.at(-1)?.throughput, 1e6, 'Mbit/s') },
  { header: 'Stalls', cell: ({ stalls }) => numberText(stalls) },
  {
    header: 'Stalls by time',
    cell: ({ samples }) => (
      <Bars bars={samples.map(({ at, stalls, fault }) => ({ at, fault, share: stalls / mostStalls }))} />
    ),
  },
];

function roundTripText(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? '–' : `${numberText(Math.round(ms))} ms`;
}

/** One decimal place: "4.2 s". */
function unitText(value: number | null | undefined, unit: number, name: string): string {
  return value === null || value === undefined ? '–' : `${numberText(Math.round((10 * value) / unit) / 10)} ${name}`;
}

function secondsText(ms: number | null | undefined): string {
  return unitText(ms, 1_000, 's');
}

interface Bar {
  at: string;
  fault: Fault;
  /** Of the full height. */
  share: number;
}

const bar = { width: 4, height: 20 };

/** A bar for each sample. Another column has the number, so screen readers skip the bars. */
function Bars({ bars }: { bars: readonly Bar[] }) {
  return (
    <svg width={bars.length * bar.width} height={bar.height} aria-hidden>
      {bars.map(({ at, share, fault }, index) => {
        const height = Math.max(1, Math.min(1, share) * bar.height);
        const fill = fault === 'none' ? 'var(--mantine-color-teal-6)' : 'var(--mantine-color-orange-6)';
        const place = { x: index * bar.width, y: bar.height - height, width: bar.width - 1, height };
        return <rect key={at} {...place} fill={fill} />;
      })}
    </svg>
  );
}
