import { Badge, Button, Group, Text } from '@mantine/core';
import { IconFileImport, IconPencil, IconPlus, IconRobot } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { shownKey } from '../../api/query-keys.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { IconButton } from '../../parts/icon-button.js';
import { Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { Time } from '../../parts/time.js';
import { agentsTexts as texts } from '../../texts/agents.js';
import { AgentForm } from './agent-form.js';
import { agents, type Agent } from './agents-api.js';

const columns: readonly Column<Agent>[] = [
  {
    header: texts.name,
    cell: ({ name, role }) => (
      <>
        <Text fw={500}>{name}</Text>
        {role !== name && (
          <Text size="sm" c="dimmed">
            {role}
          </Text>
        )}
      </>
    ),
  },
  {
    header: texts.toFinish,
    cell: ({ todo }) =>
      todo.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.nothingToFinish}
        </Text>
      ) : (
        <Badge color="orange" variant="light" autoContrast>
          {todo.length}
        </Badge>
      ),
  },
  { header: texts.model, cell: ({ reference }) => reference.model ?? reference.provider, visibleFrom: 'md' },
  { header: texts.updatedAt, cell: ({ updatedAt }) => <Time value={updatedAt} />, visibleFrom: 'sm' },
];

export default function AgentsPage() {
  const [edited, setEdited] = useState<Agent | 'new'>();
  return (
    <Page title={texts.title} description={texts.description} actions={<Actions onAdd={() => setEdited('new')} />}>
      <ResourceTable
        label={texts.title}
        queryKey={shownKey('agent', 'list')}
        list={(page, signal) => agents.list(page, {}, signal)}
        rowKey={({ agentID }) => agentID}
        columns={columns}
        rowActions={agent => <AgentActions agent={agent} onEdit={() => setEdited(agent)} />}
        empty={<EmptyState icon={IconRobot} title={texts.emptyTitle} text={texts.emptyText} />}
      />
      <AgentForm edited={edited} onClose={() => setEdited(undefined)} />
    </Page>
  );
}

function Actions({ onAdd }: { onAdd: () => void }) {
  return (
    <Group gap="xs">
      <Button
        component={Link}
        href="/agents/import"
        variant="default"
        leftSection={<IconFileImport size={16} aria-hidden />}
      >
        {texts.import}
      </Button>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onAdd}>
        {texts.add}
      </Button>
    </Group>
  );
}

function AgentActions({ agent: { agentID, name }, onEdit }: { agent: Agent; onEdit: () => void }) {
  return (
    <>
      <IconButton label={texts.edit(name)} icon={IconPencil} onClick={onEdit} />
      <ConfirmButton
        label={texts.delete(name)}
        title={texts.deleteTitle}
        text={texts.deleteText(name)}
        run={() => agents.remove(agentID)}
        success={texts.deleted}
        changes={['agent']}
      />
    </>
  );
}
