import { Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { MainKey } from '@rtms/contracts';
import { IconKey, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { ShownKind } from '../api/query-keys.js';
import { apiKeysTexts as texts } from '../texts/api-keys.js';
import type { IssuedCredential } from './issued-credential.js';
import { isWorking, MainKeyLine } from './main-key-line.js';
import { RotateKeyForm } from './rotate-key-form.js';
import { useAction } from './use-action.js';

type KeyType = MainKey['type'];

const types = ['sandbox', 'production'] as const satisfies readonly KeyType[];

interface KeyActions {
  create: (type: KeyType) => Promise<IssuedCredential>;
  rotate: (type: KeyType, overlapHours: number) => Promise<IssuedCredential>;
  onIssued: (key: IssuedCredential) => void;
  /** Of the API: where the keys are. */
  keysPath: string;
  changes: readonly ShownKind[];
}

/** The main keys of an account, one card for each type. */
export function MainKeyCards({ keys, ...actions }: KeyActions & { keys: readonly MainKey[] }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {types.map(type => (
        <KeyCard key={type} {...actions} type={type} keys={keys.filter(key => key.type === type)} />
      ))}
    </SimpleGrid>
  );
}

function KeyCard({ type, keys, ...actions }: KeyActions & { type: KeyType; keys: readonly MainKey[] }) {
  const hasCurrent = keys.some(({ state }) => state === 'active' || state === 'disabled');
  const [isRotating, setIsRotating] = useState(false);
  const create = useAction({ run: () => actions.create(type), changes: actions.changes, onDone: actions.onIssued });
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
          <MainKeyLine
            key={key.keyID}
            mainKey={key}
            isLast={isWorking(key) && keys.filter(isWorking).length === 1}
            keysPath={actions.keysPath}
            changes={actions.changes}
          />
        ))}
      </Stack>
      <RotateKeyForm {...actions} type={type} isOpen={isRotating} onClose={() => setIsRotating(false)} />
    </Card>
  );
}
