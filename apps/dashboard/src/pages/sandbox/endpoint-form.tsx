import { Button, Card, Grid, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconSend } from '@tabler/icons-react';
import { useState, type SubmitEvent } from 'react';
import { Section } from '../../parts/section.js';
import { sandboxTexts as texts } from '../../texts/sandbox.js';
import { AnswerView } from './answer-view.js';
import type { Endpoint } from './endpoints.js';
import { FieldInputs } from './field-input.js';
import { fieldProblems } from './field-problems.js';
import { exampleValues, formFields, initialValues, inputsOf } from './form-fields.js';
import { RequestView } from './request-view.js';
import { sendWithKey } from './sandbox-api.js';
import { sandboxRequest, type SandboxRequest } from './sandbox-request.js';

interface EndpointFormProps {
  endpoint: Endpoint;
  /** Of a sandbox key; nothing is sent without one. */
  credential: string | undefined;
}

interface Sent {
  request: SandboxRequest;
  credential: string;
}

/** The fields of one call, what is sent, and what came back. */
export function EndpointForm({ endpoint, credential }: EndpointFormProps) {
  const [fields] = useState(() => formFields(endpoint));
  const [values, setValues] = useState(() => initialValues(fields));
  const [wasTried, setWasTried] = useState(false);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (sent: Sent) => sendWithKey(sent.request, sent.credential),
    meta: { quiet: true },
    gcTime: 0,
  });
  const problems = fieldProblems(fields, values);
  const request = sandboxRequest(endpoint, fields, values);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    setWasTried(true);
    if (credential !== undefined && Object.keys(problems).length === 0) mutate({ request, credential });
  };
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Section title={texts.fields} actions={<FillButtons fields={fields} onFill={setValues} />}>
          <Card component="form" onSubmit={send} noValidate aria-label={texts.fields}>
            <Stack>
              <Text size="sm" c="dimmed">
                {endpoint.description.replaceAll('`', '')}
              </Text>
              {inputsOf(fields).length === 0 && <Text size="sm">{texts.noFields}</Text>}
              <FieldInputs
                fields={fields}
                values={values}
                problems={wasTried ? problems : {}}
                onChange={(key, value) => setValues(before => ({ ...before, [key]: value }))}
              />
              <Group justify="flex-end">
                <Button
                  type="submit"
                  disabled={credential === undefined}
                  loading={isPending}
                  leftSection={<IconSend size={16} aria-hidden />}
                >
                  {texts.send}
                </Button>
              </Group>
            </Stack>
          </Card>
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Stack gap="lg">
          <RequestView request={request} />
          <AnswerView answer={data} error={error} isWaiting={isPending} />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

interface FillButtonsProps {
  fields: ReturnType<typeof formFields>;
  onFill: (values: ReturnType<typeof initialValues>) => void;
}

function FillButtons({ fields, onFill }: FillButtonsProps) {
  return (
    <Group gap="xs">
      <Button size="compact-sm" variant="default" onClick={() => onFill(exampleValues(fields))}>
        {texts.fillExample}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => onFill(initialValues(fields))}>
        {texts.clear}
      </Button>
    </Group>
  );
}
