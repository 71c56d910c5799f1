import { Alert, Button, Group, List, Modal, Stack, Tabs, Text } from '@mantine/core';
import { IconEyeExclamation, IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { renewIngestToken, type ExternalSession } from '../../api/meetings.js';
import { useAction } from '../../parts/actions.js';
import { useAddressChoice } from '../../parts/address-choice.js';
import { CopyBlock, CopyField, Expiry } from '../../parts/hand-over.js';
import { Section } from '../../parts/page.js';
import {
  browserScript,
  ffmpegCommand,
  ffmpegSendCommand,
  gstreamerCommand,
  wholeAddress,
  type EncoderAccess,
} from './encoder-commands.js';

interface IssuedProps {
  /** With the token that was just issued. */
  session: ExternalSession;
  /** Called with a newer token. */
  onIssued: (session: ExternalSession) => void;
}

const encoders = ['obs', 'ffmpeg', 'gstreamer', 'browser'] as const;

/** Address, secret and commands for one encoder, by its protocol. */
function EncoderCommands(props: IssuedProps) {
  const { ingest } = props.session;
  if (ingest.mode === 'caller') return <Called ingest={ingest} />;
  return ingest.protocol === 'whip' ? <WhipCommands {...props} /> : <SecretCommands {...props} />;
}

/** The service calls the encoder, whose secrets nobody can read again. */
function Called({ ingest }: Pick<ExternalSession, 'ingest'>) {
  return (
    <Stack>
      <CopyField label="Address that the service calls" value={ingest.url ?? ''} />
      <Text size="sm">
        Let the encoder listen for SRT at this address, with the passphrase and the stream ID that you entered. The
        service calls it until the session ends. The session page shows why a call fails.
      </Text>
    </Stack>
  );
}

const secretLabels = { srt: 'Passphrase', rtmp: 'Stream key', rtmps: 'Stream key' } as const;

/** Address, secret and commands for one encoder of SRT, RTMP or RTMPS. */
function SecretCommands({ session, onIssued }: IssuedProps) {
  const { meetingID, sessionID, ingest } = session;
  const renew = useAction({ run: () => renewIngestToken(meetingID, sessionID), onDone: onIssued });
  const protocol = ingest.protocol as keyof typeof secretLabels;
  const isSrt = protocol === 'srt';
  return (
    <Stack>
      <Alert color="yellow" icon={<IconEyeExclamation aria-hidden />}>
        Copy it now. It is shown once and cannot be read again. A new one replaces it.
      </Alert>
      <CopyField label={isSrt ? 'SRT address, with the stream ID' : 'Server'} value={ingest.url ?? ''} />
      <CopyField label={secretLabels[protocol]} value={(isSrt ? ingest.passphrase : ingest.streamKey) ?? ''} />
      {isSrt && <CopyField label="Server for OBS, with the passphrase" value={wholeAddress(ingest)} />}
      <Expiry
        what={`The unused ${secretLabels[protocol].toLowerCase()}`}
        expiresAt={ingest.tokenExpiresAt ?? ''}
        renewLabel={`New ${secretLabels[protocol].toLowerCase()}`}
        isRenewing={renew.isPending}
        onRenew={() => renew.mutate()}
      />
      <Text size="sm" c="dimmed">
        Once the encoder has connected, it may connect again as long as the session lasts.
        {isSrt && ` The latency of SRT is ${ingest.latencyMs ?? 0} ms.`}
      </Text>
      <List size="sm" type="ordered">
        <List.Item>Open Settings → Stream in OBS, and choose the service Custom.</List.Item>
        <List.Item>
          {isSrt
            ? 'Paste the server for OBS into Server, and leave Stream Key empty.'
            : 'Paste the server into Server, and the stream key into Stream Key.'}
        </List.Item>
        <List.Item>Set the keyframe interval to 2 s and B-frames to 0, then start streaming.</List.Item>
      </List>
      <CopyBlock withLabel label="FFmpeg command" value={ffmpegSendCommand(ingest)} />
    </Stack>
  );
}

/** Address, token and commands for one encoder of WHIP. */
function WhipCommands({ session, onIssued }: IssuedProps) {
  const { meetingID, sessionID, ingest } = session;
  const renew = useAction({ run: () => renewIngestToken(meetingID, sessionID), onDone: onIssued });
  const [encoder, setEncoder] = useAddressChoice({ name: 'encoder', values: encoders, initial: 'obs', replace: true });
  if (!ingest.url) return <Alert color="yellow">No media node is available now. Try again in a moment.</Alert>;
  const access: EncoderAccess = { url: ingest.url, token: ingest.token ?? '', kinds: ingest.tracks };
  return (
    <Stack>
      <CopyField label="WHIP address" value={access.url} />
      <CopyField label="Bearer token" value={access.token} />
      <Expiry
        what="The token"
        expiresAt={ingest.tokenExpiresAt ?? ''}
        renewLabel="New token"
        isRenewing={renew.isPending}
        onRenew={() => renew.mutate()}
      />
      <Text size="sm" c="dimmed">
        An encoder needs the token to connect. A connected encoder goes on after the token has expired.
      </Text>
      <Tabs value={encoder} onChange={setEncoder}>
        <Tabs.List>
          <Tabs.Tab value="obs">OBS</Tabs.Tab>
          <Tabs.Tab value="ffmpeg">FFmpeg</Tabs.Tab>
          <Tabs.Tab value="gstreamer">GStreamer</Tabs.Tab>
          <Tabs.Tab value="browser">Browser</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="obs" pt="sm">
          <List size="sm" type="ordered">
            <List.Item>Open Settings → Stream in OBS 30 or later, and choose the service WHIP.</List.Item>
            <List.Item>Paste the WHIP address into Server, and the bearer token into Bearer Token.</List.Item>
            <List.Item>Set the keyframe interval to 2 s and B-frames to 0, then start streaming.</List.Item>
          </List>
        </Tabs.Panel>
        <Tabs.Panel value="ffmpeg" pt="sm">
          <Text size="sm" mb="xs">
            FFmpeg 8 or later. Name your file instead of input.mp4.
          </Text>
          <CopyBlock label="FFmpeg command" value={ffmpegCommand(access)} />
        </Tabs.Panel>
        <Tabs.Panel value="gstreamer" pt="sm">
          <Text size="sm" mb="xs">
            GStreamer with gst-plugins-rs sends a test picture.
          </Text>
          <CopyBlock label="GStreamer command" value={gstreamerCommand(access)} />
        </Tabs.Panel>
        <Tabs.Panel value="browser" pt="sm">
          <Text size="sm" mb="xs">
            A module script for your own page, on HTTPS or localhost. It sends the camera and the microphone.
          </Text>
          <CopyBlock label="Browser script" value={browserScript(access)} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

interface EncoderDialogProps {
  /** undefined: the dialog is closed. */
  issued: ExternalSession | undefined;
  onIssued: (session: ExternalSession) => void;
  onClose: () => void;
}

export function EncoderDialog({ issued, onIssued, onClose }: EncoderDialogProps) {
  return (
    <Modal
      opened={issued !== undefined}
      onClose={onClose}
      title="Give this to your encoder"
      size="xl"
      closeOnClickOutside={false}
    >
      {issued && (
        <Stack>
          <EncoderCommands session={issued} onIssued={onIssued} />
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

const encoderTexts = {
  whip: 'The address, a short-lived token and commands for one encoder.',
  secret: 'A new secret replaces the former one. A connected encoder goes on, but needs the new one to connect again.',
  called: 'The service calls this encoder.',
} as const;

/** The commands of a session's encoder. Secrets are shown once, so the section issues one on request. */
export function EncoderSection({ session }: { session: ExternalSession }) {
  const [issued, setIssued] = useState<ExternalSession>();
  const { meetingID, sessionID, ingest } = session;
  const issue = useAction({ run: () => renewIngestToken(meetingID, sessionID), onDone: setIssued });
  const isWhip = ingest.protocol === 'whip';
  const isCalled = ingest.mode === 'caller';
  return (
    <Section title="For the encoder" text={encoderTexts[isCalled ? 'called' : isWhip ? 'whip' : 'secret']}>
      {issued || isCalled ? (
        <EncoderCommands session={issued ?? session} onIssued={setIssued} />
      ) : (
        <Group>
          <Button
            variant="light"
            leftSection={<IconKey size={16} aria-hidden />}
            loading={issue.isPending}
            onClick={() => issue.mutate()}
          >
            {isWhip ? 'Show commands with a new token' : 'Replace the secret and show it'}
          </Button>
        </Group>
      )}
    </Section>
  );
}
