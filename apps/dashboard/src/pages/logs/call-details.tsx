import { Modal, ScrollArea, Stack, Text, Title } from '@mantine/core';
import { Time } from '../../parts/time.js';
import { frameTexts } from '../../texts/frame.js';
import { logsTexts as texts } from '../../texts/logs.js';
import type { SipCallLog } from './logs-api.js';

/** What was said in a call. */
export function CallDetails({ call, onClose }: { call: SipCallLog | undefined; onClose: () => void }) {
  return (
    <Modal
      opened={call !== undefined}
      onClose={onClose}
      title={call ? `${call.callerNumber} → ${call.calleeNumber}` : texts.callTitle}
      size="lg"
      scrollAreaComponent={ScrollArea.Autosize}
      closeButtonProps={{ 'aria-label': frameTexts.close }}
    >
      {call && (
        <Stack>
          <Text size="sm" c="dimmed">
            {texts.startedAt} <Time value={call.startedAt} /> · {texts.answeredAt} <Time value={call.answeredAt} />
          </Text>
          {call.summary !== null && (
            <div>
              <Title order={3} size="h5">
                {texts.summary}
              </Title>
              <Text size="sm">{call.summary}</Text>
            </div>
          )}
          <Transcript call={call} />
        </Stack>
      )}
    </Modal>
  );
}

function Transcript({ call: { transcript } }: { call: SipCallLog }) {
  return (
    <div>
      <Title order={3} size="h5">
        {texts.transcript}
      </Title>
      {transcript.length === 0 && <Text size="sm">{texts.noTranscript}</Text>}
      {transcript.map(({ speaker, text, at }) => (
        <Text key={`${at} ${speaker} ${text}`} size="sm">
          <strong>{speaker}</strong> {text}
        </Text>
      ))}
    </div>
  );
}
