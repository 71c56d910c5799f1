import { Button, Card, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconShieldLock, IconShieldOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useSessionChange, useSignedIn } from '../../api/session.js';
import { needed } from '../../parts/field-rules.js';
import { FormModal } from '../../parts/form-modal.js';
import { StateBadge } from '../../parts/state-badge.js';
import { useAction } from '../../parts/use-action.js';
import { profileTexts as texts } from '../../texts/profile.js';
import { beginTotp, endTotp, type TotpSetup } from './profile-api.js';
import { CodeInput, codeProblem } from './code-input.js';
import { TotpSetupForm } from './totp-setup-form.js';

export function SecondFactor() {
  const { totpEnabled } = useSignedIn().user;
  const [setup, setSetup] = useState<TotpSetup>();
  const begin = useAction({ run: beginTotp, onDone: setSetup });
  return (
    <Card>
      <Stack align="flex-start">
        <Text size="sm" c="dimmed">
          {texts.secondFactorText}
        </Text>
        <StateBadge state={totpEnabled ? 'enabled' : 'disabled'} label={totpEnabled ? texts.on : texts.off} />
        {totpEnabled ? (
          <SwitchOff />
        ) : (
          <Button
            leftSection={<IconShieldLock size={16} aria-hidden />}
            loading={begin.isPending}
            onClick={() => begin.mutate()}
          >
            {texts.setUp}
          </Button>
        )}
      </Stack>
      <TotpSetupForm setup={setup} onClose={() => setSetup(undefined)} />
    </Card>
  );
}

function SwitchOff() {
  const [isOpen, { open, close }] = useDisclosure();
  const form = useForm({
    initialValues: { currentPassword: '', code: '' },
    validate: { currentPassword: needed(texts.currentNeeded), code: codeProblem },
  });
  const { mutateAsync } = useSessionChange(endTotp);
  return (
    <Group>
      <Button color="red" variant="light" leftSection={<IconShieldOff size={16} aria-hidden />} onClick={open}>
        {texts.switchOff}
      </Button>
      <FormModal
        title={texts.switchOff}
        isOpen={isOpen}
        onClose={close}
        form={form}
        run={({ currentPassword, code }) => mutateAsync({ currentPassword, code: code.trim() })}
        success={texts.switchedOff}
        submitLabel={texts.switchOff}
      >
        <Text size="sm">{texts.switchOffText}</Text>
        <PasswordInput
          label={texts.currentPassword}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('currentPassword')}
        />
        <CodeInput {...form.getInputProps('code')} />
      </FormModal>
    </Group>
  );
}
