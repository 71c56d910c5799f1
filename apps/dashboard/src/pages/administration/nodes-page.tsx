import { Button, Progress, Stack, Text } from '@mantine/core';
import { IconServer } from '@tabler/icons-react';
import { shownKey } from '../../api/query-keys.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { StateBadge } from '../../parts/state-badge.js';
import { useAction } from '../../parts/use-action.js';
import { administrationTexts as texts } from '../../texts/administration.js';
import { readNodes, setDraining, type MediaNode } from './administration-api.js';

/** Nodes tell their load by themselves, every few seconds. */
const refetchMs = 3_000;

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
  const items = [...nodes].sort((one, other) => one.nodeID.localeCompare(other.nodeID));
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

function DrainButton({ node: { nodeID, draining } }: { node: MediaNode }) {
  const { mutate, isPending } = useAction({
    run: () => setDraining(nodeID, !draining),
    success: draining ? texts.undrained : texts.drained,
    changes: ['admin'],
  });
  return (
    <Button
      size="xs"
      variant={draining ? 'light' : 'default'}
      loading={isPending}
      aria-label={draining ? texts.undrainNode(nodeID) : texts.drainNode(nodeID)}
      onClick={() => mutate()}
    >
      {draining ? texts.undrain : texts.drain}
    </Button>
  );
}
