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
import { agentsTexts as texts } from '../../texts/agents.js';
import { countCharacters, referenceNames, type AgentValues } from './agent-values.js';

type AgentForm = UseFormReturnType<AgentValues>;

const { temperature: heat, sessionMinutes: minutes } = agentBounds;

/** Fields in one row begin at one height. */
const hintBelow: InputWrapperProps['inputWrapperOrder'] = ['label', 'input', 'description', 'error'];

/** Every field of an agent, within its bounds. */
export function AgentInputs({ form }: { form: AgentForm }) {
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={texts.name} required data-autofocus {...form.getInputProps('name')} />
        <TextInput
          label={texts.role}
          description={texts.roleHint}
          inputWrapperOrder={hintBelow}
          {...form.getInputProps('role')}
        />
      </SimpleGrid>
      <LongText form={form} name="instructions" minRows={6} maxRows={20} />
      <LongText form={form} name="firstMessage" hint={texts.firstMessageHint} minRows={2} maxRows={8} />
      <LongText form={form} name="responseGuidelines" minRows={2} maxRows={10} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput
          label={texts.temperature}
          description={texts.temperatureHint(heat.min, heat.max)}
          min={heat.min}
          max={heat.max}
          step={0.1}
          decimalScale={2}
          {...form.getInputProps('temperature')}
        />
        <NumberInput
          label={texts.maxSessionMinutes}
          description={texts.minutesHint(minutes.min, minutes.max)}
          min={minutes.min}
          max={minutes.max}
          allowDecimal={false}
          {...form.getInputProps('maxSessionMinutes')}
        />
      </SimpleGrid>
      <Switch
        label={texts.speaksFirst}
        description={texts.speaksFirstHint}
        {...form.getInputProps('speaksFirst', { type: 'checkbox' })}
      />
      <TextInput
        type="url"
        label={texts.webhookUrl}
        description={texts.webhookHint}
        {...form.getInputProps('webhookUrl')}
      />
      <ReferenceInputs form={form} />
    </Stack>
  );
}

interface LongTextProps {
  form: AgentForm;
  name: 'instructions' | 'firstMessage' | 'responseGuidelines';
  hint?: string;
  minRows: number;
  maxRows: number;
}

function LongText({ form, name, hint, minRows, maxRows }: LongTextProps) {
  const used = texts.characters(countCharacters(form.values[name]), agentBounds[name]);
  return (
    <Textarea
      label={texts[name]}
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
    <Fieldset legend={texts.reference}>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.referenceHint}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }}>
        {referenceNames.map(name => (
          <TextInput key={name} label={texts.referenceFields[name]} {...form.getInputProps(`reference.${name}`)} />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
