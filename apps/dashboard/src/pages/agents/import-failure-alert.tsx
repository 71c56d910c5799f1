import { Alert, Button, Stack, Text } from '@mantine/core';
import type { ImportFailure } from '@rtms/agent-import';
import { IconFileAlert } from '@tabler/icons-react';
import { agentsTexts as texts } from '../../texts/agents.js';

interface ImportFailureAlertProps {
  failure: ImportFailure;
  onShow: (line: number, column: number) => void;
}

/** Why a text can't be imported and what to paste instead; where, when it is not JSON. */
export function ImportFailureAlert({ failure: { message, line, column }, onShow }: ImportFailureAlertProps) {
  return (
    <Alert color="red" role="alert" title={texts.notImportable} icon={<IconFileAlert aria-hidden />}>
      <Stack gap="xs">
        <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
          {message}
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
