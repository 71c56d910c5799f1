import { Button, Progress, Stack, Text } from '@mantine/core';
import { IconDroplet, IconServer } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/resource.js';
import { useAction } from '../../parts/actions.js';
import { ConfirmButton } from '../../parts/buttons.js';
import { Loaded, Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { counted, numberText, waitText } from '../../parts/formats.js';
import { Monospace, StateBadge, TwoLines } from '../../parts/values.js';
import {
  drainNode,
  readNodes,
  readNodeWork,
  undrainNode,
  type MediaNode,
  type NodeWork,
} from './administration-api.js';

const roles = { sfu: 'SFU', transcoder: 'Transcoder', ingest: 'Ingest' } as const;

const states = { draining: 'Draining', active: 'Taking work' } as const;

/** A node of an earlier version does not report its drain time. */
function durationOf(seconds: number | undefined): string {
  if (seconds === undefined) return 'DRAIN_SECONDS';
  return waitText(seconds);
}

const consequences = {
  sfu: ({ sessions, rooms, viewers, relayedViewers, members }: NodeWork, time: string, isLast: boolean) => {
    const relayed = relayedViewers > 0 ? ` It serves ${counted(relayedViewers, 'viewer')} of other nodes.` : '';
    const now = `The node has ${counted(sessions, 'live session')} in ${counted(rooms, 'room')}, ${counted(viewers, 'viewer')} and ${counted(members, 'member')}.${relayed}`;
    return isLast
      ? `${now} Sessions that are live after ${time} end, unless another node takes work by then.`
      : `${now} Rooms without a live session move to other nodes at once. After at most ${time} the others move too: their publishers lose the connection and return by the same URL.`;
  },
  transcoder: ({ broadcasts, recordings }: NodeWork, time: string, isLast: boolean) => {
    const now = `The node has ${counted(broadcasts, 'broadcast')} and ${counted(recordings, 'recording')}.`;
    return isLast
      ? `${now} After ${time} recordings end, and broadcasts pause for the grace time. Broadcasts that no transcoder takes by then fail.`
      : `${now} Broadcasts move to other transcoders at once. Recordings end after at most ${time}, and continue in new ones.`;
  },
  ingest: ({ encoders }: NodeWork, time: string) =>
    `The node has ${counted(encoders, 'encoder')}. After at most ${time} their connections end. RTMP encoders can return to another node; SRT encoders cannot, because an SRT address belongs to its node.`,
} as const;

const lastNode = {
  sfu: (node: string) =>
    `${node} is the last SFU that takes work. The gateway refuses new publishers and viewers (503) until a node takes work again.`,
  transcoder: (node: string) =>
    `${node} is the last transcoder that takes work. The gateway refuses new broadcasts and recordings (503) until a node takes work again.`,
  ingest: (node: string) =>
    `${node} is the last ingest node that takes work. The gateway refuses new sessions by SRT, RTMP and RTMPS (503) until a node takes work again.`,
} as const;

/** Nodes report their load every few seconds. */
const refetchMs = 3_000;

/** `isLast`: no other node of its role takes work. */
type ListedNode = MediaNode & { isLast: boolean };

const columns: readonly Column<MediaNode>[] = [
  {
    header: 'Node',
    cell: ({ nodeID, role }) => <TwoLines first={nodeID} second={roles[role]} />,
  },
  {
    header: 'State',
    cell: ({ draining }) => {
      const state = draining ? 'draining' : 'active';
      return <StateBadge state={state} label={states[state]} />;
    },
  },
  {
    header: 'Version',
    cell: ({ version = 'unknown', isOutdated }) =>
      isOutdated ? <TwoLines first={version} second="Older than the gateway" /> : <Text>{version}</Text>,
    visibleFrom: 'md',
  },
  { header: 'Load', cell: node => <Load node={node} />, visibleFrom: 'sm' },
  { header: 'Address', cell: ({ publicUrl }) => <Monospace>{publicUrl}</Monospace>, visibleFrom: 'lg' },
];

export default function NodesPage() {
  return (
    <Page
      title="Media nodes"
      description="These nodes carry and transcode media. A draining node takes no new work, and gives its work to other nodes."
    >
      <ResourceTable
        label="Media nodes"
        queryKey={shownKey('admin', 'nodes')}
        list={async (_page, signal) => listingOf(await readNodes(signal))}
        rowKey={({ nodeID }) => nodeID}
        columns={columns}
        rowActions={node => (node.draining ? <UndrainButton nodeID={node.nodeID} /> : <DrainButton node={node} />)}
        empty={{
          icon: IconServer,
          title: 'No media nodes',
          text: 'No node is registered. Media cannot be published or played until one starts.',
        }}
        refetchMs={refetchMs}
      />
    </Page>
  );
}

/** The API returns all nodes at once. */
function listingOf(nodes: readonly MediaNode[]) {
  const isLast = (node: MediaNode) =>
    !nodes.some(other => other.role === node.role && other.nodeID !== node.nodeID && !other.draining);
  const items = nodes
    .map((node): ListedNode => ({ ...node, isLast: isLast(node) }))
    .sort((one, other) => one.nodeID.localeCompare(other.nodeID));
  return { items, total: items.length, startIndex: 0, pageSize: Math.max(1, items.length) };
}

function Load({ node: { nodeID, load, capacity } }: { node: MediaNode }) {
  const percent = capacity === 0 ? 0 : Math.min(100, (load / capacity) * 100);
  return (
    <Stack gap={4} miw={120}>
      <Text size="sm">{`${numberText(load)} of ${numberText(capacity)}`}</Text>
      <Progress value={percent} aria-label={`Load of ${nodeID}`} color={percent >= 90 ? 'red' : 'teal'} />
    </Stack>
  );
}

function DrainButton({ node }: { node: ListedNode }) {
  const { nodeID, role, drainSeconds, isLast } = node;
  return (
    <ConfirmButton
      label={`Drain ${nodeID}`}
      title={`Drain ${nodeID}?`}
      text={<DrainConsequence node={node} />}
      confirmLabel={isLast ? 'Drain the last node' : 'Drain'}
      secondConfirmation={isLast ? `Drain although no other ${roles[role]} takes work` : undefined}
      icon={IconDroplet}
      run={() => drainNode(nodeID, isLast)}
      success={`${nodeID} takes no new work. It gives its work away within ${durationOf(drainSeconds)}.`}
      changes={['admin']}
    />
  );
}

/** Asks the node for its work when the dialog opens. */
function DrainConsequence({ node: { nodeID, role, drainSeconds, isLast } }: { node: ListedNode }) {
  const query = useQuery({
    queryKey: shownKey('admin', 'node-work', nodeID),
    queryFn: ({ signal }) => readNodeWork(nodeID, signal),
  });
  return (
    <Stack gap="xs">
      {isLast && <span>{lastNode[role](nodeID)}</span>}
      <Loaded query={query} height={40}>
        {work => <span>{consequences[role](work, durationOf(drainSeconds), isLast)}</span>}
      </Loaded>
    </Stack>
  );
}

function UndrainButton({ nodeID }: { nodeID: string }) {
  const { mutate, isPending } = useAction({
    run: () => undrainNode(nodeID),
    success: 'The node takes work again.',
    changes: ['admin'],
  });
  return (
    <Button
      size="xs"
      variant="light"
      loading={isPending}
      aria-label={`Let ${nodeID} take work again`}
      onClick={() => mutate()}
    >
      Take work again
    </Button>
  );
}
