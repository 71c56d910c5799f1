import { definitionLimits } from '@rtms/agent-import';
import { useEffect, useRef, useState } from 'react';
import { showFailure } from '../../parts/toasts.js';
import { agentsTexts as texts } from '../../texts/agents.js';
import { DefinitionReader, type ReadingResult } from './definition-reader.js';

/** No character has more than three bytes in UTF-8 for each code unit that the limit counts. */
const maxFileBytes = definitionLimits.characters * 3;

/** A number for each result, so that each is shown in a form of its own. */
interface NumberedResult {
  number: number;
  result: ReadingResult;
}

/** One definition is read at a time. A further one takes its place, and leaving the page stops it. */
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
    if (content === undefined) showFailure(new Error(texts.fileFailed));
    else await read(content);
  };
  return { text, setText, shown, isReading, read, readFile, stop, startOver: () => setShown(undefined) };
}
