import { Button, Select, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { shownKey } from '../../api/resource.js';
import { timeText } from '../../parts/formats.js';
import { FormModal } from '../../parts/forms.js';
import { listDeliveries, replay, type Delivery } from './webhooks-api.js';

/** The first choice of `until`; the API has no word for the newest event. */
const newest = 'newest';

/** Sends a range of the event log again. */
export function ReplayButton({ webhookID }: { webhookID: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { data: known = [] } = useQuery({
    queryKey: shownKey('webhook', 'deliveries', webhookID, 'newest'),
    queryFn: async ({ signal }) => (await listDeliveries(webhookID, { pageSize: 100 }, signal)).deliveries,
    enabled: isOpen,
  });
  const form = useForm({ initialValues: { after: 'oldest', until: newest } });
  return (
    <>
      <Button variant="light" leftSection={<IconRepeat size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
        Send events again
      </Button>
      <FormModal
        title="Send events again"
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        form={form}
        run={({ after, until }) => replay(webhookID, after, until === newest ? null : until)}
        success="The events are being sent again."
        changes={['webhook']}
        submitLabel="Send again"
      >
        <Text size="sm">
          The service sends a range of the event log once more, with the types of this webhook. Your server recognizes a
          repeated event by its Webhook-Id.
        </Text>
        <Select
          label="Events after"
          data-autofocus
          data={[{ value: 'oldest', label: 'The beginning of the log' }, ...choicesFrom(known)]}
          allowDeselect={false}
          {...form.getInputProps('after')}
        />
        <Select
          label="Up to and including"
          data={[{ value: newest, label: 'The newest event' }, ...choicesFrom(known)]}
          allowDeselect={false}
          {...form.getInputProps('until')}
        />
      </FormModal>
    </>
  );
}

/** The events of the newest deliveries. An event has several deliveries once it was sent again. */
function choicesFrom(deliveries: readonly Delivery[]) {
  const times = new Map<string, string>();
  for (const { cursor, type, createdAt } of deliveries)
    if (cursor !== null) times.set(cursor, `${type}, ${timeText(createdAt, 'seconds')}`);
  return [...times].map(([value, label]) => ({ value, label }));
}
