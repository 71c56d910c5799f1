import { Button, Card, Group, PasswordInput, Text } from '@mantine/core';
import { IconCircleCheck, IconKey } from '@tabler/icons-react';
import { useAction } from '../../parts/use-action.js';
import { sandboxTexts as texts } from '../../texts/sandbox.js';
import type { OpenApiDocument } from './openapi-document.js';
import { createSandboxKey } from './sandbox-api.js';
import type { CredentialCheck } from './sandbox-credential.js';

interface KeyInputProps {
  document: OpenApiDocument;
  /** Kept by the page, and by nothing that outlives it. */
  value: string;
  onChange: (value: string) => void;
  verdict: CredentialCheck['verdict'];
}

export function KeyInput({ document, value, onChange, verdict }: KeyInputProps) {
  const { mutate, isPending } = useAction({
    run: () => createSandboxKey(document),
    success: texts.keyCreated,
    changes: ['disposableKey'],
    onDone: ({ apiUserName, apiKey }) => onChange(`${apiUserName}:${apiKey}`),
  });
  const isRefused = verdict !== 'sandbox' && verdict !== 'empty';
  return (
    <Card>
      <Group align="flex-end" gap="sm">
        <PasswordInput
          style={{ flex: '1 1 260px' }}
          label={texts.key}
          description={texts.keyHint}
          placeholder={texts.keyPlaceholder}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={event => onChange(event.currentTarget.value)}
          error={isRefused && texts.verdicts[verdict]}
        />
        <Button
          variant="light"
          leftSection={<IconKey size={16} aria-hidden />}
          loading={isPending}
          onClick={() => mutate()}
        >
          {texts.createKey}
        </Button>
      </Group>
      {!isRefused && (
        <Group gap={6} mt="xs" role="status">
          {verdict === 'sandbox' && <IconCircleCheck size={16} aria-hidden />}
          <Text size="sm" c="dimmed">
            {texts.verdicts[verdict]}
          </Text>
        </Group>
      )}
    </Card>
  );
}
