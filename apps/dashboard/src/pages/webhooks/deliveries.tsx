import { Accordion, Anchor, Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { shownKey } from '../../api/resource.js';
import { useAction } from '../../parts/actions.js';
import { useAddressChoice } from '../../parts/address-choice.js';
import { IconButton } from '../../parts/buttons.js';
import { numberText } from '../../parts/formats.js';
import { choicesOf } from '../../parts/forms.js';
import { CopyBlock } from '../../parts/hand-over.js';
import { Loaded, Section } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { OutlineBadge, StateBadge, Time, TwoLines } from '../../parts/values.js';
import { DeliveryPages, findDelivery, resend, type Delivery, type DetailedDelivery } from './webhooks-api.js';

const states = { all: 'All', pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } as const;
type StateFilter = keyof typeof states;
const stateValues = Object.keys(states) as StateFilter[];

/** Colors of `StateBadge`. */
const badges = { pending: 'pending', delivered: 'ready', failed: 'failed' } as const;

const causes = { event: 'Event', replay: 'Range sent again', resend: 'Sent again', test: 'Test' } as const;

const icon = IconSend;
const empty = {
  all: {
    icon,
    title: 'No deliveries yet',
    text: 'A delivery appears here for each event. Send a test event to see one.',
  },
  filtered: { icon, title: 'No such delivery', text: 'Choose another state.' },
};

interface DeliveriesProps {
  webhookID: string;
  /** The delivery in the dialog; undefined: the dialog is closed. */
  shown: string | undefined;
  onShow: (deliveryID: string | undefined) => void;
  actions: ReactNode;
  refetchMs: number;
}

/** The log of the deliveries, and a dialog with the requests of one. */
export function Deliveries({ webhookID, shown, onShow, actions, refetchMs }: DeliveriesProps) {
  const [state, setState] = useAddressChoice<StateFilter>({ name: 'state', values: stateValues, initial: 'all' });
  return (
    <Section title="Deliveries" text="Newest first." actions={actions}>
      <SegmentedControl
        aria-label="State"
        data={choicesOf(states)}
        value={state}
        onChange={setState}
        w="fit-content"
        maw="100%"
      />
      <DeliveryTable key={state} {...{ webhookID, state, onShow, refetchMs }} />
      <Modal opened={shown !== undefined} onClose={() => onShow(undefined)} title="Delivery" size="xl">
        {shown !== undefined && <DeliveryDetails webhookID={webhookID} deliveryID={shown} onShow={onShow} />}
      </Modal>
    </Section>
  );
}

interface DeliveryTableProps extends Pick<DeliveriesProps, 'webhookID' | 'onShow' | 'refetchMs'> {
  state: StateFilter;
}

function DeliveryTable({ webhookID, state, onShow, refetchMs }: DeliveryTableProps) {
  const filter = state === 'all' ? '' : state;
  const [pages] = useState(() => new DeliveryPages(webhookID, filter));
  return (
    <ResourceTable
      label="Deliveries"
      queryKey={shownKey('webhook', 'deliveries', webhookID, filter)}
      list={(page, signal) => pages.list(page, signal)}
      rowKey={({ deliveryID }) => deliveryID}
      columns={columnsFor(onShow)}
      rowActions={delivery => <ResendIcon webhookID={webhookID} delivery={delivery} onSent={onShow} />}
      empty={state === 'all' ? empty.all : empty.filtered}
      isPart
      refetchMs={refetchMs}
    />
  );
}

const columnsFor = (onShow: DeliveriesProps['onShow']): readonly Column<Delivery>[] => [
  {
    header: 'Event',
    cell: ({ deliveryID, type, cause, createdAt }) => (
      <TwoLines
        first={
          <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onShow(deliveryID)}>
            {type}
          </Anchor>
        }
        second={
          <>
            {cause !== 'event' && `${causes[cause]} · `}
            <Time value={createdAt} seconds />
          </>
        }
      />
    ),
  },
  { header: 'State', cell: delivery => <DeliveryState delivery={delivery} /> },
  { header: 'Answer', cell: delivery => <Answer delivery={delivery} />, visibleFrom: 'sm' },
  { header: 'Attempts', cell: ({ attemptCount }) => numberText(attemptCount), visibleFrom: 'md' },
];

function DeliveryState({ delivery: { state } }: { delivery: Delivery }) {
  return <StateBadge state={badges[state]} label={states[state]} />;
}

/** The status and the error of the last attempt, and when the next one is. */
function Answer({ delivery: { responseStatus, error, nextAttemptAt } }: { delivery: Delivery }) {
  const next = nextAttemptAt !== null && (
    <>
      Next attempt <Time value={nextAttemptAt} seconds />
    </>
  );
  return <TwoLines first={error === null ? (responseStatus ?? '–') : sentence(error)} second={next || null} />;
}

interface ResendProps {
  webhookID: string;
  delivery: Delivery;
  /** Gets the new delivery. */
  onSent: (deliveryID: string) => void;
}

function useResend({ webhookID, delivery, onSent }: ResendProps) {
  const { mutate, isPending } = useAction({
    run: () => resend(webhookID, delivery.deliveryID),
    changes: ['webhook'],
    onDone: ({ deliveryID }) => onSent(deliveryID),
  });
  return { onClick: () => mutate(), loading: isPending };
}

function ResendIcon(props: ResendProps) {
  const { type, deliveryID } = props.delivery;
  return <IconButton label={`Send ${type} again (${deliveryID})`} icon={IconSend} {...useResend(props)} />;
}

function ResendButton(props: ResendProps) {
  return (
    <Button variant="light" leftSection={<IconSend size={16} aria-hidden />} {...useResend(props)}>
      Send again
    </Button>
  );
}

/** While the service tries, its requests appear one by one. */
const pollMs = 1_000;

interface DeliveryDetailsProps extends Pick<DeliveriesProps, 'webhookID' | 'onShow'> {
  deliveryID: string;
}

function DeliveryDetails({ webhookID, deliveryID, onShow }: DeliveryDetailsProps) {
  const query = useQuery({
    queryKey: shownKey('webhook', 'delivery', webhookID, deliveryID),
    queryFn: ({ signal }) => findDelivery(webhookID, deliveryID, signal),
    refetchInterval: ({ state: { data } }) => (data?.state === 'pending' ? pollMs : false),
  });
  return (
    <Loaded query={query} height={240}>
      {delivery => (
        <Stack>
          <Group justify="space-between">
            <Group gap="xs">
              <Text fw={600}>{delivery.type}</Text>
              <DeliveryState delivery={delivery} />
              <OutlineBadge>{causes[delivery.cause]}</OutlineBadge>
            </Group>
            <ResendButton webhookID={webhookID} delivery={delivery} onSent={onShow} />
          </Group>
          <Text size="sm" c="dimmed">
            Created <Time value={delivery.createdAt} seconds />. <Outcome delivery={delivery} />
          </Text>
          <CopyBlock withLabel label="Body" value={delivery.body} shown={indented(delivery.body)} />
          <Attempts attempts={delivery.attempts} />
        </Stack>
      )}
    </Loaded>
  );
}

function Outcome({ delivery: { state, nextAttemptAt, finishedAt } }: { delivery: Delivery }) {
  if (state === 'delivered')
    return (
      <>
        Delivered <Time value={finishedAt} seconds />.
      </>
    );
  if (state === 'failed')
    return (
      <>
        The service gave up <Time value={finishedAt} seconds />.
      </>
    );
  return nextAttemptAt === null ? (
    'Waits for an earlier delivery of its resource, or until the webhook is enabled.'
  ) : (
    <>
      Next attempt <Time value={nextAttemptAt} seconds />.
    </>
  );
}

/** Newest first. */
function Attempts({ attempts }: Pick<DetailedDelivery, 'attempts'>) {
  if (attempts.length === 0)
    return (
      <Text size="sm" c="dimmed" role="status">
        No attempt yet.
      </Text>
    );
  return (
    <Stack gap="xs" component="section" aria-label="Attempts">
      <Text size="sm" fw={500}>
        Attempts
      </Text>
      <Accordion variant="contained" defaultValue="0">
        {attempts.toReversed().map((attempt, index) => (
          <Accordion.Item key={attempt.at} value={String(index)}>
            <Accordion.Control>
              <Group gap="xs">
                <StateBadge
                  state={attempt.error === null ? 'ready' : 'failed'}
                  label={attempt.status === null ? 'No answer' : String(attempt.status)}
                />
                <Text size="sm">
                  <Time value={attempt.at} seconds /> · {numberText(attempt.durationMs)} ms
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <Stack gap="xs">
                {attempt.error !== null && <Text size="sm">{sentence(attempt.error)}</Text>}
                <CopyBlock withLabel label="Request" value={requestText(attempt)} />
                {attempt.responseBody !== null && (
                  <CopyBlock withLabel label="Beginning of the answer" value={attempt.responseBody || '(empty)'} />
                )}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  );
}

function requestText({ url, headers }: DetailedDelivery['attempts'][number]): string {
  return [`POST ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
}

/** `the answer was 500` begins with a capital letter. */
function sentence(error: string): string {
  return `${error.charAt(0).toUpperCase()}${error.slice(1)}.`;
}

/** Easier to read than the line that was sent. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
