import { Button, Card, Grid, Group, Select, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { Section } from '../../parts/page.js';
import { AnswerView, RequestView } from './call-views.js';
import { resourcesOf, type Endpoint } from './endpoints.js';
import { FieldInputs } from './field-input.js';
import { exampleValues, fieldProblems, formFields, initialValues, inputsOf } from './form-fields.js';
import { sendWithKey } from './sandbox-api.js';
import { sandboxRequest, type SandboxRequest } from './sandbox-request.js';

interface EndpointFormProps {
  endpoint: Endpoint;
  /** A sandbox key. undefined: the form cannot send. */
  credential: string | undefined;
}

interface Sent {
  request: SandboxRequest;
  credential: string;
}

/** The fields, the request and the response of one call. */
export function EndpointForm({ endpoint, credential }: EndpointFormProps) {
  const [fields] = useState(() => formFields(endpoint));
  const [values, setValues] = useState(() => initialValues(fields));
  const [wasTried, setWasTried] = useState(false);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (sent: Sent) => sendWithKey(sent.request, sent.credential),
    meta: { quiet: true },
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
        <Section title="Fields" actions={<FillButtons fields={fields} onFill={setValues} />}>
          <Card component="form" onSubmit={send} noValidate aria-label="Fields">
            <Stack>
              <Text size="sm" c="dimmed">
                {endpoint.description}
              </Text>
              {inputsOf(fields).length === 0 && <Text size="sm">This call has no fields.</Text>}
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
                  Send
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
        Fill in the example
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => onFill(initialValues(fields))}>
        Reset
      </Button>
    </Group>
  );
}

interface EndpointChoiceProps {
  endpoints: readonly Endpoint[];
  chosen: Endpoint;
  onChange: (id: string) => void;
}

export function EndpointChoice({ endpoints, chosen, onChange }: EndpointChoiceProps) {
  const ofResource = (resource: string) => endpoints.filter(endpoint => endpoint.resource === resource);
  return (
    <Stack>
      <Select
        label="Resource"
        data={resourcesOf(endpoints)}
        value={chosen.resource}
        allowDeselect={false}
        searchable
        onChange={resource => onChange(ofResource(resource ?? '')[0]?.id ?? chosen.id)}
      />
      <Select
        label="Action"
        data={ofResource(chosen.resource).map(({ id, action, method, path }) => ({
          value: id,
          label: `${action} — ${method} ${path}`,
        }))}
        value={chosen.id}
        allowDeselect={false}
        onChange={id => onChange(id ?? chosen.id)}
      />
    </Stack>
  );
}
