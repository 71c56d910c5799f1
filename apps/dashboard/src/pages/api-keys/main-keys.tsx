import { Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { MainKey } from '@rtms/contracts';
import { IconKey, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useSignedIn } from '../../api/session.js';
import { CopyButton } from '../../parts/copy-button.js';
import { LoadFailure } from '../../parts/load-failure.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Time } from '../../parts/time.js';
import { useAction } from '../../parts/use-action.js';
import { Waiting } from '../../parts/waiting.js';
import { apiKeysTexts as texts } from '../../texts/api-keys.js';
import type { IssuedCredential } from './api-keys-page.js';
import { createMainKey, useMainKeys, type KeyType } from './main-keys-api.js';
import { RotateKeyForm } from './rotate-key-form.js';

const types = ['sandbox', 'production'] as const satisfies readonly KeyType[];

export function MainKeys({ onIssued }: { onIssued: (key: IssuedCredential) => void }) {
  const { data: keys, error, refetch } = useMainKeys();
  const { account } = useSignedIn();
  if (error && !keys) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!keys) return <Waiting h={180} />;
  return (
    <Stack>
      <Group gap={4}>
        <Text size="sm" c="dimmed">
          {texts.apiUserName}
        </Text>
        <Text ff="monospace" fw={600}>
          {account?.apiUserName}
        </Text>
        <CopyButton value={account?.apiUserName ?? ''} what={texts.apiUserName} />
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {types.map(type => (
          <KeyCard key={type} type={type} keys={keys.filter(key => key.type === type)} onIssued={onIssued} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

interface KeyCardProps {
  type: KeyType;
  keys: readonly MainKey[];
  onIssued: (key: IssuedCredential) => void;
}

function KeyCard({ type, keys, onIssued }: KeyCardProps) {
  const hasCurrent = keys.some(({ state }) => state === 'active');
  const [isRotating, setIsRotating] = useState(false);
  const create = useAction({ run: () => createMainKey(type), changes: ['key'], onDone: onIssued });
  const name = texts.types[type];
  return (
    <Card component="section" aria-label={name}>
      <Group justify="space-between" align="flex-start" mb="md">
        <div>
          <Title order={2} size="h4">
            {name}
          </Title>
          <Text size="sm" c="dimmed">
            {texts.typeTexts[type]}
          </Text>
        </div>
        {hasCurrent ? (
          <Button
            variant="light"
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={() => setIsRotating(true)}
          >
            {texts.rotate(name)}
          </Button>
        ) : (
          <Button
            leftSection={<IconKey size={16} aria-hidden />}
            loading={create.isPending}
            onClick={() => create.mutate()}
          >
            {texts.create(name)}
          </Button>
        )}
      </Group>
      <Stack gap="xs">
        {keys.length === 0 && <Text c="dimmed">{texts.noKey}</Text>}
        {keys.map(key => (
          <KeyLine key={key.keyID} mainKey={key} />
        ))}
      </Stack>
      <RotateKeyForm type={type} isOpen={isRotating} onClose={() => setIsRotating(false)} onIssued={onIssued} />
    </Card>
  );
}

function KeyLine({ mainKey: { maskedKey, state, createdAt, expiresAt } }: { mainKey: MainKey }) {
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs">
        <Text ff="monospace">{maskedKey}…</Text>
        <StateBadge state={state} />
      </Group>
      <Text size="sm" c="dimmed">
        {expiresAt === null ? texts.createdAt : texts.expiresAt} <Time value={expiresAt ?? createdAt} />
      </Text>
    </Group>
  );
}
