import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { frameTexts } from '../texts/frame.js';

/** What may be told of any error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : frameTexts.somethingFailed;
}

export function showFailure(error: unknown): void {
  notifications.show({
    color: 'red',
    title: frameTexts.failed,
    message: messageOf(error),
    icon: <IconAlertTriangle size={18} aria-hidden />,
    autoClose: 8_000,
  });
}

export function showSuccess(message: string): void {
  notifications.show({ color: 'teal', message, icon: <IconCheck size={18} aria-hidden /> });
}
