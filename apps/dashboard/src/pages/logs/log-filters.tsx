import { Button, Group, TextInput } from '@mantine/core';
import { logsTexts as texts } from '../../texts/logs.js';
import type { LogFilter } from './logs-api.js';

interface LogFiltersProps {
  filter: LogFilter;
  onChange: (filter: LogFilter) => void;
}

export const noFilter: LogFilter = { meetingID: '', from: '', to: '' };

export function LogFilters({ filter, onChange }: LogFiltersProps) {
  const input = (name: keyof LogFilter) => ({
    label: texts[name],
    value: filter[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange({ ...filter, [name]: currentTarget.value }),
  });
  const isFiltered = Object.values(filter).some(value => value !== '');
  return (
    <Group role="search" aria-label={texts.filters} align="flex-end">
      <TextInput placeholder={texts.meetingIDHint} w={280} {...input('meetingID')} />
      <TextInput type="datetime-local" w={210} {...input('from')} />
      <TextInput type="datetime-local" w={210} {...input('to')} />
      <Button variant="default" disabled={!isFiltered} onClick={() => onChange(noFilter)}>
        {texts.clear}
      </Button>
    </Group>
  );
}
