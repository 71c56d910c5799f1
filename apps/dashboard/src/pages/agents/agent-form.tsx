import { Checkbox, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { agentsTexts as texts } from '../../texts/agents.js';
import { AgentInputs } from './agent-inputs.js';
import { agentRules, fieldsOf, newAgentValues, valuesOf, type AgentValues } from './agent-values.js';
import { agents, type Agent } from './agents-api.js';

interface AgentFormProps {
  edited: Agent | 'new' | undefined;
  onClose: () => void;
}

export function AgentForm({ edited, onClose }: AgentFormProps) {
  const agent = typeof edited === 'object' ? edited : undefined;
  const key = agent ? `${agent.agentID} ${agent.updatedAt}` : 'new';
  return <Form key={key} agent={agent} isOpen={edited !== undefined} onClose={onClose} />;
}

interface FormProps {
  agent: Agent | undefined;
  isOpen: boolean;
  onClose: () => void;
}

function Form({ agent, isOpen, onClose }: FormProps) {
  const [done, setDone] = useState<string[]>([]);
  const form = useForm<AgentValues>({
    initialValues: agent ? valuesOf(agent) : newAgentValues,
    validate: agentRules,
  });
  const save = (values: AgentValues) => {
    if (!agent) return agents.create(fieldsOf(values));
    const todo = agent.todo.filter((_, index) => !done.includes(String(index)));
    return agents.update({ agentID: agent.agentID, ...fieldsOf(values), todo });
  };
  return (
    <FormModal
      title={agent ? texts.change : texts.add}
      size="xl"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={save}
      success={agent ? texts.changed : texts.added}
      changes={['agent']}
    >
      {agent && agent.todo.length > 0 && <LeftToFinish todo={agent.todo} done={done} onChange={setDone} />}
      <AgentInputs form={form} />
    </FormModal>
  );
}

interface LeftToFinishProps {
  todo: readonly string[];
  done: string[];
  onChange: (done: string[]) => void;
}

function LeftToFinish({ todo, done, onChange }: LeftToFinishProps) {
  return (
    <Checkbox.Group label={texts.leftToFinish} description={texts.leftToFinishHint} value={done} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {todo.map((text, index) => (
          <Checkbox key={`${index} ${text}`} value={String(index)} label={text} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
