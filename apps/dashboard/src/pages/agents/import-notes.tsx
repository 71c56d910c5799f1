import { Badge, Card, Group, Stack, Text } from '@mantine/core';
import { describeFinding, type ImportNote } from '@rtms/agent-import';
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
            {sorted.map(note => (
              <Group
                key={JSON.stringify([note.code, note.path, note.values])}
                gap="sm"
                wrap="nowrap"
                align="flex-start"
              >
                <Badge
                  size="sm"
                  variant="light"
                  tt="none"
                  color={colors[note.severity]}
                  autoContrast
                  style={{ flexShrink: 0 }}
                >
                  {texts.severities[note.severity]}
                </Badge>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {describeFinding(note)}
                </Text>
              </Group>
            ))}
          </Stack>
        </Card>
      )}
    </Section>
  );
}
