import { Skeleton, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { lazy, Suspense } from 'react';
import { useSessionChange } from '../../api/session.js';
import { CopyButton } from '../../parts/copy-button.js';
import { FormModal } from '../../parts/form-modal.js';
import { profileTexts as texts } from '../../texts/profile.js';
import { confirmTotp, type TotpSetup } from './profile-api.js';

const QrCode = lazy(() => import('./qr-code.js'));

interface TotpSetupFormProps {
  /** Nothing: the form is closed. */
  setup: TotpSetup | undefined;
  onClose: () => void;
}

export function TotpSetupForm({ setup, onClose }: TotpSetupFormProps) {
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: code => (/^\d{6}$/.test(code.trim()) ? null : texts.codeWrong) },
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
      submitLabel={texts.confirm}
    >
      <Text size="sm">{texts.scan}</Text>
      <Suspense fallback={<Skeleton h={220} w={220} mx="auto" />}>
        {setup && <QrCode text={setup.uri} label={texts.qrCode} />}
      </Suspense>
      <TextInput
        label={texts.secret}
        value={setup?.secret ?? ''}
        readOnly
        ff="monospace"
        rightSection={<CopyButton value={setup?.secret ?? ''} what={texts.secret} />}
      />
      <TextInput
        label={texts.code}
        description={texts.codeHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        data-autofocus
        {...form.getInputProps('code')}
      />
    </FormModal>
  );
}
