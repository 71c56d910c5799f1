import { Button, Card, Group, NumberInput, SimpleGrid, Stack, Text, Title, Tooltip } from '@mantine/core';
import { useForm } from '@mantine/form';
import { keyOverlapHours, type IssuedKeyAnswer, type KeysAnswer, type MainKey } from '@rtms/contracts';
import { IconBan, IconKey, IconKeyOff, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../api/request.js';
import { shownKey, type DisposableKey, type ShownKind } from '../api/resource.js';
import { useAction } from './actions.js';
import { ConfirmButton, IconButton } from './buttons.js';
import { FormModal, wholeNumber } from './forms.js';
import { Loaded } from './page.js';
import type { Column } from './resource-table.js';
import { IssuedCredentialDialog, type IssuedCredential } from './secrets.js';
import { environmentNames, Monospace, StateBadge, Time, TwoLines } from './values.js';

type KeyType = MainKey['type'];

const typeTexts: Record<KeyType, string> = {
  sandbox: 'For tests. Accepted from any origin.',
  production: 'For your product. Browsers need a registered HTTPS domain.',
};

export async function createMainKey(path: string, type: KeyType): Promise<IssuedCredential> {
  return (await request<IssuedKeyAnswer>('POST', path, { body: { type } })).key;
}

export async function rotateMainKey(path: string, type: KeyType, overlapHours: number): Promise<IssuedCredential> {
  return (await request<IssuedKeyAnswer>('POST', `${path}/rotate`, { body: { type, overlapHours } })).key;
}

type KeyChange = 'disable' | 'enable' | 'delete';

/** `isForced`: even if no other main key of its environment works. */
async function changeMainKey(path: string, keyID: string, change: KeyChange, isForced: boolean): Promise<void> {
  const keyPath = `${path}/${encodeURIComponent(keyID)}`;
  if (change === 'delete') await request('DELETE', keyPath, { query: { force: isForced || undefined } });
  else await request('POST', `${keyPath}/${change}`, { body: isForced ? { force: true } : {} });
}

function useMainKeys(path: string, kind: ShownKind) {
  return useQuery({
    queryKey: shownKey(kind, 'main', path),
    queryFn: async ({ signal }) => (await request<KeysAnswer>('GET', path, { signal })).keys,
  });
}

interface MainKeysProps {
  /** The path of the keys in the API. */
  path: string;
  /** The kind of data to refetch after a change. */
  kind: ShownKind;
}

/** The main keys of an account, one card for each type. */
export function MainKeys(props: MainKeysProps) {
  const [issued, setIssued] = useState<IssuedCredential>();
  return (
    <>
      <Loaded query={useMainKeys(props.path, props.kind)} height={180}>
        {keys => (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            {(['sandbox', 'production'] as const).map(type => (
              <KeyCard
                key={type}
                {...props}
                type={type}
                keys={keys.filter(key => key.type === type)}
                onIssued={setIssued}
              />
            ))}
          </SimpleGrid>
        )}
      </Loaded>
      <IssuedCredentialDialog issued={issued} onClose={() => setIssued(undefined)} />
    </>
  );
}

interface KeyCardProps extends MainKeysProps {
  type: KeyType;
  keys: readonly MainKey[];
  onIssued: (key: IssuedCredential) => void;
}

function KeyCard({ type, keys, onIssued, ...place }: KeyCardProps) {
  const hasCurrent = keys.some(({ state }) => state === 'active' || state === 'disabled');
  const [isRotating, setIsRotating] = useState(false);
  const create = useAction({ run: () => createMainKey(place.path, type), changes: [place.kind], onDone: onIssued });
  return (
    <Card component="section" aria-label={environmentNames[type]}>
      <Group justify="space-between" align="flex-start" mb="md">
        <div>
          <Title order={2} size="h4">
            {environmentNames[type]}
          </Title>
          <Text size="sm" c="dimmed">
            {typeTexts[type]}
          </Text>
        </div>
        {hasCurrent ? (
          <Button
            variant="light"
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={() => setIsRotating(true)}
          >
            {`Rotate ${type} key`}
          </Button>
        ) : (
          <Button
            leftSection={<IconKey size={16} aria-hidden />}
            loading={create.isPending}
            onClick={() => create.mutate()}
          >
            {`Create ${type} key`}
          </Button>
        )}
      </Group>
      <Stack gap="xs">
        {keys.length === 0 && <Text c="dimmed">None yet</Text>}
        {keys.map(key => (
          <MainKeyLine
            key={key.keyID}
            mainKey={key}
            isLast={isWorking(key) && keys.filter(isWorking).length === 1}
            {...place}
          />
        ))}
      </Stack>
      <RotateKeyForm
        {...place}
        type={type}
        isOpen={isRotating}
        onClose={() => setIsRotating(false)}
        onIssued={onIssued}
      />
    </Card>
  );
}

function isWorking({ state }: MainKey): boolean {
  return state === 'active' || state === 'overlapping';
}

interface MainKeyLineProps extends MainKeysProps {
  mainKey: MainKey;
  /** No other main key of its environment works. */
  isLast: boolean;
}

function MainKeyLine(props: MainKeyLineProps) {
  const { maskedKey, state, createdAt, expiresAt } = props.mainKey;
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs">
        <Text ff="monospace">{maskedKey}</Text>
        <StateBadge state={state} />
      </Group>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {expiresAt === null ? 'Created' : 'Expires'} <Time value={expiresAt ?? createdAt} />
        </Text>
        {(isWorking(props.mainKey) || state === 'disabled') && <KeyButtons {...props} />}
      </Group>
    </Group>
  );
}

function KeyButtons({ mainKey: { keyID, type, maskedKey, state }, isLast, path, kind }: MainKeyLineProps) {
  const change = (wanted: KeyChange) => () => changeMainKey(path, keyID, wanted, isLast);
  const enable = useAction({ run: change('enable'), success: 'The key was enabled.', changes: [kind] });
  const warning = isLast
    ? ` It is the last ${type} key that works, so all servers that use it stop. Rotate the key to give them a new one first.`
    : '';
  return (
    <Group gap={4}>
      {state === 'disabled' ? (
        <IconButton
          label={`Enable key ${maskedKey}`}
          icon={IconPlayerPlay}
          loading={enable.isPending}
          onClick={() => enable.mutate()}
        />
      ) : (
        <ConfirmButton
          label={`Disable key ${maskedKey}`}
          icon={IconBan}
          title="Disable this key?"
          text={`The gateway refuses servers that use ${maskedKey} until you enable the key.${warning}`}
          confirmLabel="Disable"
          run={change('disable')}
          success="The key was disabled."
          changes={[kind]}
        />
      )}
      <ConfirmButton
        label={`Delete key ${maskedKey}`}
        icon={IconKeyOff}
        title="Delete this key?"
        text={`The gateway refuses servers that use ${maskedKey} from now on. This cannot be undone.${warning}`}
        run={change('delete')}
        success="The key was deleted."
        changes={[kind]}
      />
    </Group>
  );
}

interface RotateKeyFormProps extends MainKeysProps {
  type: KeyType;
  isOpen: boolean;
  onClose: () => void;
  onIssued: (key: IssuedCredential) => void;
}

export const overlapRule = wholeNumber(keyOverlapHours.min, keyOverlapHours.max, 'Enter whole hours from 0 to 72.');

function RotateKeyForm({ path, kind, type, isOpen, onClose, onIssued }: RotateKeyFormProps) {
  const form = useForm({ initialValues: { overlapHours: 24 }, validate: { overlapHours: overlapRule } });
  return (
    <FormModal
      title={`Rotate ${type} key`}
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={({ overlapHours }) => rotateMainKey(path, type, overlapHours)}
      onDone={onIssued}
      changes={[kind]}
      submitLabel="Rotate"
    >
      <OverlapField input={form.getInputProps('overlapHours')} />
    </FormModal>
  );
}

/** How long the old key works beside the new one. */
export function OverlapField({ input }: { input: object }) {
  return (
    <>
      <Text size="sm">You get a new key at once. The old key stays valid for the hours that you enter.</Text>
      <NumberInput
        label="Hours that the old key stays valid"
        description="0 to 72. 0 ends the old key at once."
        {...keyOverlapHours}
        data-autofocus
        {...input}
      />
    </>
  );
}

export function operationCount(operations: readonly string[]): string {
  return operations.length === 1 ? '1 operation' : `${operations.length} operations`;
}

export const disposableKeyColumns: readonly Column<DisposableKey>[] = [
  {
    header: 'Name',
    cell: ({ name, maskedKey }) => <TwoLines first={name} second={<Monospace>{maskedKey}</Monospace>} />,
  },
  { header: 'Type', cell: ({ type }) => environmentNames[type], visibleFrom: 'sm' },
  { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    header: 'Operations',
    cell: ({ operations }) => (
      <Tooltip label={operations.join(', ')} multiline maw={320}>
        <Text size="sm" tabIndex={0} w="fit-content">
          {operationCount(operations)}
        </Text>
      </Tooltip>
    ),
    visibleFrom: 'md',
  },
  { header: 'Expires', cell: ({ expiresAt }) => <Time value={expiresAt} />, visibleFrom: 'sm' },
  { header: 'Last used', cell: ({ lastUsedAt }) => <Time value={lastUsedAt} />, visibleFrom: 'lg' },
];
