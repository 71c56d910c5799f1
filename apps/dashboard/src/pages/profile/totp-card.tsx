import { Badge, Button, Card, Group, PasswordInput, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { TotpSetupAnswer } from '@rtms/contracts';
import { useState } from 'react';
import { useSessionChange } from '../../api/session.js';
import { FormModal } from '../../parts/form-modal.js';
import { useAction } from '../../parts/use-action.js';
import { profileTexts as texts } from '../../texts/profile.js';
import { confirmTotp, setUpTotp, turnTotpOff } from './profile-api.js';
import { TotpSecret } from './totp-secret.js';

function codeProblem(code: string): string | null {
  return /^\d{6}$/.test(code.trim()) ? null : texts.codeWrong;
}

export function TotpCard({ isOn }: { isOn: boolean }) {
  const [setup, setSetup] = useState<TotpSetupAnswer['totp']>();
  const [isTurningOff, { open, close }] = useDisclosure();
  const begin = useAction({ run: setUpTotp, onDone: setSetup });
  return (
    <Card component="section" aria-label={texts.totpTitle}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {texts.totpTitle}
        </Title>
        <Badge variant="light" color={isOn ? 'teal' : 'gray'} tt="none">
          {isOn ? texts.on : texts.off}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {isOn ? texts.totpOnText : texts.totpOffText}
      </Text>
      {isOn ? (
        <Button variant="default" w="fit-content" onClick={open}>
          {texts.turnOff}
        </Button>
      ) : (
        <Button w="fit-content" loading={begin.isPending} onClick={() => begin.mutate()}>
          {texts.setUp}
        </Button>
      )}
      <SetUpForm setup={setup} onClose={() => setSetup(undefined)} />
      <TurnOffForm isOpen={isTurningOff} onClose={close} />
    </Card>
  );
}

function SetUpForm({ setup, onClose }: { setup: TotpSetupAnswer['totp'] | undefined; onClose: () => void }) {
  const confirm = useSessionChange(confirmTotp);
  const form = useForm({ initialValues: { code: '' }, validate: { code: codeProblem } });
  return (
    <FormModal
      title={texts.setUpTitle}
      isOpen={setup !== undefined}
      onClose={onClose}
      form={form}
      run={({ code }) => confirm.mutateAsync({ code: code.trim() })}
      success={texts.totpOn}
      submitLabel={texts.confirm}
    >
      <Text size="sm">{texts.scan}</Text>
      {setup && <TotpSecret {...setup} />}
      <CodeInput {...form.getInputProps('code')} />
    </FormModal>
  );
}

function TurnOffForm({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const turnOff = useSessionChange(turnTotpOff);
  const form = useForm({
    initialValues: { currentPassword: '', code: '' },
    validate: { currentPassword: text => (text === '' ? texts.currentNeeded : null), code: codeProblem },
  });
  return (
    <FormModal
      title={texts.turnOffTitle}
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={({ currentPassword, code }) => turnOff.mutateAsync({ currentPassword, code: code.trim() })}
      success={texts.totpOff}
      submitLabel={texts.turnOff}
    >
      <PasswordInput
        label={texts.currentPassword}
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('currentPassword')}
      />
      <CodeInput {...form.getInputProps('code')} />
    </FormModal>
  );
}

function CodeInput(inputProps: object) {
  return (
    <TextInput label={texts.code} inputMode="numeric" autoComplete="one-time-code" maxLength={6} {...inputProps} />
  );
}
