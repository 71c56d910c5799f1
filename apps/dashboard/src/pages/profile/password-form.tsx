import { Alert, Button, Card, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { passwordCharacters } from '@rtms/contracts';
import { useSessionChange, useSignedIn } from '../../api/session.js';
import { needed } from '../../parts/field-rules.js';
import { messageOf, showSuccess } from '../../parts/toasts.js';
import { profileTexts as texts } from '../../texts/profile.js';
import { changePassword } from './profile-api.js';

const blank = { currentPassword: '', newPassword: '', repeated: '' };

const rules = {
  currentPassword: needed(texts.currentNeeded),
  newPassword: ({ length }: string) =>
    length >= passwordCharacters.min && length <= passwordCharacters.max ? null : texts.newPasswordWrong,
  repeated: (repeated: string, { newPassword }: typeof blank) => (repeated === newPassword ? null : texts.repeatWrong),
};

export function PasswordForm() {
  const form = useForm({ initialValues: blank, validate: rules });
  const { user } = useSignedIn();
  const { mutate, error, isPending } = useSessionChange(changePassword);
  const send = ({ currentPassword, newPassword }: typeof blank) =>
    mutate(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          form.reset();
          showSuccess(texts.passwordChanged);
        },
      },
    );
  return (
    <Card>
      <form onSubmit={form.onSubmit(send)} noValidate>
        <Stack>
          <Text size="sm" c="dimmed">
            {texts.passwordText}
          </Text>
          {error && (
            <Alert color="red" role="alert">
              {messageOf(error)}
            </Alert>
          )}
          {/* For password managers, which want to know whose it is. */}
          <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
          <PasswordInput
            label={texts.currentPassword}
            autoComplete="current-password"
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label={texts.newPassword}
            description={texts.newPasswordHint}
            autoComplete="new-password"
            maxLength={passwordCharacters.max}
            {...form.getInputProps('newPassword')}
          />
          <PasswordInput
            label={texts.repeatPassword}
            autoComplete="new-password"
            maxLength={passwordCharacters.max}
            {...form.getInputProps('repeated')}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={isPending}>
              {texts.changePassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
