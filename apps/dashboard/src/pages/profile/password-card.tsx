import { Alert, Button, Card, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSessionChange } from '../../api/session.js';
import { messageOf, showSuccess } from '../../parts/toasts.js';
import { profileTexts as texts } from '../../texts/profile.js';
import { changePassword } from './profile-api.js';

const shortest = 12;
const longest = 256;
const empty = { currentPassword: '', newPassword: '', repeated: '' };

export function PasswordCard() {
  const change = useSessionChange(changePassword);
  const form = useForm({
    initialValues: empty,
    validate: {
      currentPassword: text => (text === '' ? texts.currentNeeded : null),
      newPassword: text => (text.length < shortest || text.length > longest ? texts.lengthWrong : null),
      repeated: (text, { newPassword }) => (text === newPassword ? null : texts.repeatWrong),
    },
  });
  const submit = form.onSubmit(({ currentPassword, newPassword }) =>
    change.mutate(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          form.reset();
          showSuccess(texts.passwordChanged);
        },
      },
    ),
  );
  return (
    <Card component="section" aria-label={texts.passwordTitle}>
      <Title order={2} size="h4">
        {texts.passwordTitle}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {texts.passwordText}
      </Text>
      <form onSubmit={submit} noValidate>
        <Stack>
          {change.error && (
            <Alert color="red" role="alert">
              {messageOf(change.error)}
            </Alert>
          )}
          <PasswordInput
            label={texts.currentPassword}
            autoComplete="current-password"
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label={texts.newPassword}
            description={texts.newPasswordHint}
            autoComplete="new-password"
            {...form.getInputProps('newPassword')}
          />
          <PasswordInput label={texts.repeatPassword} autoComplete="new-password" {...form.getInputProps('repeated')} />
          <Button type="submit" loading={change.isPending} w="fit-content">
            {texts.changePassword}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
