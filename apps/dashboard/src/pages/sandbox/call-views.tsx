import { Alert, Badge, Box, Card, Code, Group, Loader, Stack, Tabs, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { messageOf } from '../../parts/messages.js';
import { useAddressChoice } from '../../parts/address-choice.js';
import { CopyButton } from '../../parts/buttons.js';
import { numberText } from '../../parts/formats.js';
import { EmptyState, Section } from '../../parts/page.js';
import type { SandboxAnswer } from './sandbox-api.js';
import { curlSnippet, httpSnippet, typeScriptSnippet, type SandboxRequest } from './sandbox-request.js';

const formNames = ['http', 'curl', 'typescript'] as const;

/** The request, and the same call for a shell and for TypeScript. None of them holds the key. */
export function RequestView({ request }: { request: SandboxRequest }) {
  const { origin } = window.location;
  const [form, setForm] = useAddressChoice({ name: 'form', values: formNames, initial: 'http' });
  const forms = [
    { value: 'http', label: 'HTTP', code: httpSnippet(request) },
    { value: 'curl', label: 'curl', code: curlSnippet(request, origin) },
    { value: 'typescript', label: 'TypeScript', code: typeScriptSnippet(request, origin) },
  ];
  return (
    <Section title="Request">
      <Tabs value={form} onChange={setForm} keepMounted={false}>
        <Tabs.List mb="sm">
          {forms.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {forms.map(({ value, label, code }) => (
          <Tabs.Panel key={value} value={value}>
            <CodeBlock code={code} what={label} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}

interface AnswerViewProps {
  answer: SandboxAnswer | undefined;
  error: Error | null;
  isWaiting: boolean;
}

export function AnswerView({ answer, error, isWaiting }: AnswerViewProps) {
  return (
    <Section title="Response">
      <div aria-live="polite" aria-busy={isWaiting}>
        {isWaiting && <Loader size="sm" aria-label="Loading" />}
        {!isWaiting && error && <Alert color="red">{messageOf(error)}</Alert>}
        {!isWaiting && answer && <Answer answer={answer} />}
        {!isWaiting && !answer && !error && (
          <Card>
            <EmptyState
              icon={IconSend}
              title="Nothing sent yet"
              text="The response appears here, with its status and duration."
            />
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
          {`Status ${status}`}
        </Badge>
        <Text size="sm">{`${numberText(ms)} ms`}</Text>
        {requestID !== null && (
          <Text size="sm" c="dimmed">
            Request ID {requestID}
          </Text>
        )}
      </Group>
      <CodeBlock code={body === '' ? 'No body.' : body} what="Response" />
    </Stack>
  );
}

const style = {
  overflow: 'auto',
  background: 'var(--mantine-color-body)',
  border: '1px solid var(--mantine-color-default-border)',
};

/** Code with a copy button. The keyboard scrolls it, too. */
function CodeBlock({ code, what }: { code: string; what: string }) {
  return (
    <Box pos="relative">
      <Code block tabIndex={0} role="region" aria-label={what} mah={420} p="md" pr={48} style={style}>
        {code}
      </Code>
      <Box pos="absolute" top={6} right={6}>
        <CopyButton value={code} what={what} />
      </Box>
    </Box>
  );
}
