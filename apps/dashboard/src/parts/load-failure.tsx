import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { frameTexts } from '../texts/frame.js';
import { messageOf } from './toasts.js';

interface LoadFailureProps {
  error: unknown;
  title?: string;
  onRetry: () => void;
}

/** In the place of what could not be shown. */
export function LoadFailure({ error, title = frameTexts.loadFailed, onRetry }: LoadFailureProps) {
  return (
    <Alert color="red" title={title} role="alert" icon={<IconAlertTriangle aria-hidden />}>
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{messageOf(error)}</Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          {frameTexts.tryAgain}
        </Button>
      </Stack>
    </Alert>
  );
}
