import { Alert, Button, Card, Grid, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { isComplete, todoOf, type ImportedAgent } from '@rtms/agent-import';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Section } from '../../parts/section.js';
import { messageOf } from '../../parts/toasts.js';
import { useAction } from '../../parts/use-action.js';
import { agentsTexts as texts } from '../../texts/agents.js';
import { AgentInputs } from './agent-inputs.js';
import { agentRules, fieldsOf, valuesOf, type AgentValues } from './agent-values.js';
import { agents } from './agents-api.js';
import { FinishList } from './finish-list.js';
import { ImportNotes } from './import-notes.js';

interface ImportedAgentFormProps {
  imported: ImportedAgent;
  onStartOver: () => void;
}

/** What a definition became, to be changed, finished and saved. */
export function ImportedAgentForm({ imported, onStartOver }: ImportedAgentFormProps) {
  const { agent, platform, toFinish, notes } = imported;
  const [, goTo] = useLocation();
  const [done, setDone] = useState<ReadonlySet<number>>(new Set());
  const form = useForm<AgentValues>({ initialValues: valuesOf(agent), validate: agentRules });
  const save = useAction({
    run: (values: AgentValues) =>
      agents.create({ ...fieldsOf(values), todo: todoOf(toFinish.filter((_, index) => !done.has(index))) }),
    success: texts.added,
    changes: ['agent'],
    onDone: () => goTo('/agents'),
    quiet: true,
  });
  return (
    <form onSubmit={form.onSubmit(values => save.mutate(values))} noValidate>
      <Stack gap="lg">
        <Alert color="teal" role="status" icon={<IconCheck aria-hidden />}>
          {texts.recognised[platform]}
        </Alert>
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Section title={texts.mapped}>
              <Text size="sm" c="dimmed">
                {texts.mappedHint}
              </Text>
              <Card>
                <AgentInputs form={form} />
              </Card>
            </Section>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Stack gap="lg">
              <FinishList items={toFinish} isComplete={isComplete(imported)} done={done} onChange={setDone} />
              <ImportNotes notes={notes} />
            </Stack>
          </Grid.Col>
        </Grid>
        {save.error && (
          <Alert color="red" role="alert">
            {messageOf(save.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onStartOver}>
            {texts.startOver}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {texts.saveAgent}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
