import { Anchor, Card, List, Text, ThemeIcon } from '@mantine/core';
import type { FirstSteps as Steps } from '@rtms/contracts';
import { IconCheck, IconCircle } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Section } from '../../parts/page.js';

const steps = [
  { name: 'key', label: 'Create an API key', href: '/api-keys', text: 'for your application server.' },
  { name: 'room', label: 'Open a room', href: '/rooms', text: 'in which media runs.' },
  { name: 'publish', label: 'Publish', href: '/rooms', text: 'a camera or an encoder into the room.' },
  { name: 'watch', label: 'Watch', href: '/rooms', text: 'by WHEP, or start a broadcast by HLS.' },
] as const;

/** The way to the first broadcast. “Go live” takes the last three steps at once. */
export function FirstSteps({ steps: taken }: { steps: Steps }) {
  return (
    <Section title="Getting started">
      <Card>
        <Text size="sm" mb="sm">
          Press “Go live in this browser” for the last three steps at once. Applications use the{' '}
          <Anchor href="/docs" underline="always" inherit>
            API
          </Anchor>
          .
        </Text>
        <List size="sm" spacing="xs" listStyleType="none" center>
          {steps.map(({ name, label, href, text }) => (
            <List.Item key={name} icon={<Mark isDone={taken[name]} />}>
              <Anchor component={Link} href={href} underline="always" inherit>
                {label}
              </Anchor>{' '}
              {text}
            </List.Item>
          ))}
        </List>
      </Card>
    </Section>
  );
}

function Mark({ isDone }: { isDone: boolean }) {
  const MarkIcon = isDone ? IconCheck : IconCircle;
  return (
    <ThemeIcon
      color={isDone ? 'teal' : 'gray'}
      variant="light"
      radius="xl"
      size="sm"
      role="img"
      aria-label={isDone ? 'Done' : 'To do'}
    >
      <MarkIcon size={14} aria-hidden />
    </ThemeIcon>
  );
}
