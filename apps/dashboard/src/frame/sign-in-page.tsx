import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { hasReason } from '../api/request.js';
import { useSignIn } from '../api/session.js';
import { FormFailure, needed } from '../parts/forms.js';
import { SignedOutPage } from './signed-out-page.js';

export function SignInPage() {
  return (
    <SignedOutPage title="Sign in to the dashboard">
      <SignInForm />
    </SignedOutPage>
  );
}

function SignInForm() {
  const signIn = useSignIn();
  /** After the first request for a code, the field stays. */
  const [needsCode, setNeedsCode] = useState(false);
  const codeField = useRef<HTMLInputElement>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '', code: '' },
    validate: { email: needed('Enter your email.'), password: needed('Enter your password.') },
  });
  useEffect(() => {
    if (needsCode) codeField.current?.focus();
  }, [needsCode]);
  const submit = form.onSubmit(({ email, password, code }) =>
    signIn.mutate(
      { email, password, ...(code !== '' && { code: code.trim() }) },
      {
        onError: error => setNeedsCode(before => before || hasReason(error, 'second_factor_required')),
      },
    ),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <SignInFailure error={signIn.error} />
        <TextInput
          {...form.getInputProps('email')}
          key={form.key('email')}
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus
        />
        <PasswordInput
          {...form.getInputProps('password')}
          key={form.key('password')}
          label="Password"
          autoComplete="current-password"
        />
        {needsCode && (
          <TextInput
            {...form.getInputProps('code')}
            key={form.key('code')}
            ref={codeField}
            label="Code"
            description="Six digits from your authenticator app, or a recovery code."
            autoComplete="one-time-code"
            maxLength={11}
          />
        )}
        <Button type="submit" loading={signIn.isPending} fullWidth mt="xs">
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function SignInFailure({ error }: { error: unknown }) {
  if (hasReason(error, 'second_factor_required'))
    return <Text size="sm">Enter the six digits that your authenticator app shows now.</Text>;
  return <FormFailure error={error} />;
}
