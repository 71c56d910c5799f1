import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { passwordCharacters } from '@rtms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { dashboardRequest } from '../api/request.js';
import { forgetSession } from '../api/session.js';
import { FormFailure } from '../parts/forms.js';
import { SignedOutPage } from './signed-out-page.js';

/** The page of a reset link. The fragment of the link is the token. */
export function ResetPasswordPage() {
  const token = window.location.hash.slice(1);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: (newPassword: string) => dashboardRequest('POST', '/password-reset', { body: { token, newPassword } }),
    // The gateway ended every session of the user.
    onSuccess: () => forgetSession(client),
    meta: { quiet: true },
  });
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { newPassword: '' },
    validate: {
      newPassword: ({ length }) =>
        length < passwordCharacters.min || length > passwordCharacters.max ? 'Enter 12 to 256 characters.' : null,
    },
  });
  return (
    <SignedOutPage title="Choose a new password">
      {isSuccess ? (
        <Stack>
          <Text role="status">Your new password is set. Sign in with it now.</Text>
          <Button onClick={() => navigate('/', { replace: true })}>Go to sign-in</Button>
        </Stack>
      ) : (
        <form onSubmit={form.onSubmit(({ newPassword }) => mutate(newPassword))} noValidate>
          <Stack>
            <FormFailure error={error} />
            <PasswordInput
              {...form.getInputProps('newPassword')}
              key={form.key('newPassword')}
              label="New password"
              description="12 to 256 characters. All your sessions end."
              autoComplete="new-password"
              autoFocus
            />
            <Button type="submit" loading={isPending} fullWidth mt="xs">
              Set password
            </Button>
          </Stack>
        </form>
      )}
    </SignedOutPage>
  );
}
