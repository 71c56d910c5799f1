import { Button, Checkbox, Group, SimpleGrid, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { operations, type Operation } from '@rtms/contracts';

interface FieldOf<Values> {
  form: UseFormReturnType<Values>;
  name: string & keyof Values;
  label: string;
  description?: string;
}

export function SwitchField<Values>({ form, name, ...texts }: FieldOf<Values>) {
  return <Switch {...texts} {...form.getInputProps(name, { type: 'checkbox' })} />;
}

/** The operations that a key may use. */
export function OperationChoice<Values>({ form, name, ...texts }: FieldOf<Values>) {
  const choose = (chosen: Operation[]) => form.setFieldValue(name, chosen as never);
  return (
    <Checkbox.Group {...texts} {...form.getInputProps(name)}>
      <Group gap="xs" my="xs">
        <Button size="compact-xs" variant="default" onClick={() => choose([...operations])}>
          All
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => choose([])}>
          None
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="xs">
        {operations.map(operation => (
          <Checkbox key={operation} value={operation} label={operation} size="sm" />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
