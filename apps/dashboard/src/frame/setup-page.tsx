import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { passwordCharacters } from '@rtms/contracts';
import { useLocation } from 'wouter';
import { useSetUp } from '../api/session.js';
import { FormFailure, needed } from '../parts/forms.js';
import { SignedOutPage } from './signed-out-page.js';

/** Creates the first administrator. The fragment of the set-up link is the code; without it, the page asks for the code. */
export default function SetupPage() {
  const linkCode = window.location.hash.slice(1);
  const [, navigate] = useLocation();
  const setUp = useSetUp();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { code: linkCode, email: '', newPassword: '' },
    validate: {
      code: needed('Enter the set-up code.'),
      email: needed('Enter your email.'),
      newPassword: ({ length }) =>
        length < passwordCharacters.min || length > passwordCharacters.max ? 'Enter 12 to 256 characters.' : null,
    },
  });
  const submit = form.onSubmit(({ code, ...user }) =>
    setUp.mutate(
      // People paste the whole link too.
      { code: code.slice(code.indexOf('#') + 1).trim(), ...user },
      { onSuccess: () => navigate('/', { replace: true }) },
    ),
  );
  return (
    <SignedOutPage title="Create the administrator">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormFailure error={setUp.error} />
          {linkCode === '' && (
            <>
              <WayToCode />
              <TextInput
                {...form.getInputProps('code')}
                key={form.key('code')}
                label="Set-up code"
                description="The characters after the # of the link."
                autoComplete="off"
              />
            </>
          )}
          <TextInput
            {...form.getInputProps('email')}
            key={form.key('email')}
            label="Email"
            type="email"
            autoComplete="username"
            autoFocus
          />
          <PasswordInput
            {...form.getInputProps('newPassword')}
            key={form.key('newPassword')}
            label="Password"
            description="12 to 256 characters."
            autoComplete="new-password"
          />
          <Button type="submit" loading={setUp.isPending} fullWidth mt="xs">
            Create administrator
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  );
}

function WayToCode() {
  return (
    <Text size="sm">
      There is no administrator yet. Run <code>rtms-admin setup-link</code> on the server (beside npm start:{' '}
      <code>npx rtms status</code>) and open the link, or enter its code here.
    </Text>
  );
}
