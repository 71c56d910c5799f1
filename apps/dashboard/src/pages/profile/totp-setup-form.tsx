import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { lazy, Suspense } from 'react';
import { useSessionChange } from '../../api/session.js';
import { CopyButton } from '../../parts/copy-button.js';
import { FormModal } from '../../parts/form-modal.js';
import { monospace } from '../../parts/monospace.js';
import { Waiting } from '../../parts/waiting.js';
import { profileTexts as texts } from '../../texts/profile.js';
import { AppCodeInput, appCodeProblem } from './code-input.js';
import { confirmTotp, type TotpSetup } from './profile-api.js';

const QrCode = lazy(() => import('./qr-code.js'));

interface TotpSetupFormProps {
  /** Nothing: the form is closed. */
  setup: TotpSetup | undefined;
  onClose: () => void;
  onCodes: (codes: readonly string[]) => void;
}

export function TotpSetupForm({ setup, onClose, onCodes }: TotpSetupFormProps) {
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: appCodeProblem },
  });
  const { mutateAsync } = useSessionChange(confirmTotp);
  return (
    <FormModal
      title={texts.secondFactor}
      isOpen={setup !== undefined}
      onClose={onClose}
      form={form}
      run={({ code }) => mutateAsync(code.trim())}
      success={texts.switchedOn}
      onDone={({ recoveryCodes }) => onCodes(recoveryCodes)}
      changes={['secondFactor']}
      submitLabel={texts.confirm}
    >
      <Text size="sm">{texts.scan}</Text>
      <Suspense fallback={<Waiting h={220} w={220} mx="auto" />}>
        {setup && <QrCode text={setup.uri} label={texts.qrCode} />}
      </Suspense>
      <TextInput
        label={texts.secret}
        value={setup?.secret ?? ''}
        readOnly
        styles={monospace}
        rightSection={<CopyButton value={setup?.secret ?? ''} what={texts.secret} />}
      />
      <AppCodeInput data-autofocus {...form.getInputProps('code')} />
    </FormModal>
  );
}
