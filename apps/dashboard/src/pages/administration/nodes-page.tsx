import { Button, Progress, Stack, Text } from '@mantine/core';
import { IconDroplet, IconServer } from '@tabler/icons-react';
import { shownKey } from '../../api/resource.js';
import { useAction } from '../../parts/actions.js';
import { ConfirmButton } from '../../parts/buttons.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { Monospace, StateBadge, TwoLines } from '../../parts/values.js';
import { readNodes, setDraining, type MediaNode } from './administration-api.js';

const roles = { sfu: 'SFU', transcoder: 'Transcoder' } as const;

const states = { draining: 'Draining', active: 'Taking work' } as const;

/** A node of an earlier version does not report its drain time. */
function after(seconds: number | undefined): string {
  return seconds === undefined ? 'After its DRAIN_SECONDS' : `After ${seconds} seconds`;
}

const drainTexts = {
  sfu: (load: number, seconds: number | undefined) =>
    `The node serves ${load} viewer tracks now. ${after(seconds)}, every session on it ends, with its playbacks, broadcasts and recordings.`,
  transcoder: (load: number, seconds: number | undefined) =>
    `The node has a load of ${load} now. ${after(seconds)}, every broadcast and recording on it ends. Finished recordings stay.`,
} as const;

const lastNode = {
  sfu: (node: string) =>
    `${node} is the last SFU that takes work. The gateway refuses new publishers and viewers (503) until a node takes work again.`,
  transcoder: (node: string) =>
    `${node} is the last transcoder that takes work. The gateway refuses new broadcasts and recordings (503) until a node takes work again.`,
} as const;

const otherNode = {
  sfu: 'New publishers and viewers go to the other SFUs. Rooms without a live publisher move there.',
  transcoder:
    'New broadcasts and recordings go to the other transcoders. Running broadcasts move there while there is room.',
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
  { header: 'Load', cell: node => <Load node={node} />, visibleFrom: 'sm' },
  { header: 'Address', cell: ({ publicUrl }) => <Monospace>{publicUrl}</Monospace>, visibleFrom: 'lg' },
];

export default function NodesPage() {
  return (
    <Page
      title="Media nodes"
      description="These nodes carry and transcode media. A draining node takes no new work. After its drain time it ends the work that remains."
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
      <Text size="sm">{`${load} of ${capacity}`}</Text>
      <Progress value={percent} aria-label={`Load of ${nodeID}`} color={percent >= 90 ? 'red' : 'teal'} />
    </Stack>
  );
}

function DrainButton({ node: { nodeID, role, load, drainSeconds, isLast } }: { node: ListedNode }) {
  const consequence = drainTexts[role](load, drainSeconds);
  return (
    <ConfirmButton
      label={`Drain ${nodeID}`}
      title={`Drain ${nodeID}?`}
      text={isLast ? `${lastNode[role](nodeID)} ${consequence}` : `${otherNode[role]} ${consequence}`}
      confirmLabel={isLast ? 'Drain the last node' : 'Drain'}
      icon={IconDroplet}
      withLabel
      run={() => setDraining(nodeID, true)}
      success={`${nodeID} takes no new work. ${after(drainSeconds)}, the work that remains ends.`}
      changes={['admin']}
    />
  );
}

function UndrainButton({ nodeID }: { nodeID: string }) {
  const { mutate, isPending } = useAction({
    run: () => setDraining(nodeID, false),
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
