import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { shownKey } from '../../api/query-keys.js';
import { roomTexts as texts } from '../../texts/rooms.js';
import { sessions, type ExternalSession } from './meeting-api.js';

const mostSources = 100;

/** The sessions that are being published into a room. */
function useActiveSessions(meetingID: string): ExternalSession[] {
  const { data } = useQuery({
    queryKey: shownKey('externalSession', 'active', meetingID),
    queryFn: ({ signal }) => sessions.list(meetingID, { startIndex: 0, pageSize: mostSources }, signal),
  });
  return data?.items.filter(({ state }) => state === 'active') ?? [];
}

/** The session that was chosen, else the newest, and the field to choose it with. */
export function useSource(meetingID: string): { source: ExternalSession | undefined; choice: ReactNode } {
  const active = useActiveSessions(meetingID);
  const [chosen, setChosen] = useState<string | null>(null);
  const source = active.find(({ sessionID }) => sessionID === chosen) ?? active[0];
  const choice = (
    <Select
      label={texts.source}
      data={active.map(({ sessionID, displayName }) => ({ value: sessionID, label: displayName }))}
      value={source?.sessionID ?? null}
      onChange={setChosen}
      placeholder={texts.noSource}
      disabled={active.length === 0}
      allowDeselect={false}
    />
  );
  return { source, choice };
}
