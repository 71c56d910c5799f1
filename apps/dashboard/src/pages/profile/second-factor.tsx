import { Button, Card, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconShieldLock, IconShieldOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useSessionChange, useSignedIn } from '../../api/session.js';
import { StateBadge } from '../../parts/state-badge.js';
import { useAction } from '../../parts/use-action.js';
import { profileTexts as texts } from '../../texts/profile.js';
import { BothFactorsForm } from './both-factors-form.js';
import { beginTotp, endTotp, type TotpSetup } from './profile-api.js';
import { RecoveryCodes, RecoveryCodesDialog } from './recovery-codes.js';
import { TotpSetupForm } from './totp-setup-form.js';

export function SecondFactor() {
  const { totpEnabled } = useSignedIn().user;
  const [setup, setSetup] = useState<TotpSetup>();
  const [codes, setCodes] = useState<readonly string[]>();
  const begin = useAction({ run: beginTotp, onDone: setSetup });
  return (
    <Card>
      <Stack align="flex-start">
        <Text size="sm" c="dimmed">
          {texts.secondFactorText}
        </Text>
        <StateBadge state={totpEnabled ? 'enabled' : 'disabled'} label={totpEnabled ? texts.on : texts.off} />
        {totpEnabled ? (
          <>
            <RecoveryCodes onMade={setCodes} />
            <SwitchOff />
          </>
        ) : (
          // Disabled while it waits, it would lose the focus that the dialog gives back in the end.
          <Button
            leftSection={<IconShieldLock size={16} aria-hidden />}
            onClick={() => {
              if (!begin.isPending) begin.mutate();
            }}
          >
            {texts.setUp}
          </Button>
        )}
      </Stack>
      <TotpSetupForm setup={setup} onClose={() => setSetup(undefined)} onCodes={setCodes} />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />
    </Card>
  );
}

function SwitchOff() {
  const [isOpen, { open, close }] = useDisclosure();
  const { mutateAsync } = useSessionChange(endTotp);
  return (
    <>
      <Button color="red" variant="light" leftSection={<IconShieldOff size={16} aria-hidden />} onClick={open}>
        {texts.switchOff}
      </Button>
      <BothFactorsForm
        title={texts.switchOff}
        text={texts.switchOffText}
        isOpen={isOpen}
        onClose={close}
        run={mutateAsync}
        success={texts.switchedOff}
      />
    </>
  );
}
