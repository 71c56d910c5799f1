import { Badge, Card, Checkbox, Group, Stack, Text } from '@mantine/core';
import type { FinishItem } from '@rtms/agent-import';
import { Section } from '../../parts/section.js';
import { agentsTexts as texts } from '../../texts/agents.js';

interface FinishListProps {
  items: readonly FinishItem[];
  /** By their place in the list. */
  done: ReadonlySet<number>;
  onChange: (done: ReadonlySet<number>) => void;
}

/** What only a person can complete, with a box to tick for each. */
export function FinishList({ items, done, onChange }: FinishListProps) {
  const tick = (index: number, isDone: boolean) => {
    const others = [...done].filter(each => each !== index);
    onChange(new Set(isDone ? [...others, index] : others));
  };
  return (
    <Section
      title={texts.finish}
      actions={
        items.length > 0 && (
          <Badge variant="light" tt="none">
            {texts.finishProgress(done.size, items.length)}
          </Badge>
        )
      }
    >
      <Text size="sm" c="dimmed">
        {items.length === 0 ? texts.nothingLeft : texts.finishHint}
      </Text>
      {items.length > 0 && (
        <Card padding="md">
          <Stack gap="md">
            {items.map((item, index) => (
              <Checkbox
                key={`${item.kind} ${item.state ?? ''} ${item.text}`}
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

function ItemLabel({ item: { kind, state, text } }: { item: FinishItem }) {
  return (
    <Stack gap={2} component="span">
      <Group gap="xs" component="span">
        <Badge component="span" size="sm" variant="light" color="gray" tt="none" autoContrast>
          {texts.finishKinds[kind]}
        </Badge>
        {state !== undefined && (
          <Text component="span" size="xs" c="dimmed">
            {texts.state(state)}
          </Text>
        )}
      </Group>
      <Text component="span" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </Stack>
  );
}
