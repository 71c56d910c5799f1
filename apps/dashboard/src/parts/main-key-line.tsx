import { Group, Text } from '@mantine/core';
import type { MainKey } from '@rtms/contracts';
import { IconBan, IconKeyOff, IconPlayerPlay } from '@tabler/icons-react';
import { changeMainKey, type KeyChange } from '../api/main-keys.js';
import type { ShownKind } from '../api/query-keys.js';
import { apiKeysTexts as texts } from '../texts/api-keys.js';
import { ConfirmButton } from './confirm-button.js';
import { IconButton } from './icon-button.js';
import { StateBadge } from './state-badge.js';
import { Time } from './time.js';
import { useAction } from './use-action.js';

interface MainKeyLineProps {
  mainKey: MainKey;
  /** No other main key of its environment works. */
  isLast: boolean;
  keysPath: string;
  changes: readonly ShownKind[];
}

/** A main key with what can be done with it. */
export function MainKeyLine(props: MainKeyLineProps) {
  const { maskedKey, state, createdAt, expiresAt } = props.mainKey;
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs">
        <Text ff="monospace">{maskedKey}</Text>
        <StateBadge state={state} />
      </Group>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {expiresAt === null ? texts.createdAt : texts.expiresAt} <Time value={expiresAt ?? createdAt} />
        </Text>
        {isWorking(props.mainKey) || state === 'disabled' ? <Changes {...props} /> : null}
      </Group>
    </Group>
  );
}

export function isWorking({ state }: MainKey): boolean {
  return state === 'active' || state === 'overlapping';
}

function Changes({ mainKey: { keyID, type, maskedKey, state }, isLast, keysPath, changes }: MainKeyLineProps) {
  const change = (kind: KeyChange) => () => changeMainKey(keysPath, keyID, kind, isLast);
  const enable = useAction({ run: change('enable'), success: texts.keyEnabled, changes });
  const warning = isLast ? ` ${texts.lastKey(texts.types[type])}` : '';
  return (
    <Group gap={4}>
      {state === 'disabled' ? (
        <IconButton
          label={texts.enableKey(maskedKey)}
          icon={IconPlayerPlay}
          loading={enable.isPending}
          onClick={() => enable.mutate()}
        />
      ) : (
        <ConfirmButton
          label={texts.disableKey(maskedKey)}
          icon={IconBan}
          title={texts.disableKeyTitle}
          text={`${texts.disableKeyText(maskedKey)}${warning}`}
          confirmLabel={texts.disableKeyConfirm}
          run={change('disable')}
          success={texts.keyDisabled}
          changes={changes}
        />
      )}
      <ConfirmButton
        label={texts.deleteKey(maskedKey)}
        icon={IconKeyOff}
        title={texts.deleteKeyTitle}
        text={`${texts.deleteKeyText(maskedKey)}${warning}`}
        run={change('delete')}
        success={texts.keyDeleted}
        changes={changes}
      />
    </Group>
  );
}
