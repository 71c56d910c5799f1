import { Alert, Badge, Card, Group, Loader, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { EmptyState } from '../../parts/empty-state.js';
import { Section } from '../../parts/section.js';
import { messageOf } from '../../parts/toasts.js';
import { frameTexts } from '../../texts/frame.js';
import { sandboxTexts as texts } from '../../texts/sandbox.js';
import { CodeBlock } from './code-block.js';
import type { SandboxAnswer } from './sandbox-api.js';

interface AnswerViewProps {
  answer: SandboxAnswer | undefined;
  error: Error | null;
  isWaiting: boolean;
}

export function AnswerView({ answer, error, isWaiting }: AnswerViewProps) {
  return (
    <Section title={texts.answer}>
      <div aria-live="polite" aria-busy={isWaiting}>
        {isWaiting && <Loader size="sm" aria-label={frameTexts.loading} />}
        {!isWaiting && error && <Alert color="red">{messageOf(error)}</Alert>}
        {!isWaiting && answer && <Answer answer={answer} />}
        {!isWaiting && !answer && !error && (
          <Card>
            <EmptyState icon={IconSend} title={texts.answerEmpty} text={texts.answerEmptyText} />
          </Card>
        )}
      </div>
    </Section>
  );
}

function Answer({ answer: { status, ms, requestID, body } }: { answer: SandboxAnswer }) {
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Badge size="lg" variant="light" tt="none" autoContrast color={status < 400 ? 'teal' : 'red'}>
          {texts.status(status)}
        </Badge>
        <Text size="sm">{texts.took(ms)}</Text>
        {requestID !== null && (
          <Text size="sm" c="dimmed">
            {texts.requestID} {requestID}
          </Text>
        )}
      </Group>
      <CodeBlock code={body === '' ? texts.noBody : body} what={texts.answer} />
    </Stack>
  );
}
