import { Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconBan, IconRefresh, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useParams } from 'wouter';
import { shownKey, webhooks, type Webhook } from '../../api/resource.js';
import { useAction } from '../../parts/actions.js';
import { ConfirmButton, CopyButton } from '../../parts/buttons.js';
import { numberText } from '../../parts/formats.js';
import { FormModal } from '../../parts/forms.js';
import { BackLink, LoadFailure, Page, Waiting } from '../../parts/page.js';
import { OnceShownSecret } from '../../parts/secrets.js';
import { environmentNames, OutlineBadge, Time } from '../../parts/values.js';
import { Deliveries } from './deliveries.js';
import { ReplayButton } from './replay.js';
import { secretOf, WebhookNotice, WebhookState } from './webhook-state.js';
import { rotateSecret, sendTest, setEnabled, type IssuedWebhook } from './webhooks-api.js';

/** No event announces deliveries. */
const refetchMs = 5_000;

export default function WebhookPage() {
  const { webhookID } = useParams<{ webhookID: string }>();
  const { data, error, refetch } = useQuery({
    queryKey: shownKey('webhook', 'page', webhookID),
    queryFn: ({ signal }) => webhooks.find(webhookID, signal),
    refetchInterval: refetchMs,
  });
  if (data) return <LoadedWebhook webhook={data} />;
  return (
    <Page title="Webhook">
      {error ? <LoadFailure error={error} onRetry={() => void refetch()} /> : <Waiting h={320} />}
    </Page>
  );
}

function LoadedWebhook({ webhook }: { webhook: Webhook }) {
  const { webhookID, url, description } = webhook;
  const [shown, setShown] = useState<string>();
  const test = useAction({
    run: () => sendTest(webhookID),
    changes: ['webhook'],
    onDone: ({ deliveryID }) => setShown(deliveryID),
  });
  return (
    <Page
      title={description ?? new URL(url).host}
      description={<Summary webhook={webhook} />}
      actions={
        <Group gap="xs">
          <Button
            leftSection={<IconSend size={16} aria-hidden />}
            loading={test.isPending}
            onClick={() => test.mutate()}
          >
            Send test event
          </Button>
          <RotateSecretButton webhook={webhook} />
          {webhook.state === 'enabled' && <DisableButton webhook={webhook} />}
        </Group>
      }
    >
      <WebhookNotice webhook={webhook} />
      <Facts webhook={webhook} />
      <Deliveries
        webhookID={webhookID}
        shown={shown}
        onShow={setShown}
        actions={<ReplayButton webhookID={webhookID} />}
        refetchMs={refetchMs}
      />
    </Page>
  );
}

function Summary({ webhook }: { webhook: Webhook }) {
  const { webhookID, url, keyType } = webhook;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <WebhookState webhook={webhook} />
        <OutlineBadge>{environmentNames[keyType]}</OutlineBadge>
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {url}
      </Text>
      <Group gap={4}>
        <Text size="sm" ff="monospace">
          {webhookID}
        </Text>
        <CopyButton value={webhookID} what="Webhook ID" />
        <BackLink href="/webhooks" label="Webhooks" />
      </Group>
    </Stack>
  );
}

function Facts({ webhook }: { webhook: Webhook }) {
  const { eventTypes, lastDeliveredAt, pendingDeliveries, previousSecretUntil } = webhook;
  return (
    <SimpleGrid component="section" aria-label="Facts" cols={{ base: 2, md: 4 }}>
      <Fact label="Event types">{eventTypes.length === 0 ? 'All' : eventTypes.join(', ')}</Fact>
      <Fact label="Last success">
        <Time value={lastDeliveredAt} />
      </Fact>
      <Fact label="Waiting deliveries">{numberText(pendingDeliveries)}</Fact>
      <Fact label="Former secret">
        {previousSecretUntil === null ? (
          'None'
        ) : (
          <>
            Signs until <Time value={previousSecretUntil} />
          </>
        )}
      </Fact>
    </SimpleGrid>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Card padding="md">
      <Text size="sm" c="dimmed" fw={500}>
        {label}
      </Text>
      <Text component="div" size="sm" fw={600} mt="xs" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Card>
  );
}

function RotateSecretButton({ webhook: { webhookID } }: { webhook: Webhook }) {
  const [isOpen, setIsOpen] = useState(false);
  const [issued, setIssued] = useState<IssuedWebhook>();
  const form = useForm({ initialValues: {} });
  return (
    <>
      <Button variant="light" leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
        Rotate secret
      </Button>
      <FormModal
        title="Rotate the secret"
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        form={form}
        run={() => rotateSecret(webhookID)}
        onDone={setIssued}
        changes={['webhook']}
        submitLabel="Rotate"
      >
        <Text size="sm">
          You get a new secret at once. For 24 hours each request has two signatures, of the new and of the former
          secret.
        </Text>
      </FormModal>
      <OnceShownSecret title="The new secret" parts={issued && secretOf(issued)} onClose={() => setIssued(undefined)} />
    </>
  );
}

function DisableButton({ webhook }: { webhook: Webhook }) {
  return (
    <ConfirmButton
      label="Disable"
      icon={IconBan}
      withLabel
      title="Disable this webhook?"
      text="The service sends nothing to it until you enable it. Events wait in the log."
      confirmLabel="Disable"
      run={() => setEnabled(webhook, false)}
      success="The webhook was disabled."
      changes={['webhook']}
    />
  );
}
