import { useQueries } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { broadcasts, isOver, playbacks, sessions } from '../api/meetings.js';
import { shownKey } from '../api/resource.js';
import { endTexts } from './reasons.js';

const found = { externalSession: sessions, playback: playbacks, broadcast: broadcasts } as const;

/** A resource of the service that media of this page depends on. */
export interface FollowedResource {
  kind: keyof typeof found;
  meetingID: string;
  id: string;
}

/** In these states no media flows, and the service waits for the source. */
const waitingStates: readonly string[] = ['pending', 'interrupted'];

/** No event may arrive while the event stream is down. */
const refetchMs = 10_000;

/**
 * Follows the state of resources by the events of the service, which arrive within a second. Calls `onEnd` once the first of them has
 * ended, with the reason of the first in the list. Returns whether one waits for its source.
 */
export function useServerState(
  resources: readonly FollowedResource[],
  onEnd: (why: string) => void,
): 'live' | 'waiting' {
  const states = useQueries({
    queries: resources.map(({ kind, meetingID, id }) => ({
      queryKey: shownKey(kind, 'followed', meetingID, id),
      queryFn: ({ signal }: { signal: AbortSignal }) => found[kind].find(meetingID, id, signal),
      refetchInterval: refetchMs,
      // An earlier answer may be older than the media.
      staleTime: 0,
    })),
  }).flatMap(({ data }) => data ?? []);
  const over = states.find(isOver);
  const why = over && (over.endReason === null ? 'It failed.' : endTexts[over.endReason]);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (why !== undefined) end(why);
  }, [why]);
  return states.some(({ state }) => waitingStates.includes(state)) ? 'waiting' : 'live';
}
