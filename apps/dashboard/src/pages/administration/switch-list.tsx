import { Card, Stack, Switch } from '@mantine/core';
import { useQuery, type QueryKey } from '@tanstack/react-query';
import { useAction } from '../../parts/actions.js';
import { Loaded } from '../../parts/page.js';

export const featureNames = {
  whip: 'WHIP ingest',
  whep: 'WHEP playback',
  hls: 'HLS broadcast',
  srt: 'SRT ingest',
  rtmp: 'RTMP ingest',
  rtmps: 'RTMPS ingest',
} as const;

interface SwitchListProps<Name extends string> {
  label: string;
  queryKey: QueryKey;
  read: (signal: AbortSignal) => Promise<Readonly<Record<Name, boolean>>>;
  write: (name: Name, isOn: boolean) => Promise<unknown>;
  /** In the order of the list. */
  names: Readonly<Record<Name, string>>;
  hints?: Readonly<Record<Name, string>>;
}

/** A list of switches. Each sends its change at once. */
export function SwitchList<Name extends string>(props: SwitchListProps<Name>) {
  const { label, queryKey, read, names } = props;
  const query = useQuery({ queryKey, queryFn: ({ signal }) => read(signal) });
  return (
    <Loaded query={query} height={180}>
      {states => (
        <Card role="group" aria-label={label}>
          <Stack gap="md">
            {(Object.keys(names) as Name[]).map(name => (
              <OneSwitch key={name} {...props} name={name} isOn={states[name]} />
            ))}
          </Stack>
        </Card>
      )}
    </Loaded>
  );
}

function OneSwitch<Name extends string>(props: SwitchListProps<Name> & { name: Name; isOn: boolean }) {
  const { name, names, hints, write, isOn } = props;
  const { mutate, isPending } = useAction({ run: (wanted: boolean) => write(name, wanted), changes: ['admin'] });
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
