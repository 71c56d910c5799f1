import { Badge, Card, Group, Stack, Text } from '@mantine/core';
import type { ImportNote } from '@rtms/agent-import';
import { Section } from '../../parts/section.js';
import { agentsTexts as texts } from '../../texts/agents.js';

const colors = { warning: 'orange', information: 'gray' } as const;

/** How the definition was read: what was lost or guessed comes first. */
export function ImportNotes({ notes }: { notes: readonly ImportNote[] }) {
  const sorted = [...notes].sort(
    (one, other) => Number(other.severity === 'warning') - Number(one.severity === 'warning'),
  );
  return (
    <Section title={texts.notes}>
      {notes.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.noNotes}
        </Text>
      ) : (
        <Card padding="md">
          <Stack gap="sm">
            {sorted.map(({ severity, text }) => (
              <Group key={`${severity} ${text}`} gap="sm" wrap="nowrap" align="flex-start">
                <Badge
                  size="sm"
                  variant="light"
                  tt="none"
                  color={colors[severity]}
                  autoContrast
                  style={{ flexShrink: 0 }}
                >
                  {texts.severities[severity]}
                </Badge>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {text}
                </Text>
              </Group>
            ))}
          </Stack>
        </Card>
      )}
    </Section>
  );
}
