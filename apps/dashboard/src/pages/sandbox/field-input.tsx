import { Fieldset, MultiSelect, NumberInput, Select, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { FieldValue, FieldValues, FormField, InputField } from './form-fields.js';

interface FieldInputsProps {
  fields: readonly FormField[];
  values: FieldValues;
  problems: Readonly<Record<string, string>>;
  onChange: (key: string, value: FieldValue) => void;
}

/** One input for each field of a call. The fields of an object are in a fieldset. */
export function FieldInputs({ fields, ...rest }: FieldInputsProps) {
  return (
    <Stack>
      {fields.map(field => {
        if (field.kind === 'constant') return null;
        if (field.kind !== 'group') return <FieldInput key={field.key} field={field} {...rest} />;
        return (
          <Fieldset key={field.key} legend={field.name}>
            <FieldInputs fields={field.fields} {...rest} />
          </Fieldset>
        );
      })}
    </Stack>
  );
}

interface FieldInputProps extends Omit<FieldInputsProps, 'fields'> {
  field: InputField;
}

function FieldInput({ field, values, problems, onChange }: FieldInputProps) {
  const value = values[field.key] ?? '';
  const write = (next: FieldValue) => onChange(field.key, next);
  const frame = {
    label: field.name,
    description: hintOf(field),
    withAsterisk: field.isRequired,
    error: problems[field.key],
  };
  return typeof value === 'string' ? (
    <OneValue field={field} frame={frame} value={value} onChange={write} />
  ) : (
    <ManyValues field={field} frame={frame} value={[...value]} onChange={write} />
  );
}

/** Adds the bounds, unless the hint of the API names them. */
function hintOf({ kind, hint, min, max }: InputField): string {
  const isNumber = kind === 'integer' || kind === 'number';
  if (!isNumber || min === undefined || max === undefined || hint.includes(String(max))) return hint;
  return `${hint} (${min} to ${max})`;
}

interface InputProps<Value> {
  field: InputField;
  frame: { label: string; description: string; withAsterisk: boolean; error: string | undefined };
  value: Value;
  onChange: (value: Value) => void;
}

function ManyValues({ field: { kind, choices, example }, frame, value, onChange }: InputProps<string[]>) {
  return kind === 'choices' ? (
    <MultiSelect {...frame} value={value} onChange={onChange} data={[...choices]} clearable />
  ) : (
    <TagsInput {...frame} value={value} onChange={onChange} placeholder={example[0] ?? ''} />
  );
}

function OneValue(props: InputProps<string>) {
  const { field, frame, value, onChange } = props;
  const placeholder = typeof field.example === 'string' ? field.example : '';
  const text = { ...frame, value, placeholder };
  const write = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  switch (field.kind) {
    case 'choice':
      return <Choice {...props} />;
    case 'integer':
    case 'number':
      return <NumberInput {...text} allowDecimal={field.kind === 'number'} onChange={next => onChange(String(next))} />;
    case 'json':
    case 'longText':
      return <Textarea {...text} autosize minRows={2} maxRows={10} onChange={write} />;
    case 'text':
    case 'list':
    case 'choices':
      return <TextInput {...text} onChange={write} />;
  }
}

function Choice({ field: { choices, isRequired }, frame, value, onChange }: InputProps<string>) {
  return (
    <Select
      {...frame}
      value={value === '' ? null : value}
      data={[...choices]}
      clearable={!isRequired}
      allowDeselect={!isRequired}
      onChange={next => onChange(next ?? '')}
    />
  );
}
