import { Group, Stack, Text } from '@mantine/core';
import { dashboardApi } from '@rtms/contracts';
import { useSignedIn } from '../../api/session.js';
import { CopyButton } from '../../parts/copy-button.js';
import type { IssuedCredential } from '../../parts/issued-credential.js';
import { LoadFailure } from '../../parts/load-failure.js';
import { MainKeyCards } from '../../parts/main-key-cards.js';
import { Waiting } from '../../parts/waiting.js';
import { apiKeysTexts as texts } from '../../texts/api-keys.js';
import { createMainKey, rotateMainKey, useMainKeys } from './main-keys-api.js';

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
      <MainKeyCards
        keys={keys}
        create={createMainKey}
        rotate={rotateMainKey}
        keysPath={`${dashboardApi}/keys`}
        onIssued={onIssued}
        changes={['key']}
      />
    </Stack>
  );
}
