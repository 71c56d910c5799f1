import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPlay, IconWebhookOff } from '@tabler/icons-react';
import type { Webhook } from '../../api/resource.js';
import { useAction } from '../../parts/actions.js';
import type { SecretPart } from '../../parts/secrets.js';
import { StateBadge, Time } from '../../parts/values.js';
import { setEnabled, type IssuedWebhook } from './webhooks-api.js';

/** The API has no state `failing`: the webhook is enabled, and its last delivery failed. */
export function WebhookState({ webhook: { state, failingSince } }: { webhook: Webhook }) {
  if (state === 'disabled') return <StateBadge state="disabled" label="Disabled" />;
  if (failingSince !== null) return <StateBadge state="failed" label="Failing" />;
  return <StateBadge state="enabled" label="Enabled" />;
}

export function secretOf({ secret }: IssuedWebhook): readonly SecretPart[] {
  return [{ label: 'Secret', value: secret }];
}

const reasons = {
  requested: 'A user or a key disabled it.',
  failing: 'No delivery succeeded for three days, so the service disabled it.',
  gone: 'The address answered 410 Gone, so the service disabled it.',
} as const;

/** Says that nothing arrives, why, and what the user can do. */
export function WebhookNotice({ webhook }: { webhook: Webhook }) {
  const { state, disabledReason, disabledAt, failingSince } = webhook;
  const enable = useAction({
    run: () => setEnabled(webhook, true),
    success: 'The webhook was enabled.',
    changes: ['webhook'],
  });
  if (state === 'disabled')
    return (
      <Alert color="orange" role="status" title="This webhook is disabled" icon={<IconWebhookOff aria-hidden />}>
        <Text size="sm" mb="sm">
          {reasons[disabledReason ?? 'requested']}{' '}
          {disabledAt !== null && (
            <>
              It has received no events since <Time value={disabledAt} />.
            </>
          )}{' '}
          Events wait in the log. After you enable the webhook, it continues where it stopped.
        </Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={enable.isPending}
          onClick={() => enable.mutate()}
        >
          Enable
        </Button>
      </Alert>
    );
  if (failingSince === null) return null;
  return (
    <Alert color="yellow" role="status" title="Deliveries fail" icon={<IconAlertTriangle aria-hidden />}>
      Deliveries have failed since <Time value={failingSince} />. The service tries each delivery again for 24 hours,
      and disables the webhook after three days without a success.
    </Alert>
  );
}
