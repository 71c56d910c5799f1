import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { passwordCharacters } from '@rtms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { dashboardRequest } from '../api/request.js';
import { forgetSession } from '../api/session.js';
import { messageOf } from '../parts/toasts.js';
import { frameTexts } from '../texts/frame.js';
import { SignedOutPage } from './signed-out-page.js';

const texts = frameTexts.resetPassword;

/** Opened by a link of an administrator, whose fragment is the token. */
export function ResetPasswordPage() {
  const token = window.location.hash.slice(1);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: (newPassword: string) => dashboardRequest('POST', '/password-reset', { body: { token, newPassword } }),
    // Every session of the user has ended.
    onSuccess: () => forgetSession(client),
    meta: { quiet: true },
  });
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { newPassword: '' },
    validate: {
      newPassword: ({ length }) =>
        length < passwordCharacters.min || length > passwordCharacters.max ? texts.passwordWrong : null,
    },
  });
  return (
    <SignedOutPage title={texts.title}>
      {isSuccess ? (
        <Stack>
          <Text role="status">{texts.done}</Text>
          <Button onClick={() => navigate('/', { replace: true })}>{texts.toSignIn}</Button>
        </Stack>
      ) : (
        <form onSubmit={form.onSubmit(({ newPassword }) => mutate(newPassword))} noValidate>
          <Stack>
            {error && (
              <Alert color="red" role="alert">
                {messageOf(error)}
              </Alert>
            )}
            <PasswordInput
              {...form.getInputProps('newPassword')}
              key={form.key('newPassword')}
              label={texts.newPassword}
              description={texts.passwordHint}
              autoComplete="new-password"
              autoFocus
            />
            <Button type="submit" loading={isPending} fullWidth mt="xs">
              {texts.set}
            </Button>
          </Stack>
        </form>
      )}
    </SignedOutPage>
  );
}
