import { Button, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconBroadcast, IconBroadcastOff } from '@tabler/icons-react';
import { broadcasts, isOver, useActiveSessions, type Broadcast, type NewBroadcast } from '../../api/meetings.js';
import { shownKey } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
import { ConfirmButton } from '../../parts/buttons.js';
import { durationText, isWebAddress } from '../../parts/formats.js';
import { choicesOf, FormModal, needed, wholeNumber } from '../../parts/forms.js';
import { TableSection, type Column } from '../../parts/resource-table.js';
import { ShortID, StateBadge, Time, TwoLines } from '../../parts/values.js';
import { endTexts, slateTexts } from '../reasons.js';
import { useViewersDialog } from '../viewers/viewers-dialog.js';

const pageSize = 5;

const columns: readonly Column<Broadcast>[] = [
  { header: 'Broadcast', cell: ({ broadcastID }) => <ShortID value={broadcastID} what="Broadcast" /> },
  {
    header: 'State',
    cell: ({ state, endReason, slate }) => (
      <TwoLines
        first={<StateBadge state={state} />}
        second={endReason ? endTexts[endReason] : slate?.problem && slateTexts[slate.problem]}
      />
    ),
  },
  {
    header: 'Latency',
    cell: ({ latency }) => (latency === 'low' ? 'Low' : 'Normal'),
    visibleFrom: 'md',
  },
  {
    header: 'Seek back',
    cell: ({ dvrSeconds }) => (dvrSeconds ? durationText(dvrSeconds) : '–'),
    visibleFrom: 'md',
  },
  {
    header: 'Renditions',
    cell: ({ renditions }) => renditions.map(({ name }) => name).join(', ') || '–',
    visibleFrom: 'sm',
  },
  { header: 'Created', cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'md' },
];

interface BroadcastsSectionProps {
  meetingID: string;
  /** Only broadcasts of this external session. */
  sourceSessionID?: string;
  /** The source can be broadcast. */
  isOpen: boolean;
}

/** Broadcasts: a list, a form that starts one, their viewers, and buttons that end them. */
export function BroadcastsSection({ meetingID, sourceSessionID, isOpen }: BroadcastsSectionProps) {
  const mayChange = useMay('broadcastMedia');
  const [isCreating, { open, close }] = useDisclosure();
  const viewers = useViewersDialog('broadcast', meetingID);
  return (
    <>
      <TableSection
        title="Broadcasts"
        actions={
          isOpen &&
          mayChange && (
            <>
              <Button variant="light" leftSection={<IconBroadcast size={16} aria-hidden />} onClick={open}>
                Start a broadcast
              </Button>
              <BroadcastForm {...{ meetingID, sourceSessionID }} isOpen={isCreating} onClose={close} />
            </>
          )
        }
        queryKey={shownKey('broadcast', 'list', meetingID, sourceSessionID)}
        list={(page, signal) => broadcasts.list(meetingID, { ...page, sourceSessionID }, signal)}
        rowKey={({ broadcastID }) => broadcastID}
        columns={columns}
        rowActions={broadcast => (
          <>
            {viewers.button(broadcast.broadcastID)}
            {mayChange && !isOver(broadcast) && (
              <ConfirmButton
                label={`End broadcast ${broadcast.broadcastID}`}
                icon={IconBroadcastOff}
                title="End this broadcast?"
                text="Players reach the end of the stream."
                confirmLabel="End"
                run={() => broadcasts.end(meetingID, broadcast.broadcastID)}
                success="The broadcast was ended."
                changes={['broadcast']}
              />
            )}
          </>
        )}
        empty={{
          icon: IconBroadcast,
          title: 'No broadcasts yet',
          text: 'A broadcast serves a session by HLS to many viewers.',
        }}
        pageSize={pageSize}
      />
      {viewers.dialog}
    </>
  );
}

const longestDvrMinutes = 240;

/** The whole room in one picture. */
const roomLayouts = { grid: 'Whole room, all alike', speaker: 'Whole room, the speaker large' } as const;

interface Values {
  /** The ID of an external session, or a layout of the whole room. */
  source: string;
  dvrMinutes: number | string;
  isLow: boolean;
  slateImageUrl: string;
}

function useBroadcastForm(sourceSessionID: string | undefined) {
  return useForm<Values>({
    initialValues: { source: sourceSessionID ?? '', dvrMinutes: 0, isLow: false, slateImageUrl: '' },
    validate: {
      source: needed('Choose a source.'),
      dvrMinutes: wholeNumber(0, longestDvrMinutes, `Enter 0 to ${longestDvrMinutes} minutes.`),
      slateImageUrl: (url, { source }) =>
        isRoom(source) || url.trim() === '' || isWebAddress(url.trim())
          ? null
          : 'Enter a web address, such as https://…',
    },
  });
}

interface BroadcastFormProps {
  meetingID: string;
  /** Broadcasts this external session, without a choice. */
  sourceSessionID: string | undefined;
  isOpen: boolean;
  onClose: () => void;
}

/** Starts an HLS broadcast of a session or of the whole room. */
function BroadcastForm({ meetingID, sourceSessionID, isOpen, onClose }: BroadcastFormProps) {
  const active = useActiveSessions(meetingID, isOpen && sourceSessionID === undefined);
  const form = useBroadcastForm(sourceSessionID);
  const sources = [
    ...active.map(({ sessionID, displayName }) => ({ value: sessionID, label: displayName })),
    ...choicesOf(roomLayouts),
  ];
  return (
    <FormModal
      title="Start a broadcast"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      submitLabel="Start"
      run={values => broadcasts.create(meetingID, bodyOf(values))}
      success="The broadcast starts."
      changes={['broadcast']}
    >
      {sourceSessionID === undefined && (
        <Select
          label="Media to broadcast"
          placeholder="Choose one"
          data={sources}
          allowDeselect={false}
          {...form.getInputProps('source')}
        />
      )}
      <NumberInput
        label="Minutes that viewers can seek back"
        description="0: about 20 seconds. The media node keeps this much on its disk."
        min={0}
        max={longestDvrMinutes}
        clampBehavior="none"
        {...form.getInputProps('dvrMinutes')}
      />
      <Switch
        label="Low latency"
        description="About 2 s behind live instead of 7 s. Players need low-latency HLS, and send five times as many requests."
        {...form.getInputProps('isLow', { type: 'checkbox' })}
      />
      {!isRoom(form.values.source) && (
        <TextInput
          label="Image while the source is lost"
          description="Public https address of a JPEG or PNG, up to 4 MiB. Without it viewers see the last picture, dimmed."
          placeholder="https://www.example.com/back-soon.png"
          maxLength={2048}
          {...form.getInputProps('slateImageUrl')}
        />
      )}
    </FormModal>
  );
}

/** A broadcast of the whole room has no slate: it goes on without its participants. */
function isRoom(source: string): source is keyof typeof roomLayouts {
  return source in roomLayouts;
}

function bodyOf({ source, dvrMinutes, isLow, slateImageUrl }: Values): NewBroadcast {
  const imageUrl = slateImageUrl.trim();
  return {
    ...(isRoom(source) ? { layout: source } : { sourceSessionID: source }),
    ...(Number(dvrMinutes) > 0 && { dvrSeconds: Number(dvrMinutes) * 60 }),
    ...(isLow && { latency: 'low' }),
    ...(!isRoom(source) && imageUrl !== '' && { slate: { imageUrl } }),
  };
}
