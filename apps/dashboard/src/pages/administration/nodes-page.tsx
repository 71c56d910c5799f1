import { Button, Progress, Stack, Text } from '@mantine/core';
import { IconDroplet, IconServer } from '@tabler/icons-react';
import { shownKey } from '../../api/query-keys.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { StateBadge } from '../../parts/state-badge.js';
import { useAction } from '../../parts/use-action.js';
import { administrationTexts as texts } from '../../texts/administration.js';
import { readNodes, setDraining, type MediaNode } from './administration-api.js';

/** Nodes tell their load by themselves, every few seconds. */
const refetchMs = 3_000;

/** `isLast`: no other node of its role takes work. */
type ListedNode = MediaNode & { isLast: boolean };

const columns: readonly Column<MediaNode>[] = [
  {
    header: texts.node,
    cell: ({ nodeID, role }) => (
      <>
        <Text fw={500}>{nodeID}</Text>
        <Text size="sm" c="dimmed">
          {texts.roles[role]}
        </Text>
      </>
    ),
  },
  {
    header: texts.state,
    cell: ({ draining }) => {
      const state = draining ? 'draining' : 'active';
      return <StateBadge state={state} label={texts.states[state]} />;
    },
  },
  { header: texts.load, cell: node => <Load node={node} />, visibleFrom: 'sm' },
  {
    header: texts.address,
    cell: ({ publicUrl }) => (
      <Text size="sm" ff="monospace">
        {publicUrl}
      </Text>
    ),
    visibleFrom: 'lg',
  },
];

export default function NodesPage() {
  return (
    <Page title={texts.nodes} description={texts.nodesDescription}>
      <ResourceTable
        label={texts.nodes}
        queryKey={shownKey('admin', 'nodes')}
        list={async (_page, signal) => listingOf(await readNodes(signal))}
        rowKey={({ nodeID }) => nodeID}
        columns={columns}
        rowActions={node => <DrainButton node={node} />}
        empty={<EmptyState icon={IconServer} title={texts.nodesEmpty} text={texts.nodesEmptyText} />}
        refetchMs={refetchMs}
      />
    </Page>
  );
}

/** Nodes come all at once. */
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
      <Text size="sm">{texts.loadOf(load, capacity)}</Text>
      <Progress value={percent} aria-label={texts.loadLabel(nodeID)} color={percent >= 90 ? 'red' : 'teal'} />
    </Stack>
  );
}

function DrainButton({ node }: { node: ListedNode }) {
  return node.draining ? <UndrainButton nodeID={node.nodeID} /> : <StartDrainButton node={node} />;
}

function StartDrainButton({ node: { nodeID, role, load, drainSeconds, isLast } }: { node: ListedNode }) {
  const consequence = texts.drainTexts[role](load, drainSeconds);
  return (
    <ConfirmButton
      label={texts.drainNode(nodeID)}
      title={texts.drainTitle(nodeID)}
      text={isLast ? `${texts.lastNode[role](nodeID)} ${consequence}` : `${texts.otherNode[role]} ${consequence}`}
      confirmLabel={isLast ? texts.drainLast : texts.drain}
      icon={IconDroplet}
      withLabel
      run={() => setDraining(nodeID, true)}
      success={texts.drained(nodeID, drainSeconds)}
      changes={['admin']}
    />
  );
}

function UndrainButton({ nodeID }: { nodeID: string }) {
  const { mutate, isPending } = useAction({
    run: () => setDraining(nodeID, false),
    success: texts.undrained,
    changes: ['admin'],
  });
  return (
    <Button
      size="xs"
      variant="light"
      loading={isPending}
      aria-label={texts.undrainNode(nodeID)}
      onClick={() => mutate()}
    >
      {texts.undrain}
    </Button>
  );
}
