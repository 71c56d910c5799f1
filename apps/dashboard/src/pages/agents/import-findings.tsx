import { Badge, Card, Checkbox, Group, Stack, Text } from '@mantine/core';
import { describeFinding, describePart, type FinishItem, type ImportNote } from '@rtms/agent-import';
import { Section } from '../../parts/page.js';

const finishKinds = {
  transfer: 'Transfer',
  tool: 'Tool',
  knowledge: 'Knowledge',
  webhook: 'Webhook',
  firstMessage: 'First message',
  instructions: 'Instructions',
  variable: 'Variable',
  transition: 'Transition',
  hook: 'Hook',
  more: 'More',
} as const;

interface FinishListProps {
  items: readonly FinishItem[];
  /** The import left nothing out. */
  isComplete: boolean;
  /** Indexes of the items. */
  done: ReadonlySet<number>;
  onChange: (done: ReadonlySet<number>) => void;
}

/** The items that the import could not finish, each with a checkbox. */
export function FinishList({ items, isComplete, done, onChange }: FinishListProps) {
  const tick = (index: number, isDone: boolean) => {
    const others = [...done].filter(each => each !== index);
    onChange(new Set(isDone ? [...others, index] : others));
  };
  return (
    <Section
      title="Finish by hand"
      actions={
        items.length > 0 && (
          <Badge variant="light" tt="none">
            {`${done.size} of ${items.length} done`}
          </Badge>
        )
      }
    >
      <Text size="sm" c="dimmed">
        {hint(items.length, isComplete)}
      </Text>
      {items.length > 0 && (
        <Card padding="md">
          <Stack gap="md">
            {items.map((item, index) => (
              <Checkbox
                key={JSON.stringify([item.code, item.part, item.values])}
                checked={done.has(index)}
                onChange={event => tick(index, event.currentTarget.checked)}
                label={<ItemLabel item={item} />}
              />
            ))}
          </Stack>
        </Card>
      )}
    </Section>
  );
}

function hint(count: number, isComplete: boolean): string {
  if (count > 0)
    return 'The import could not finish these. Tick each finished item. The others stay on the agent’s list.';
  return isComplete
    ? 'The whole definition was imported.'
    : 'Nothing is left to finish by hand. The notes name the parts that were not imported.';
}

function ItemLabel({ item }: { item: FinishItem }) {
  const { kind, part } = item;
  return (
    <Stack gap={2} component="span">
      <Group gap="xs" component="span">
        <Badge component="span" size="sm" variant="light" color="gray" tt="none" autoContrast>
          {finishKinds[kind]}
        </Badge>
        {part && (
          <Text component="span" size="xs" c="dimmed">
            {describePart(part)}
          </Text>
        )}
      </Group>
      <Text component="span" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {describeFinding(item)}
      </Text>
    </Stack>
  );
}

const colors = { warning: 'orange', information: 'gray' } as const;
const severities = { information: 'Note', warning: 'Check' } as const;

/** The notes of the import. Warnings come first. */
export function ImportNotes({ notes }: { notes: readonly ImportNote[] }) {
  const sorted = [...notes].sort(
    (one, other) => Number(other.severity === 'warning') - Number(one.severity === 'warning'),
  );
  return (
    <Section title="Notes">
      {notes.length === 0 ? (
        <Text size="sm" c="dimmed">
          There is nothing to note.
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
                  {severities[note.severity]}
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
