import { Button } from '@mantine/core';
import { IconBan, IconPlayerPlay } from '@tabler/icons-react';
import { useAction } from '../../parts/actions.js';
import { ConfirmButton, IconButton } from '../../parts/buttons.js';
import { setAccountEnabled, type Account } from './administration-api.js';

interface AccountSwitchProps {
  account: Account;
  withLabel?: boolean;
}

/** Disables an account, or enables it again. */
export function AccountSwitch({ account: { accountID, name, state }, withLabel = false }: AccountSwitchProps) {
  const enable = useAction({
    run: () => setAccountEnabled(accountID, true),
    success: 'The account was enabled.',
    changes: ['admin'],
  });
  if (state === 'active') {
    return (
      <ConfirmButton
        label={`Disable ${name}`}
        icon={IconBan}
        withLabel={withLabel}
        title="Disable this account?"
        text={`The gateway refuses the keys of ${name} from now on, and ends its rooms with everything that runs in them.`}
        confirmLabel="Disable"
        run={() => setAccountEnabled(accountID, false)}
        success="The account was disabled."
        changes={['admin']}
      />
    );
  }
  const isRunning = enable.isPending;
  return withLabel ? (
    <Button variant="light" loading={isRunning} onClick={() => enable.mutate()}>
      {`Enable ${name}`}
    </Button>
  ) : (
    <IconButton label={`Enable ${name}`} icon={IconPlayerPlay} loading={isRunning} onClick={() => enable.mutate()} />
  );
}
