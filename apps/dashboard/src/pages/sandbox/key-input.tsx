import { Button, Card, Group, PasswordInput, Text } from '@mantine/core';
import { IconCircleCheck, IconKey } from '@tabler/icons-react';
import { useAction } from '../../parts/actions.js';
import type { OpenApiDocument } from './endpoints.js';
import { createSandboxKey } from './sandbox-api.js';
import type { CredentialCheck } from './sandbox-credential.js';

const verdicts = {
  empty: 'Enter your sandbox key, or create one.',
  malformed: 'A key has 64 letters and digits. The API username and a colon may precede it.',
  production: 'This is a production key, so the page does not send it. Use a sandbox key.',
  unknown: 'This is not a sandbox key of your account, so the page does not send it.',
  sandbox: 'Ready to send.',
} as const;

interface KeyInputProps {
  document: OpenApiDocument;
  /** The page holds the value in memory only. */
  value: string;
  onChange: (value: string) => void;
  verdict: CredentialCheck['verdict'];
}

export function KeyInput({ document, value, onChange, verdict }: KeyInputProps) {
  const { mutate, isPending } = useAction({
    run: () => createSandboxKey(document),
    success: 'A disposable sandbox key was created. It expires tomorrow.',
    changes: ['disposableKey'],
    onDone: ({ apiUserName, apiKey }) => onChange(`${apiUserName}:${apiKey}`),
  });
  const isRefused = verdict !== 'sandbox' && verdict !== 'empty';
  return (
    <Card>
      <Group align="flex-end" gap="sm">
        <PasswordInput
          style={{ flex: '1 1 260px' }}
          label="Sandbox key"
          description="The page keeps the key in memory until you leave. It refuses production keys."
          placeholder="api-username:api-key"
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={event => onChange(event.currentTarget.value)}
          error={isRefused && verdicts[verdict]}
        />
        <Button
          variant="light"
          leftSection={<IconKey size={16} aria-hidden />}
          loading={isPending}
          onClick={() => mutate()}
        >
          Create a key for one day
        </Button>
      </Group>
      {!isRefused && (
        <Group gap={6} mt="xs" role="status">
          {verdict === 'sandbox' && <IconCircleCheck size={16} aria-hidden />}
          <Text size="sm" c="dimmed">
            {verdicts[verdict]}
          </Text>
        </Group>
      )}
    </Card>
  );
}
