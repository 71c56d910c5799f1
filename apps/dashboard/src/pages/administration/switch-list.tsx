import { Card, Stack, Switch } from '@mantine/core';
import { useQuery, type QueryKey } from '@tanstack/react-query';
import { LoadFailure } from '../../parts/load-failure.js';
import { useAction } from '../../parts/use-action.js';
import { Waiting } from '../../parts/waiting.js';

interface SwitchListProps<Name extends string> {
  label: string;
  queryKey: QueryKey;
  read: (signal: AbortSignal) => Promise<Readonly<Record<Name, boolean>>>;
  write: (name: Name, isOn: boolean) => Promise<void>;
  /** In the order in which they are shown. */
  names: Readonly<Record<Name, string>>;
  hints?: Readonly<Record<Name, string>>;
}

/** Things that are on or off, each switched at once. */
export function SwitchList<Name extends string>(props: SwitchListProps<Name>) {
  const { label, queryKey, read, names } = props;
  const { data: states, error, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => read(signal) });
  if (error && !states) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!states) return <Waiting h={180} label={label} />;
  return (
    <Card role="group" aria-label={label}>
      <Stack gap="md">
        {(Object.keys(names) as Name[]).map(name => (
          <OneSwitch key={name} {...props} name={name} isOn={states[name]} />
        ))}
      </Stack>
    </Card>
  );
}

function OneSwitch<Name extends string>(props: SwitchListProps<Name> & { name: Name; isOn: boolean }) {
  const { name, names, hints, write, isOn } = props;
  const { mutate, isPending } = useAction({
    run: async (wanted: boolean) => {
      await write(name, wanted);
      return wanted;
    },
    changes: ['admin'],
  });
  return (
    <Switch
      label={names[name]}
      description={hints?.[name]}
      checked={isOn}
      disabled={isPending}
      size="md"
      onChange={event => mutate(event.currentTarget.checked)}
    />
  );
}
