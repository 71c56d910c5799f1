import { Button, Card, FileButton, Group, Stack, Textarea } from '@mantine/core';
import type { ImportFailure } from '@rtms/agent-import';
import { IconFileUpload } from '@tabler/icons-react';
import { useRef, useState, type DragEvent } from 'react';
import { showFailure } from '../../parts/toasts.js';
import { agentsTexts as texts } from '../../texts/agents.js';
import { ImportFailureAlert } from './import-failure-alert.js';
import { textOffset } from './text-offset.js';

interface DefinitionInputProps {
  text: string;
  onChange: (text: string) => void;
  /** Reads this text as a definition. */
  onRead: (text: string) => void;
  failure: ImportFailure | undefined;
}

/** A definition is pasted, dropped or chosen. A file is read at once, a text when it is asked for. */
export function DefinitionInput({ text, onChange, onRead, failure }: DefinitionInputProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [isOver, setIsOver] = useState(false);
  const readFile = (file: File | null | undefined) => {
    if (file) void file.text().then(onRead, () => showFailure(new Error(texts.fileFailed)));
  };
  const drop = (event: DragEvent) => {
    setIsOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    readFile(event.dataTransfer.files[0]);
  };
  const dragOver = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <Card onDragOver={dragOver} onDragLeave={() => setIsOver(false)} onDrop={drop} data-over={isOver}>
      <Stack>
        {failure && (
          <ImportFailureAlert failure={failure} onShow={(line, column) => select(area.current, line, column)} />
        )}
        <Textarea
          ref={area}
          label={texts.definition}
          description={texts.definitionHint}
          placeholder={texts.definitionPlaceholder}
          value={text}
          onChange={event => onChange(event.currentTarget.value)}
          rows={16}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          variant={isOver ? 'filled' : 'default'}
        />
        <Group justify="space-between">
          <FileButton onChange={readFile} accept=".json,application/json,text/plain">
            {props => (
              <Button {...props} variant="default" leftSection={<IconFileUpload size={16} aria-hidden />}>
                {texts.chooseFile}
              </Button>
            )}
          </FileButton>
          <Button onClick={() => onRead(text)} disabled={text.trim() === ''}>
            {texts.read}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}

function select(area: HTMLTextAreaElement | null, line: number, column: number): void {
  if (!area) return;
  const offset = textOffset(area.value, line, column);
  area.focus();
  area.setSelectionRange(offset, offset + 1);
}
