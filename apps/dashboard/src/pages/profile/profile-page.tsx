import { Button, Card, Grid, Group, PasswordInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { passwordCharacters } from '@rtms/contracts';
import { useSessionChange, useSignedIn } from '../../api/session.js';
import { showSuccess } from '../../parts/actions.js';
import { FormFailure, needed } from '../../parts/forms.js';
import { Page, Section } from '../../parts/page.js';
import { roleNames, Time } from '../../parts/values.js';
import { changePassword } from './profile-api.js';
import { SecondFactor } from './second-factor.js';

export default function ProfilePage() {
  return (
    <Page title="Profile and security" description="Your user, your password and your second factor.">
      <Identity />
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Password">
            <PasswordForm />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Second factor">
            <SecondFactor />
          </Section>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Identity() {
  const { user, account, expiresAt } = useSignedIn();
  const facts = [
    { label: 'Email', value: user.email },
    ...(account ? [{ label: 'Account', value: account.name }] : []),
    { label: 'Role', value: roleNames[user.role] },
    { label: 'Signed in until', value: <Time value={expiresAt} /> },
  ];
  return (
    <Card>
      <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2, md: 4 }}>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <Text component="dd" m={0} fw={500} truncate>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Card>
  );
}

const blank = { currentPassword: '', newPassword: '', repeated: '' };

const rules = {
  currentPassword: needed('Enter your current password.'),
  newPassword: ({ length }: string) =>
    length >= passwordCharacters.min && length <= passwordCharacters.max ? null : 'Enter 12 to 256 characters.',
  repeated: (repeated: string, { newPassword }: typeof blank) =>
    repeated === newPassword ? null : 'The two new passwords differ.',
};

function PasswordForm() {
  const form = useForm({ initialValues: blank, validate: rules });
  const { user } = useSignedIn();
  const { mutate, reset, error, isPending } = useSessionChange(changePassword);
  const send = ({ currentPassword, newPassword }: typeof blank) =>
    mutate(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          form.reset();
          // The page keeps no password.
          reset();
          showSuccess('The password was changed. Other sessions were ended.');
        },
      },
    );
  return (
    <Card>
      <form onSubmit={form.onSubmit(send)} noValidate>
        <Stack>
          <Text size="sm" c="dimmed">
            A new password ends all your other sessions.
          </Text>
          <FormFailure error={error} />
          {/* Password managers need the user's name. */}
          <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label="New password"
            description="12 to 256 characters."
            autoComplete="new-password"
            maxLength={passwordCharacters.max}
            {...form.getInputProps('newPassword')}
          />
          <PasswordInput
            label="New password again"
            autoComplete="new-password"
            maxLength={passwordCharacters.max}
            {...form.getInputProps('repeated')}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
