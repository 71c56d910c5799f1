import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { BothFactors } from '@rtms/contracts';
import { lazy, Suspense } from 'react';
import { useSessionChange } from '../../api/session.js';
import type { ActionOptions } from '../../parts/actions.js';
import { CopyButton } from '../../parts/buttons.js';
import { FormModal, monospace, needed } from '../../parts/forms.js';
import { loadPart } from '../../parts/messages.js';
import { Waiting } from '../../parts/page.js';
import { confirmTotp, type TotpSetup } from './profile-api.js';

const digits = /^\d{6}$/;
const recoveryCode = /^[a-z\d]{5}[\s-]?[a-z\d]{5}$/i;

function appCodeProblem(code: string): string | null {
  return digits.test(code.trim()) ? null : 'Enter six digits.';
}

function anyCodeProblem(code: string): string | null {
  return digits.test(code.trim()) || recoveryCode.test(code.trim()) ? null : 'Enter six digits, or a recovery code.';
}

interface BothFactorsFormProps<Answer> extends Omit<ActionOptions<BothFactors, Answer>, 'quiet'> {
  title: string;
  text: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for password and code: an unattended browser must not be enough for these changes. */
export function BothFactorsForm<Answer>({ text, run, ...props }: BothFactorsFormProps<Answer>) {
  const form = useForm<BothFactors>({
    initialValues: { currentPassword: '', code: '' },
    validate: { currentPassword: needed('Enter your current password.'), code: anyCodeProblem },
  });
  return (
    <FormModal
      {...props}
      form={form}
      run={({ currentPassword, code }) => run({ currentPassword, code: code.trim() })}
      submitLabel={props.title}
    >
      <Text size="sm">{text}</Text>
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('currentPassword')}
      />
      <TextInput
        label="Code"
        description="The six digits that the app shows now, or a recovery code."
        autoComplete="one-time-code"
        maxLength={11}
        {...form.getInputProps('code')}
      />
    </FormModal>
  );
}

const QrCode = lazy(() => loadPart(import('./qr-code.js')));

interface TotpSetupFormProps {
  /** undefined: the form is closed. */
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
      title="Second factor"
      isOpen={setup !== undefined}
      onClose={onClose}
      form={form}
      run={({ code }) => mutateAsync(code.trim())}
      success="Sign-in needs a code from now on."
      onDone={({ recoveryCodes }) => onCodes(recoveryCodes)}
      changes={['secondFactor']}
      submitLabel="Confirm"
    >
      <Text size="sm">Scan the code with your authenticator app, or type the secret into the app.</Text>
      <Suspense fallback={<Waiting h={220} w={220} mx="auto" />}>
        {setup && <QrCode text={setup.uri} label="QR code of the secret" />}
      </Suspense>
      <TextInput
        label="Secret"
        value={setup?.secret ?? ''}
        readOnly
        styles={monospace}
        rightSection={<CopyButton value={setup?.secret ?? ''} what="Secret" />}
      />
      <TextInput
        label="Code"
        description="The six digits that the app shows now."
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={6}
        data-autofocus
        {...form.getInputProps('code')}
      />
    </FormModal>
  );
}
