import {
  Fieldset,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  type InputWrapperProps,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { agentBounds } from '@rtms/contracts';
import { numberText } from '../../parts/formats.js';
import { countCharacters, referenceNames, type AgentValues } from './agent-values.js';

const referenceFields = {
  provider: 'Provider',
  model: 'Model',
  voice: 'Voice',
  transcriber: 'Transcriber',
  language: 'Language',
} as const;

type AgentForm = UseFormReturnType<AgentValues>;

const { temperature: heat, sessionMinutes: minutes } = agentBounds;

/** Aligns the fields of a row. */
const hintBelow: InputWrapperProps['inputWrapperOrder'] = ['label', 'input', 'description', 'error'];

/** All fields of an agent. */
export function AgentInputs({ form }: { form: AgentForm }) {
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        <TextInput
          label="Role"
          description="Participants of a room see the role. If empty, it is the name."
          inputWrapperOrder={hintBelow}
          {...form.getInputProps('role')}
        />
      </SimpleGrid>
      <LongText form={form} name="instructions" label="Instructions" minRows={6} maxRows={20} />
      <LongText
        form={form}
        name="firstMessage"
        label="First message"
        hint="Write a variable as {name}. If empty, the agent chooses its own words."
        minRows={2}
        maxRows={8}
      />
      <LongText form={form} name="responseGuidelines" label="Response guidelines" minRows={2} maxRows={10} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput
          label="Temperature"
          description={`${heat.min} to ${heat.max}: how freely answers vary.`}
          min={heat.min}
          max={heat.max}
          step={0.1}
          decimalScale={2}
          {...form.getInputProps('temperature')}
        />
        <NumberInput
          label="Longest session (minutes)"
          description={`${minutes.min} to ${minutes.max}.`}
          min={minutes.min}
          max={minutes.max}
          allowDecimal={false}
          {...form.getInputProps('maxSessionMinutes')}
        />
      </SimpleGrid>
      <Switch
        label="Speaks first"
        description="If off, the agent waits until somebody speaks."
        {...form.getInputProps('speaksFirst', { type: 'checkbox' })}
      />
      <TextInput
        type="url"
        label="Webhook"
        description="The https address to which your application reports the agent’s sessions."
        {...form.getInputProps('webhookUrl')}
      />
      <ReferenceInputs form={form} />
    </Stack>
  );
}

interface LongTextProps {
  form: AgentForm;
  name: 'instructions' | 'firstMessage' | 'responseGuidelines';
  label: string;
  hint?: string;
  minRows: number;
  maxRows: number;
}

function LongText({ form, name, label, hint, minRows, maxRows }: LongTextProps) {
  const used = `${numberText(countCharacters(form.values[name]))} of ${numberText(agentBounds[name])} characters`;
  return (
    <Textarea
      label={label}
      description={hint === undefined ? used : `${hint} ${used}.`}
      autosize
      minRows={minRows}
      maxRows={maxRows}
      {...form.getInputProps(name)}
    />
  );
}

function ReferenceInputs({ form }: { form: AgentForm }) {
  return (
    <Fieldset legend="Reference">
      <Text size="sm" c="dimmed" mb="sm">
        The providers of the imported agent, for your information.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }}>
        {referenceNames.map(name => (
          <TextInput key={name} label={referenceFields[name]} {...form.getInputProps(`reference.${name}`)} />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
