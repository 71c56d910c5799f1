import { Stack } from '@mantine/core';
import { definitionLimits } from '@rtms/agent-import';
import { useEffect, useRef, useState } from 'react';
import { showFailure } from '../../parts/actions.js';
import { BackLink, Page } from '../../parts/page.js';
import { DefinitionInput } from './definition-input.js';
import { DefinitionReader, type ReadingResult } from './definition-reader.js';
import { ImportedAgentForm } from './imported-agent-form.js';

/** The browser reads the definition. The page sends nothing before the user saves the agent. */
export default function ImportAgentPage() {
  const reading = useReading();
  const { shown, startOver } = reading;
  const result = shown?.result;
  return (
    <Page
      title="Import an agent"
      description="Turn an assistant or agent of another voice platform into one of yours. This browser reads the definition and sends nothing before you save."
      storedOnly="The service keeps the agent for your application. It does not run it."
      actions={<BackLink href="/agents" label="Agents" />}
    >
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

/** The limit counts UTF-16 code units. Each needs at most three bytes in UTF-8. */
const maxFileBytes = definitionLimits.characters * 3;

/** The number gives each result its own form. */
interface NumberedResult {
  number: number;
  result: ReadingResult;
}

/** Reads one definition at a time. Another definition, or leaving the page, stops the reading. */
export function useReading() {
  const [text, setText] = useState('');
  const [shown, setShown] = useState<NumberedResult>();
  const [isReading, setIsReading] = useState(false);
  const reader = useRef<DefinitionReader>(undefined);
  const running = useRef<AbortController>(undefined);
  const stop = () => running.current?.abort();
  useEffect(() => {
    const opened = new DefinitionReader();
    reader.current = opened;
    return () => {
      stop();
      opened.close();
    };
  }, []);

  const show = (result: ReadingResult) => setShown(before => ({ number: (before?.number ?? 0) + 1, result }));
  const read = async (definition: string) => {
    stop();
    const controller = new AbortController();
    running.current = controller;
    setText(definition);
    setIsReading(true);
    const result = await reader.current?.read(definition, controller.signal);
    if (running.current !== controller) return;
    setIsReading(false);
    if (result) show(result);
  };
  const readFile = async (file: File) => {
    const { characters: limit } = definitionLimits;
    if (file.size > maxFileBytes) return show({ ok: false, code: 'too_large', values: { limit } });
    const content = await file.text().catch(() => undefined);
    if (content === undefined) showFailure(new Error('The file could not be read.'));
    else await read(content);
  };
  return { text, setText, shown, isReading, read, readFile, stop, startOver: () => setShown(undefined) };
}
