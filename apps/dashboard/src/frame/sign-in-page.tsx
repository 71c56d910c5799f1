import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SignInRequest } from '@rtms/contracts';
import { useEffect, useRef, useState } from 'react';
import { ApiError, hasReason } from '../api/api-error.js';
import { useSignIn } from '../api/session.js';
import { messageOf } from '../parts/toasts.js';
import { frameTexts } from '../texts/frame.js';
import { SignedOutPage } from './signed-out-page.js';

export function SignInPage() {
  return (
    <SignedOutPage title={frameTexts.signInTitle}>
      <SignInForm />
    </SignedOutPage>
  );
}

const fieldNames = { email: frameTexts.email, password: frameTexts.password } as const;

function isNeeded(name: keyof typeof fieldNames) {
  return (value: string) => (value === '' ? frameTexts.needed(fieldNames[name]) : null);
}

function SignInForm() {
  const signIn = useSignIn();
  /** Once a code was asked for, the field stays. */
  const [needsCode, setNeedsCode] = useState(false);
  const codeField = useRef<HTMLInputElement>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '', code: '' },
    validate: { email: isNeeded('email'), password: isNeeded('password') },
  });
  useEffect(() => {
    if (needsCode) codeField.current?.focus();
  }, [needsCode]);
  const submit = form.onSubmit(({ email, password, code }) =>
    signIn.mutate(requestOf(email, password, code), {
      onError: error => setNeedsCode(needed => needed || hasReason(error, 'second_factor_required')),
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <SignInFailure error={signIn.error} />
        <TextInput
          {...form.getInputProps('email')}
          key={form.key('email')}
          label={fieldNames.email}
          type="email"
          autoComplete="username"
          autoFocus
        />
        <PasswordInput
          {...form.getInputProps('password')}
          key={form.key('password')}
          label={fieldNames.password}
          autoComplete="current-password"
        />
        {needsCode && (
          <TextInput
            {...form.getInputProps('code')}
            key={form.key('code')}
            ref={codeField}
            label={frameTexts.code}
            description={frameTexts.codeHint}
            autoComplete="one-time-code"
            maxLength={11}
          />
        )}
        <Button type="submit" loading={signIn.isPending} fullWidth mt="xs">
          {frameTexts.signIn}
        </Button>
      </Stack>
    </form>
  );
}

function requestOf(email: string, password: string, code: string): SignInRequest {
  return { email, password, ...(code !== '' && { code: code.trim() }) };
}

function SignInFailure({ error }: { error: unknown }) {
  if (!error) return null;
  if (hasReason(error, 'second_factor_required')) return <Text size="sm">{frameTexts.codeNeeded}</Text>;
  const wait = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return (
    <Alert color="red" role="alert">
      {wait === undefined ? messageOf(error) : frameTexts.tooManyTries(wait)}
    </Alert>
  );
}
