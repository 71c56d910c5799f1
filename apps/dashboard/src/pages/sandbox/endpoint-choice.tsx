import { Select, Stack } from '@mantine/core';
import { sandboxTexts as texts } from '../../texts/sandbox.js';
import { resourcesOf, type Endpoint } from './endpoints.js';

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
        label={texts.resource}
        data={resourcesOf(endpoints)}
        value={chosen.resource}
        allowDeselect={false}
        searchable
        onChange={resource => onChange(ofResource(resource ?? '')[0]?.id ?? chosen.id)}
      />
      <Select
        label={texts.action}
        data={ofResource(chosen.resource).map(({ id, action, method, path }) => ({
          value: id,
          label: texts.actionOf(action, method, path),
        }))}
        value={chosen.id}
        allowDeselect={false}
        onChange={id => onChange(id ?? chosen.id)}
      />
    </Stack>
  );
}
