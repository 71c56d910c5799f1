import { Alert, Button, Card, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEyeExclamation, IconRefresh, IconShieldLock, IconShieldOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useSessionChange, useSignedIn } from '../../api/session.js';
import { useAction } from '../../parts/actions.js';
import { CopyButton } from '../../parts/buttons.js';
import { OnOffBadge } from '../../parts/values.js';
import { BothFactorsForm, TotpSetupForm } from './factor-forms.js';
import { beginTotp, endTotp, renewRecoveryCodes, useSecondFactor, type TotpSetup } from './profile-api.js';

export function SecondFactor() {
  const { totpEnabled } = useSignedIn().user;
  const [setup, setSetup] = useState<TotpSetup>();
  const [codes, setCodes] = useState<readonly string[]>();
  const begin = useAction({ run: beginTotp, onDone: setSetup });
  return (
    <Card>
      <Stack align="flex-start">
        <Text size="sm" c="dimmed">
          A code from an authenticator app. You enter it each time you sign in.
        </Text>
        <OnOffBadge isOn={totpEnabled} />
        {totpEnabled ? (
          <>
            <RecoveryCodes onMade={setCodes} />
            <SwitchOff />
          </>
        ) : (
          // The button stays enabled while it waits: a disabled button could not get the focus back from the dialog.
          <Button
            leftSection={<IconShieldLock size={16} aria-hidden />}
            onClick={() => {
              if (!begin.isPending) begin.mutate();
            }}
          >
            Set up
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
        Switch off
      </Button>
      <BothFactorsForm
        title="Switch off"
        text="Sign-in will then need only your password. Enter your password and a code to switch the second factor off."
        isOpen={isOpen}
        onClose={close}
        run={mutateAsync}
        success="The second factor was switched off."
      />
    </>
  );
}

interface RecoveryCodesProps {
  onMade: (codes: readonly string[]) => void;
}

function RecoveryCodes({ onMade }: RecoveryCodesProps) {
  const { data } = useSecondFactor();
  const [isRenewing, setIsRenewing] = useState(false);
  return (
    <>
      <Text size="sm" c={data?.recoveryCodesLeft === 0 ? 'red' : undefined}>
        {data
          ? data.recoveryCodesLeft === 1
            ? '1 recovery code is left.'
            : `${data.recoveryCodesLeft} recovery codes are left.`
          : 'Loading'}
      </Text>
      <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setIsRenewing(true)}>
        Make new recovery codes
      </Button>
      <BothFactorsForm
        title="Make new recovery codes"
        text="The old codes stop working. Enter your password and a code."
        isOpen={isRenewing}
        onClose={() => setIsRenewing(false)}
        run={renewRecoveryCodes}
        onDone={onMade}
        changes={['secondFactor']}
      />
    </>
  );
}

interface RecoveryCodesDialogProps {
  /** undefined: the dialog is closed. */
  codes: readonly string[] | undefined;
  onClose: () => void;
}

/** The page keeps the codes in this dialog alone, until it closes. */
function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  return (
    <Modal opened={codes !== undefined} onClose={onClose} title="Recovery codes" closeOnClickOutside={false}>
      <Stack>
        <Alert color="yellow" icon={<IconEyeExclamation aria-hidden />}>
          Keep these codes where you keep passwords. They are shown once. Each replaces a code of the app, once.
        </Alert>
        <SimpleGrid component="ul" cols={2} aria-label="Recovery codes" p={0} m={0} style={{ listStyle: 'none' }}>
          {codes?.map(code => (
            <Text key={code} component="li" ff="monospace" ta="center">
              {code}
            </Text>
          ))}
        </SimpleGrid>
        <Group justify="flex-end">
          <CopyButton value={codes?.join('\n') ?? ''} what="Recovery codes" />
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
