import { Card, Stack, Switch } from '@mantine/core';
import { useQuery, type QueryKey } from '@tanstack/react-query';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useAction } from '../../parts/actions.js';
import { ConfirmDialog } from '../../parts/buttons.js';
import { Loaded } from '../../parts/page.js';

export const featureNames = {
  whip: 'WHIP ingest',
  whep: 'WHEP playback',
  hls: 'HLS broadcast',
  srt: 'SRT ingest',
  rtmp: 'RTMP ingest',
  rtmps: 'RTMPS ingest',
} as const;
export type Feature = keyof typeof featureNames;

interface SwitchListProps<Name extends string> {
  label: string;
  queryKey: QueryKey;
  read: (signal: AbortSignal) => Promise<Readonly<Record<NoInfer<Name>, boolean>>>;
  write: (name: NoInfer<Name>, isOn: boolean) => Promise<unknown>;
  /** In the order of the list. */
  names: Readonly<Record<Name, string>>;
  hints?: Readonly<Record<NoInfer<Name>, string>>;
  /** Says what a change does. The list then asks before each change. */
  consequenceOf?: (name: NoInfer<Name>, isOn: boolean) => ReactNode;
}

/** A list of switches. Each sends its change at once, or after a confirmation. */
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
  const { name, names, hints, write, isOn, consequenceOf } = props;
  const [isAsking, { open: ask, close }] = useDisclosure();
  const { mutate, isPending } = useAction({
    run: (wanted: boolean) => write(name, wanted),
    changes: ['admin'],
    onDone: close,
  });
  const verb = isOn ? 'Disable' : 'Enable';
  return (
    <>
      <Switch
        label={names[name]}
        description={hints?.[name]}
        checked={isOn}
        disabled={isPending}
        size="md"
        onChange={() => (consequenceOf ? ask() : mutate(!isOn))}
      />
      {consequenceOf && (
        <ConfirmDialog
          {...{ isOpen: isAsking, close, isPending }}
          title={`${verb} ${names[name]}?`}
          text={consequenceOf(name, !isOn)}
          confirmLabel={verb}
          confirm={() => mutate(!isOn)}
        />
      )}
    </>
  );
}
