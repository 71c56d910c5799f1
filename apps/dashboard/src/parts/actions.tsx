import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { messageOf } from './messages.js';
import type { ShownKind } from '../api/resource.js';

export function showFailure(error: unknown): void {
  notifications.show({
    color: 'red',
    title: 'That did not work',
    message: messageOf(error),
    icon: <IconAlertTriangle size={18} aria-hidden />,
    autoClose: 8_000,
  });
}

export function showSuccess(message: string): void {
  notifications.show({ color: 'teal', message, icon: <IconCheck size={18} aria-hidden /> });
}

export interface ActionOptions<Fields = void, Answer = unknown> {
  run: (fields: Fields) => Promise<Answer>;
  /** The text of a toast. */
  success?: string | undefined;
  /** Kinds of data to refetch. */
  changes?: readonly ShownKind[];
  onDone?: ((answer: Answer) => void) | undefined;
  /** The caller shows the failure; otherwise a toast does. */
  quiet?: boolean;
}

/** A change that the user makes: shows a toast at its end, refetches the changed data, and forgets its fields and answer. */
export function useAction<Fields = void, Answer = unknown>(options: ActionOptions<Fields, Answer>) {
  const { run, success, changes = [], onDone, quiet = false } = options;
  const client = useQueryClient();
  const action = useMutation({
    mutationFn: run,
    meta: { quiet },
    onSuccess: async answer => {
      if (success !== undefined) showSuccess(success);
      onDone?.(answer);
      await Promise.all(changes.map(kind => client.invalidateQueries({ queryKey: [kind] })));
    },
  });
  const { isSuccess, reset } = action;
  // Fields and answers may hold secrets, and a button outside a dialog stays on the page.
  useEffect(() => {
    if (isSuccess) reset();
  }, [isSuccess, reset]);
  return action;
}
