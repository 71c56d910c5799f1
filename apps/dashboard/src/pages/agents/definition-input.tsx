import { Alert, Button, Card, FileButton, Group, Loader, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { describeFinding, type ImportFailure } from '@rtms/agent-import';
import { IconFileAlert, IconFileUpload } from '@tabler/icons-react';
import { useRef, useState, type DragEvent } from 'react';
import { Monospace } from '../../parts/values.js';
import { samples, shapes } from './definition-samples.js';
import { readingSeconds, textOffset, type ReadingFailure } from './definition-reader.js';
import type { useReading } from './import-agent-page.js';

interface DefinitionInputProps {
  reading: ReturnType<typeof useReading>;
  failure: ShownFailure | undefined;
}

/** Users paste, drop or choose a definition. The page reads a file at once, and a text on request. */
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
          label="Definition"
          description="Paste the exported JSON, or drop the file here."
          placeholder={'{ "name": "…", "model": { … } }'}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          rows={16}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          variant={isOver ? 'filled' : 'default'}
        />
        <Samples onChoose={setText} />
        <Group justify="space-between">
          <FileButton onChange={readFile} accept=".json,application/json,text/plain">
            {props => (
              <Button {...props} variant="default" leftSection={<IconFileUpload size={16} aria-hidden />}>
                Choose file
              </Button>
            )}
          </FileButton>
          <ReadButton reading={reading} />
        </Group>
      </Stack>
    </Card>
  );
}

/** Fills the text with an example of one shape. */
function Samples({ onChoose }: { onChoose: (text: string) => void }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} role="group" aria-label="Samples">
      {(['A', 'B'] as const).map(platform => (
        <Stack key={platform} gap={4} align="flex-start">
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => onChoose(JSON.stringify(samples[platform], null, 2))}
          >
            {`Sample: ${shapes[platform].title}`}
          </Button>
          <Text size="xs" c="dimmed">
            Recognised by <Monospace>{shapes[platform].fields}</Monospace>
          </Text>
        </Stack>
      ))}
    </SimpleGrid>
  );
}

/** The button starts the reading, and stops it while it runs. */
function ReadButton({ reading }: Pick<DefinitionInputProps, 'reading'>) {
  const { text, isReading, read, stop } = reading;
  if (!isReading)
    return (
      <Button onClick={() => void read(text)} disabled={text.trim() === ''}>
        Read definition
      </Button>
    );
  return (
    <Group>
      <Loader size="xs" />
      <Text size="sm">Reading the definition…</Text>
      <Button variant="default" onClick={stop}>
        Stop
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

type ShownFailure = ({ ok: false } & ImportFailure) | ReadingFailure;

interface ImportFailureAlertProps {
  failure: ShownFailure;
  onShow: (line: number, column: number) => void;
}

/** The reason, and the place of the first JSON error. */
function ImportFailureAlert({ failure, onShow }: ImportFailureAlertProps) {
  const { line, column } = 'values' in failure ? failure : {};
  return (
    <Alert color="red" role="alert" title="This text cannot be imported" icon={<IconFileAlert aria-hidden />}>
      <Stack gap="xs">
        <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
          {messageOf(failure)}
        </Text>
        {line !== undefined && column !== undefined && (
          <Button size="compact-xs" variant="default" w="fit-content" onClick={() => onShow(line, column)}>
            {`Show line ${line}, column ${column}`}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function messageOf(failure: ShownFailure): string {
  if ('values' in failure) return describeFinding(failure);
  return failure.code === 'too_slow'
    ? `The definition took longer than ${readingSeconds} s to read, so the page stopped. Paste one agent alone.`
    : 'The browser could not run the reader. Reload the page and read the definition again.';
}
