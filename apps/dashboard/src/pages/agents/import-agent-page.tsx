import { Anchor, Stack } from '@mantine/core';
import { importAgent, type ImportResult } from '@rtms/agent-import';
import { IconChevronLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { Page } from '../../parts/page.js';
import { agentsTexts as texts } from '../../texts/agents.js';
import { DefinitionInput } from './definition-input.js';
import { ImportedAgentForm } from './imported-agent-form.js';

/** Each reading is a form of its own. */
interface Reading {
  number: number;
  result: ImportResult;
}

/** A definition is read here, in the browser: nothing of it is sent before the agent is saved. */
export default function ImportAgentPage() {
  const [text, setText] = useState('');
  const [reading, setReading] = useState<Reading>();
  const read = (definition: string) => {
    setText(definition);
    setReading(before => ({ number: (before?.number ?? 0) + 1, result: importAgent(definition) }));
  };
  const result = reading?.result;
  return (
    <Page title={texts.importTitle} description={texts.importDescription} actions={<BackLink />}>
      <Stack gap="lg">
        {result?.ok ? (
          <ImportedAgentForm key={reading?.number} imported={result} onStartOver={() => setReading(undefined)} />
        ) : (
          <DefinitionInput text={text} onChange={setText} onRead={read} failure={result} />
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
