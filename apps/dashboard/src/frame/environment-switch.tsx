import { SegmentedControl } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { apiEnvironments, environmentStorageKey, toEnvironment, type ApiEnvironment } from '../api/environment.js';
import { frameTexts } from '../texts/frame.js';

const choices = apiEnvironments.map(value => ({ value, label: frameTexts.environments[value] }));

/** Which rooms the page shows; the page fetches everything again after a change. */
export function EnvironmentSwitch() {
  const client = useQueryClient();
  const [environment, setEnvironment] = useLocalStorage<ApiEnvironment>({
    key: environmentStorageKey,
    defaultValue: 'all',
    getInitialValueInEffect: false,
    serialize: value => value,
    deserialize: toEnvironment,
    sync: true,
  });
  const change = (value: string) => {
    setEnvironment(value as ApiEnvironment);
    void client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== 'session' });
  };
  return (
    <SegmentedControl
      aria-label={frameTexts.environment}
      data={choices}
      value={environment}
      onChange={change}
      size="xs"
    />
  );
}
