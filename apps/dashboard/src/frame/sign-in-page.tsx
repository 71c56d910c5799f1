import { Alert, Button, Card, Center, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SignInRequest } from '@rtms/contracts';
import { useEffect, useRef, useState } from 'react';
import { ApiError, hasReason } from '../api/api-error.js';
import { useSignIn } from '../api/session.js';
import { usePageTitle } from '../parts/page.js';
import { messageOf } from '../parts/toasts.js';
import { frameTexts } from '../texts/frame.js';
import { ColorSchemeMenu } from './color-scheme-menu.js';
import { Brand } from './brand.js';

export function SignInPage() {
  usePageTitle(frameTexts.signIn);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={400}>
        <Group justify="space-between">
          <Brand />
          <ColorSchemeMenu />
        </Group>
        <Card shadow="sm" radius="lg" p="xl">
          <Title order={1} size="h3" mb="lg">
            {frameTexts.signInTitle}
          </Title>
          <SignInForm />
        </Card>
      </Stack>
    </Center>
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
