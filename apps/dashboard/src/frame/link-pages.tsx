import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { passwordCharacters } from '@rtms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { dashboardRequest } from '../api/request.js';
import { forgetSession } from '../api/session.js';
import { FormFailure } from '../parts/forms.js';
import { SignedOutPage } from './signed-out-page.js';

/** The pages of links with which somebody without a session chooses a password. */
const linkPages = {
  '/reset-password': {
    title: 'Choose a new password',
    request: '/password-reset',
    label: 'New password',
    description: '12 to 256 characters. All your sessions end.',
    submit: 'Set password',
    done: 'Your new password is set. Sign in with it now.',
  },
  '/invitation': {
    title: 'Join the team',
    request: '/invitations/accept',
    label: 'Password',
    description: '12 to 256 characters. You sign in with it and the email address of the invitation.',
    submit: 'Join',
    done: 'You are a user of the account now. Sign in with your email address and this password.',
  },
} as const;

/** The fragment of the link is the token. */
export default function LinkPage() {
  const [path, navigate] = useLocation();
  const { title, request, label, description, submit, done } =
    linkPages[path === '/invitation' ? path : '/reset-password'];
  const token = window.location.hash.slice(1);
  const client = useQueryClient();
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: (newPassword: string) => dashboardRequest('POST', request, { body: { token, newPassword } }),
    // A reset ended every session of the user. After an invitation the browser may still show another user.
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
    <SignedOutPage title={title}>
      {isSuccess ? (
        <Stack>
          <Text role="status">{done}</Text>
          <Button onClick={() => navigate('/', { replace: true })}>Go to sign-in</Button>
        </Stack>
      ) : (
        <form onSubmit={form.onSubmit(({ newPassword }) => mutate(newPassword))} noValidate>
          <Stack>
            <FormFailure error={error} />
            <PasswordInput
              {...form.getInputProps('newPassword')}
              key={form.key('newPassword')}
              label={label}
              description={description}
              autoComplete="new-password"
              autoFocus
            />
            <Button type="submit" loading={isPending} fullWidth mt="xs">
              {submit}
            </Button>
          </Stack>
        </form>
      )}
    </SignedOutPage>
  );
}
