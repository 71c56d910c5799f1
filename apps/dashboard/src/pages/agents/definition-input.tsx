import { Button, Card, FileButton, Group, Loader, Stack, Text, Textarea } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useRef, useState, type DragEvent } from 'react';
import { agentsTexts as texts } from '../../texts/agents.js';
import { ImportFailureAlert, type ShownFailure } from './import-failure-alert.js';
import { textOffset } from './text-offset.js';
import type { useReading } from './use-reading.js';

interface DefinitionInputProps {
  reading: ReturnType<typeof useReading>;
  failure: ShownFailure | undefined;
}

/** A definition is pasted, dropped or chosen. A file is read at once, a text when it is asked for. */
export function DefinitionInput({ reading, failure }: DefinitionInputProps) {
  const { text, setText } = reading;
  const area = useRef<HTMLTextAreaElement>(null);
  const [isOver, setIsOver] = useState(false);
  const readFile = (file: File | null | undefined) => {
    if (file) void reading.readFile(file);
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
          onChange={event => setText(event.currentTarget.value)}
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
          <ReadButton reading={reading} />
        </Group>
      </Stack>
    </Card>
  );
}

/** While a definition is read, the button stops it. */
function ReadButton({ reading }: Pick<DefinitionInputProps, 'reading'>) {
  const { text, isReading, read, stop } = reading;
  if (!isReading)
    return (
      <Button onClick={() => void read(text)} disabled={text.trim() === ''}>
        {texts.read}
      </Button>
    );
  return (
    <Group>
      <Loader size="xs" />
      <Text size="sm">{texts.reading}</Text>
      <Button variant="default" onClick={stop}>
        {texts.stopReading}
      </Button>
    </Group>
  );
}

function select(area: HTMLTextAreaElement | null, line: number, column: number): void {
  if (!area) return;
  const offset = textOffset(area.value, line, column);
  area.focus();
  area.setSelectionRange(offset, offset + 1);
}
