import { Button, Checkbox, Group, SimpleGrid } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { operations, type Operation } from '@rtms/contracts';
import { frameTexts } from '../texts/frame.js';

interface OperationChoiceProps {
  label: string;
  description: string;
  /** Of `form.getInputProps`. */
  input: GetInputPropsReturnType;
  onChoose: (chosen: Operation[]) => void;
}

/** Which operations are granted. */
export function OperationChoice({ label, description, input, onChoose }: OperationChoiceProps) {
  return (
    <Checkbox.Group label={label} description={description} {...input}>
      <Group gap="xs" my="xs">
        <Button size="compact-xs" variant="default" onClick={() => onChoose([...operations])}>
          {frameTexts.all}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onChoose([])}>
          {frameTexts.none}
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
