import { Badge, Button, Modal, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { readViewers, type ViewerQuality } from '../../api/meetings.js';
import { shownKey } from '../../api/resource.js';
import { numberText } from '../../parts/formats.js';
import { LoadFailure, Waiting } from '../../parts/page.js';
import { ShortID, TwoLines } from '../../parts/values.js';

/** A node takes a sample every ten seconds. */
const refetchMs = 10_000;
/** Each refetch reads all shown pages. */
const mostRefetchedPages = 3;

type Fault = ViewerQuality['fault'];
type Sample = ViewerQuality['samples'][number];

const faultNames: Readonly<Record<Fault, string>> = {
  none: 'Good',
  publisher: 'Publisher',
  uplink: "Publisher's network",
  node: 'Media node',
  relay: 'Between media nodes',
  viewer_network: "Viewer's network",
};

interface ViewersDialogProps {
  meetingID: string;
  /** undefined: the dialog is closed. */
  playbackID: string | undefined;
  onClose: () => void;
}

/** The viewers of a playback in the last ten minutes, and whose fault a poor picture was. */
export function ViewersDialog({ meetingID, playbackID, onClose }: ViewersDialogProps) {
  return (
    <Modal opened={playbackID !== undefined} onClose={onClose} title="Viewers in the last ten minutes" size="xl">
      {playbackID !== undefined && <LoadedViewers meetingID={meetingID} playbackID={playbackID} />}
    </Modal>
  );
}

function LoadedViewers({ meetingID, playbackID }: { meetingID: string; playbackID: string }) {
  const query = useInfiniteQuery({
    queryKey: shownKey('playback', 'viewers', meetingID, playbackID),
    queryFn: ({ pageParam, signal }) => readViewers(meetingID, playbackID, pageParam, signal),
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
          <Viewers viewers={viewers} />
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

function Viewers({ viewers }: { viewers: readonly ViewerQuality[] }) {
  if (viewers.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No viewer was measured. A viewer has its first sample 20 seconds after it connects.
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table aria-label="Viewers">
        <Table.Thead>
          <Table.Tr>
            {['Viewer', 'Picture', 'Round trip', 'Lost', 'Frozen', 'Frozen time'].map(header => (
              <Table.Th key={header} scope="col">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {viewers.map(viewer => (
            <ViewerRow key={viewer.viewerID} viewer={viewer} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function ViewerRow({ viewer }: { viewer: ViewerQuality }) {
  const { viewerID, fault, reason, samples, frozenMs } = viewer;
  const last = samples.at(-1);
  const verdict = (
    <Badge variant="light" color={fault === 'none' ? 'teal' : 'orange'}>
      {faultNames[fault]}
    </Badge>
  );
  return (
    <Table.Tr>
      <Table.Td>
        <ShortID value={viewerID} what="Viewer" />
      </Table.Td>
      <Table.Td>
        <TwoLines first={verdict} second={fault === 'none' ? null : reason} />
      </Table.Td>
      <Table.Td>{roundTripText(last)}</Table.Td>
      <Table.Td>{last ? `${numberText(Math.round(last.fractionLost * 1_000) / 10)} %` : '–'}</Table.Td>
      <Table.Td>{`${numberText(Math.round(frozenMs / 100) / 10)} s`}</Table.Td>
      <Table.Td>
        <FrozenBars samples={samples} />
      </Table.Td>
    </Table.Tr>
  );
}

function roundTripText(sample: Sample | undefined): string {
  return sample === undefined || sample.roundTripMs === null ? '–' : `${numberText(Math.round(sample.roundTripMs))} ms`;
}

const bar = { width: 4, height: 20, longestMs: 10_000 };

/** A bar for each sample. The column before has the number, so screen readers skip the bars. */
function FrozenBars({ samples }: { samples: readonly Sample[] }) {
  return (
    <svg width={samples.length * bar.width} height={bar.height} aria-hidden>
      {samples.map(({ at, frozenMs, fault }, index) => {
        const height = Math.max(1, Math.min(1, frozenMs / bar.longestMs) * bar.height);
        const fill = fault === 'none' ? 'var(--mantine-color-teal-6)' : 'var(--mantine-color-orange-6)';
        const place = { x: index * bar.width, y: bar.height - height, width: bar.width - 1, height };
        return <rect key={at} {...place} fill={fill} />;
      })}
    </svg>
  );
}
