import { Badge, Button, Checkbox, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconFileImport, IconRobot } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { agents, type Agent } from '../../api/resource.js';
import { EditableList, type RecordFormProps } from '../../parts/editable-list.js';
import { FormModal } from '../../parts/forms.js';
import type { Column } from '../../parts/resource-table.js';
import { Time, TwoLines } from '../../parts/values.js';
import { AgentInputs } from './agent-inputs.js';
import { agentRules, fieldsOf, newAgentValues, valuesOf, type AgentValues } from './agent-values.js';

const columns: readonly Column<Agent>[] = [
  { header: 'Name', cell: ({ name, role }) => <TwoLines first={name} second={role === name ? null : role} /> },
  {
    header: 'To finish',
    cell: ({ todo }) =>
      todo.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing
        </Text>
      ) : (
        <Badge color="orange" variant="light" autoContrast>
          {todo.length}
        </Badge>
      ),
  },
  { header: 'Model', cell: ({ reference }) => reference.model ?? reference.provider, visibleFrom: 'md' },
  { header: 'Changed', cell: ({ updatedAt }) => <Time value={updatedAt} />, visibleFrom: 'sm' },
];

export default function AgentsPage() {
  return (
    <EditableList
      title="Agents"
      description="Each agent has instructions, a way to speak, and a list of things to finish."
      storedOnly="The service keeps these agents for your application. It does not run them."
      icon={IconRobot}
      noun="agent"
      resource={agents}
      columns={columns}
      nameOf={({ name }) => name}
      deleteText={name => `${name} and its instructions are deleted. You cannot delete an agent of a SIP number.`}
      emptyTitle="No agents yet"
      emptyText="Add an agent, or import the definition of an assistant from another platform."
      actions={
        <Button
          component={Link}
          href="/agents/import"
          variant="default"
          leftSection={<IconFileImport size={16} aria-hidden />}
        >
          Import
        </Button>
      }
      form={props => <AgentForm {...props} />}
    />
  );
}

function AgentForm({ record: agent, modal }: RecordFormProps<Agent>) {
  const [done, setDone] = useState<string[]>([]);
  const form = useForm<AgentValues>({
    initialValues: agent ? valuesOf(agent) : newAgentValues,
    validate: agentRules,
  });
  const save = (values: AgentValues) => {
    if (!agent) return agents.create(fieldsOf(values));
    const todo = agent.todo.filter((_, index) => !done.includes(String(index)));
    return agents.update(agent, { ...fieldsOf(values), todo });
  };
  return (
    <FormModal {...modal} size="xl" form={form} run={save}>
      {agent && agent.todo.length > 0 && (
        <Checkbox.Group
          label="Left to finish"
          description="Tick each finished item. It leaves the list when you save."
          value={done}
          onChange={setDone}
        >
          <Stack gap="xs" mt="xs">
            {agent.todo.map((text, index) => (
              <Checkbox key={`${index} ${text}`} value={String(index)} label={text} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <AgentInputs form={form} />
    </FormModal>
  );
}
