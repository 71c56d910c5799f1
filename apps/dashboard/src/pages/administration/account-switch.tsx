import { Button } from '@mantine/core';
import { IconBan, IconPlayerPlay } from '@tabler/icons-react';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { IconButton } from '../../parts/icon-button.js';
import { useAction } from '../../parts/use-action.js';
import { administrationTexts as texts } from '../../texts/administration.js';
import { setAccountEnabled, type Account } from './administration-api.js';

interface AccountSwitchProps {
  account: Account;
  withLabel?: boolean;
}

/** Disables an account, or enables it again. */
export function AccountSwitch({ account: { accountID, name, state }, withLabel = false }: AccountSwitchProps) {
  const enable = useAction({
    run: () => setAccountEnabled(accountID, true),
    success: texts.enabled,
    changes: ['admin'],
  });
  if (state === 'active') {
    return (
      <ConfirmButton
        label={texts.disable(name)}
        icon={IconBan}
        withLabel={withLabel}
        title={texts.disableTitle}
        text={texts.disableText(name)}
        confirmLabel={texts.disableShort}
        run={() => setAccountEnabled(accountID, false)}
        success={texts.disabled}
        changes={['admin']}
      />
    );
  }
  const isRunning = enable.isPending;
  return withLabel ? (
    <Button variant="light" loading={isRunning} onClick={() => enable.mutate()}>
      {texts.enable(name)}
    </Button>
  ) : (
    <IconButton label={texts.enable(name)} icon={IconPlayerPlay} loading={isRunning} onClick={() => enable.mutate()} />
  );
}
