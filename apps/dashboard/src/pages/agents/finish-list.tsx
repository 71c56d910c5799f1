import { Badge, Card, Checkbox, Group, Stack, Text } from '@mantine/core';
import { describeFinding, describePart, type FinishItem } from '@rtms/agent-import';
import { Section } from '../../parts/section.js';
import { agentsTexts as texts } from '../../texts/agents.js';

interface FinishListProps {
  items: readonly FinishItem[];
  /** Nothing was left out, with or without an item here. */
  isComplete: boolean;
  /** By their place in the list. */
  done: ReadonlySet<number>;
  onChange: (done: ReadonlySet<number>) => void;
}

/** What only a person can complete, with a box to tick for each. */
export function FinishList({ items, isComplete, done, onChange }: FinishListProps) {
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
  if (count > 0) return texts.finishHint;
  return isComplete ? texts.allTaken : texts.nothingLeft;
}

function ItemLabel({ item }: { item: FinishItem }) {
  const { kind, part } = item;
  return (
    <Stack gap={2} component="span">
      <Group gap="xs" component="span">
        <Badge component="span" size="sm" variant="light" color="gray" tt="none" autoContrast>
          {texts.finishKinds[kind]}
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
