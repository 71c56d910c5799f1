import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import type { SessionAnswer } from '@rtms/contracts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { dashboardRequest, setConfirmer } from '../api/request.js';
import { FormFailure } from '../parts/forms.js';

/** Returns `settle`, which ends the waiting of all requests; undefined if no request waits. */
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

/** Asks for the password when the gateway requires it again. The waiting requests then continue. */
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
    <Modal opened={settle !== undefined} onClose={() => finish(false)} title="Confirm your password" zIndex={300}>
      <form
        onSubmit={event => {
          event.preventDefault();
          mutate(password, { onSuccess: () => finish(true) });
        }}
      >
        <Stack>
          <Text size="sm">
            You entered your password more than ten minutes ago. New keys and passwords need it again.
          </Text>
          <FormFailure error={error} />
          <PasswordInput
            label="Password"
            value={password}
            onChange={event => setPassword(event.currentTarget.value)}
            autoComplete="current-password"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => finish(false)}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending} disabled={password === ''}>
              Confirm
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
