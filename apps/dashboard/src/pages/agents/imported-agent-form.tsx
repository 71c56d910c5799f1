import { Alert, Button, Card, Grid, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { isComplete, todoOf, type ImportedAgent } from '@rtms/agent-import';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { agents } from '../../api/resource.js';
import { useAction } from '../../parts/actions.js';
import { FormFailure, useRefusal } from '../../parts/forms.js';
import { Section } from '../../parts/page.js';
import { AgentInputs } from './agent-inputs.js';
import { shapes } from './definition-samples.js';
import { agentRules, fieldsOf, valuesOf, type AgentValues } from './agent-values.js';
import { FinishList, ImportNotes } from './import-findings.js';

interface ImportedAgentFormProps {
  imported: ImportedAgent;
  onStartOver: () => void;
}

/** The imported agent: users change, finish and save it. */
export function ImportedAgentForm({ imported, onStartOver }: ImportedAgentFormProps) {
  const { agent, platform, toFinish, notes } = imported;
  const [, goTo] = useLocation();
  const [done, setDone] = useState<ReadonlySet<number>>(new Set());
  const form = useForm<AgentValues>({ initialValues: valuesOf(agent), validate: agentRules });
  const save = useAction({
    run: (values: AgentValues) =>
      agents.create({ ...fieldsOf(values), todo: todoOf(toFinish.filter((_, index) => !done.has(index))) }),
    success: 'The agent was added.',
    changes: ['agent'],
    onDone: () => goTo('/agents'),
    quiet: true,
  });
  const rest = useRefusal(form, save.error);
  return (
    <form onSubmit={form.onSubmit(values => save.mutate(values))} noValidate>
      <Stack gap="lg">
        <Alert color="teal" role="status" icon={<IconCheck aria-hidden />}>
          {`Recognised: ${shapes[platform].title} (platform ${platform}), by fields such as ${shapes[platform].fields}.`}
        </Alert>
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Section title="Agent">
              <Text size="sm" c="dimmed">
                You can change every field before you save.
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
        <FormFailure error={rest} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onStartOver}>
            Start over
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save agent
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
