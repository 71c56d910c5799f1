import { SegmentedControl } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { environmentStorageKey, type ApiEnvironment } from '../api/environment.js';
import { frameTexts } from '../texts/frame.js';

const choices = (['sandbox', 'production'] as const).map(value => ({ value, label: frameTexts.environments[value] }));

/** Whose place the page acts in; everything that is shown is fetched again. */
export function EnvironmentSwitch() {
  const client = useQueryClient();
  const [environment, setEnvironment] = useLocalStorage<ApiEnvironment>({
    key: environmentStorageKey,
    defaultValue: 'sandbox',
    getInitialValueInEffect: false,
    serialize: value => value,
    deserialize: value => (value === 'production' ? value : 'sandbox'),
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
