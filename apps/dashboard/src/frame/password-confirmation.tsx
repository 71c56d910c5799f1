import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import type { SessionAnswer } from '@rtms/contracts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { dashboardRequest, setConfirmer } from '../api/request.js';
import { messageOf } from '../parts/toasts.js';
import { frameTexts } from '../texts/frame.js';

const texts = frameTexts.confirmation;

/** `settle` answers the requests that wait for the password; undefined while none waits. */
function useWaitingRequests() {
  const [settle, setSettle] = useState<(isConfirmed: boolean) => void>();
  useEffect(() => {
    // Requests that are refused while the dialog is open wait for the same answer.
    let asked: Promise<boolean> | undefined;
    setConfirmer(() => {
      asked ??= new Promise<boolean>(resolve => setSettle(() => resolve)).finally(() => {
        asked = undefined;
        setSettle(undefined);
      });
      return asked;
    });
    return () => setConfirmer(undefined);
  }, []);
  return settle;
}

/** Asks for the password when the service wants it again; the requests that need the password then go on. */
export function PasswordConfirmation() {
  const settle = useWaitingRequests();
  const [password, setPassword] = useState('');
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: (currentPassword: string) =>
      dashboardRequest<SessionAnswer>('POST', '/session/confirmation', { body: { currentPassword } }),
    meta: { quiet: true },
  });
  const finish = (isConfirmed: boolean) => {
    settle?.(isConfirmed);
    setPassword('');
    reset();
  };
  return (
    <Modal
      opened={settle !== undefined}
      onClose={() => finish(false)}
      title={texts.title}
      zIndex={300}
      closeButtonProps={{ 'aria-label': frameTexts.close }}
    >
      <form
        onSubmit={event => {
          event.preventDefault();
          mutate(password, { onSuccess: () => finish(true) });
        }}
      >
        <Stack>
          <Text size="sm">{texts.text}</Text>
          {error && (
            <Alert color="red" role="alert">
              {messageOf(error)}
            </Alert>
          )}
          <PasswordInput
            label={texts.password}
            value={password}
            onChange={event => setPassword(event.currentTarget.value)}
            autoComplete="current-password"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => finish(false)}>
              {frameTexts.cancel}
            </Button>
            <Button type="submit" loading={isPending} disabled={password === ''}>
              {texts.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
