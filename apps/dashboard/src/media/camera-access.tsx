import { Alert, Anchor } from '@mantine/core';
import { Link } from 'wouter';

/** Browsers give devices to secure pages alone (Media Capture and Streams, 10.2). */
export function mayUseCamera(): boolean {
  return 'mediaDevices' in navigator;
}

/** On a page that may not use the camera: the reason, and the way to change it. */
export function CameraNeedsHttps() {
  if (mayUseCamera()) return null;
  return (
    <Alert color="yellow" role="note">
      The camera needs HTTPS or localhost.{' '}
      <Anchor component={Link} href="/help/https" underline="always" inherit>
        Steps to HTTPS
      </Anchor>
    </Alert>
  );
}
