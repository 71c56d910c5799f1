import { Anchor, Stack } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Page } from '../../parts/page.js';
import { agentsTexts as texts } from '../../texts/agents.js';
import { DefinitionInput } from './definition-input.js';
import { ImportedAgentForm } from './imported-agent-form.js';
import { useReading } from './use-reading.js';

/** The browser reads the definition: nothing of it is sent before the agent is saved. */
export default function ImportAgentPage() {
  const reading = useReading();
  const { shown, startOver } = reading;
  const result = shown?.result;
  return (
    <Page title={texts.importTitle} description={texts.importDescription} actions={<BackLink />}>
      <Stack gap="lg">
        {result?.ok ? (
          <ImportedAgentForm key={shown?.number} imported={result} onStartOver={startOver} />
        ) : (
          <DefinitionInput reading={reading} failure={result} />
        )}
      </Stack>
    </Page>
  );
}

function BackLink() {
  return (
    <Anchor component={Link} href="/agents" size="sm">
      <IconChevronLeft size={14} aria-hidden /> {texts.backToAgents}
    </Anchor>
  );
}
