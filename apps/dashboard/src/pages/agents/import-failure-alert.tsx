import { Alert, Button, Stack, Text } from '@mantine/core';
import { describeFinding, type ImportFailure } from '@rtms/agent-import';
import { IconFileAlert } from '@tabler/icons-react';
import { agentsTexts as texts } from '../../texts/agents.js';
import { readingSeconds, type ReadingFailure } from './definition-reader.js';

export type ShownFailure = ({ ok: false } & ImportFailure) | ReadingFailure;

interface ImportFailureAlertProps {
  failure: ShownFailure;
  onShow: (line: number, column: number) => void;
}

/** Why a text can't be imported and what to paste instead; where, when it is not JSON. */
export function ImportFailureAlert({ failure, onShow }: ImportFailureAlertProps) {
  const { line, column } = 'values' in failure ? failure : {};
  return (
    <Alert color="red" role="alert" title={texts.notImportable} icon={<IconFileAlert aria-hidden />}>
      <Stack gap="xs">
        <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
          {messageOf(failure)}
        </Text>
        {line !== undefined && column !== undefined && (
          <Button size="compact-xs" variant="default" w="fit-content" onClick={() => onShow(line, column)}>
            {texts.showPlace(line, column)}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function messageOf(failure: ShownFailure): string {
  if ('values' in failure) return describeFinding(failure);
  return failure.code === 'too_slow' ? texts.tooSlow(readingSeconds) : texts.readerFailed;
}
