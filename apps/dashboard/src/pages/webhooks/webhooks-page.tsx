import { Anchor, TagsInput, Text, TextInput, Tooltip } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { webhooks, type AccountEvent, type Webhook } from '../../api/resource.js';
import { EditableList, type RecordFormProps } from '../../parts/editable-list.js';
import { FormModal } from '../../parts/forms.js';
import { counted, isWebAddress } from '../../parts/formats.js';
import type { Column } from '../../parts/resource-table.js';
import { OnceShownSecret } from '../../parts/secrets.js';
import { environmentNames, Time, TwoLines } from '../../parts/values.js';
import { addWebhook, type IssuedWebhook } from './webhooks-api.js';
import { secretOf, WebhookState } from './webhook-state.js';

const columns: readonly Column<Webhook>[] = [
  {
    header: 'URL',
    cell: ({ webhookID, url, description }) => (
      <TwoLines
        first={
          <Anchor component={Link} href={`/webhooks/${webhookID}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Anchor>
        }
        second={description}
      />
    ),
  },
  { header: 'State', cell: webhook => <WebhookState webhook={webhook} /> },
  { header: 'Events', cell: ({ eventTypes }) => <EventTypes types={eventTypes} />, visibleFrom: 'md' },
  { header: 'Environment', cell: ({ keyType }) => environmentNames[keyType], visibleFrom: 'lg' },
  { header: 'Last success', cell: ({ lastDeliveredAt }) => <Time value={lastDeliveredAt} />, visibleFrom: 'sm' },
];

function EventTypes({ types }: { types: readonly string[] }) {
  if (types.length === 0) return 'All';
  return (
    <Tooltip label={types.join(', ')} multiline maw={320}>
      <Text size="sm" tabIndex={0} w="fit-content">
        {types.length === 1 ? types[0] : counted(types.length, 'type')}
      </Text>
    </Tooltip>
  );
}

export default function WebhooksPage() {
  const [issued, setIssued] = useState<IssuedWebhook>();
  return (
    <>
      <EditableList
        title="Webhooks"
        description="The service sends the events of this account to these addresses, each signed with the secret of its webhook."
        icon={IconWebhook}
        noun="webhook"
        resource={webhooks}
        columns={columns}
        nameOf={({ url }) => url}
        deleteText={url => `${url} gets no more events, and the log of its deliveries is no longer shown.`}
        emptyTitle="No webhooks yet"
        emptyText="Add the address of your server. The service sends it an event for each change of a room, of media or of a recording."
        form={props => <WebhookForm {...props} onIssued={setIssued} />}
      />
      <OnceShownSecret
        title="The secret of the webhook"
        parts={issued && secretOf(issued)}
        onClose={() => setIssued(undefined)}
      />
    </>
  );
}

type FamilyOf<Type> = Type extends `${infer Family}.${string}` ? Family : never;

/** Suggestions; the field takes single types as well. */
const families: Readonly<Record<FamilyOf<AccountEvent['type']>, true>> = {
  ...{ room: true, external_session: true, track: true, participant: true, playback: true, broadcast: true },
  ...{ recording: true, balance: true, key: true, domain: true, sub_user: true, settings: true, ai_credential: true },
  ...{ agent: true, sip_config: true, translation_config: true, webhook: true, restream: true },
};

function urlProblem(url: string): string | null {
  return isWebAddress(url.trim()) ? null : 'Enter an address that begins with https:// (or http:// in development).';
}

interface Values {
  url: string;
  description: string;
  eventTypes: string[];
}

function save(
  webhook: Webhook | undefined,
  { url, description, eventTypes }: Values,
): Promise<Webhook | IssuedWebhook> {
  const fields = { url: url.trim(), description: description.trim() || null, eventTypes };
  return webhook ? webhooks.update(webhook, fields) : addWebhook(fields);
}

interface WebhookFormProps extends RecordFormProps<Webhook> {
  onIssued: (webhook: IssuedWebhook) => void;
}

function WebhookForm({ record, modal, onIssued }: WebhookFormProps) {
  const form = useForm<Values>({
    initialValues: {
      url: record?.url ?? '',
      description: record?.description ?? '',
      eventTypes: record?.eventTypes ?? [],
    },
    validate: { url: urlProblem },
  });
  return (
    <FormModal
      {...modal}
      size="lg"
      form={form}
      run={values => save(record, values)}
      onDone={answer => 'secret' in answer && onIssued(answer)}
    >
      <TextInput
        label="URL"
        type="url"
        description="A public https address. The service sends POST requests to it."
        data-autofocus
        maxLength={2048}
        {...form.getInputProps('url')}
      />
      <TextInput
        label="Description"
        description="Optional. For people only."
        maxLength={256}
        {...form.getInputProps('description')}
      />
      <TagsInput
        label="Event types"
        description="Such as room.* for all events of rooms, or room.ended. Press Enter after each. Empty: all types."
        data={Object.keys(families).map(family => `${family}.*`)}
        // It stays open after each choice. Below the field it would cover the button that saves.
        comboboxProps={{ position: 'top' }}
        {...form.getInputProps('eventTypes')}
      />
    </FormModal>
  );
}
