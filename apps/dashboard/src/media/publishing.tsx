import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { loadPart, messageOf } from '../parts/messages.js';
import { rooms } from '../api/resource.js';
import type { Published } from './publish-camera.js';
import { useServerState, type FollowedResource } from './server-state.js';

/** The camera of this browser, on its way into a room. */
interface Publication {
  phase: 'opening' | 'open';
  /** undefined: the room is being created. */
  meetingID: string | undefined;
  stream: MediaStream | undefined;
  sessionID: string | undefined;
}

export interface Publishing {
  current: Publication | undefined;
  /** `waiting`: the service waits for the camera. */
  state: 'live' | 'waiting';
  /** Why the last publication failed. */
  problem: string | undefined;
  /** Why the last publication ended by itself. */
  ended: string | undefined;
  /** Publishes into a room. Without one, creates a room first. Resolves to the room; undefined after a failure. */
  start: (meetingID?: string) => Promise<string | undefined>;
  stop: () => void;
  /** The room whose page starts its players without a click, the next time it is shown. */
  playersOf: string | undefined;
  startPlayersOf: (meetingID: string | undefined) => void;
}

/** Whether the page of the room starts its players without a click: once, after "Go live". */
export function useStartsPlayers(meetingID: string): boolean {
  const { playersOf, startPlayersOf } = usePublishing();
  const [startsPlayers] = useState(playersOf === meetingID);
  useEffect(() => startPlayersOf(undefined), [startPlayersOf]);
  return startsPlayers;
}

const PublishingContext = createContext<Publishing | undefined>(undefined);

export function usePublishing(): Publishing {
  const publishing = use(PublishingContext);
  if (!publishing) throw new Error('The page has no PublishingProvider.');
  return publishing;
}

/** Keeps one camera publishing while the user moves between pages. It stops with the sign-out. */
export function PublishingProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [current, setCurrent] = useState<Publication>();
  const [outcome, setOutcome] = useState<{ problem?: string; ended?: string }>({});
  const running = useRef<AbortController>(null);
  const [playersOf, startPlayersOf] = useState<string>();

  const controls = useMemo(() => {
    const stop = (how: { problem?: string; ended?: string } = {}) => {
      running.current?.abort();
      running.current = null;
      setCurrent(undefined);
      setOutcome(how);
    };
    const start = async (into?: string) => {
      stop();
      const { signal } = (running.current = new AbortController());
      let publication: Publication = { phase: 'opening', meetingID: into, stream: undefined, sessionID: undefined };
      const show = (changes: Partial<Publication>) => {
        publication = { ...publication, ...changes };
        if (!signal.aborted) setCurrent(publication);
      };
      show({});
      try {
        const { openCamera, publishCamera, stopTracks } = await loadPart(import('./publish-camera.js'));
        const stream = await openCamera();
        if (signal.aborted) stopTracks(stream);
        signal.throwIfAborted();
        signal.addEventListener('abort', () => stopTracks(stream));
        show({ stream });
        const meetingID = into ?? (await createRoom());
        signal.throwIfAborted();
        show({ meetingID });
        const onLost = (why: string) => void (signal.aborted || stop({ problem: why }));
        const published: Published = await publishCamera(stream, meetingID, { signal, onLost });
        show({ phase: 'open', sessionID: published.sessionID });
        void client.invalidateQueries({ queryKey: ['externalSession'] });
        return meetingID;
      } catch (error) {
        if (!signal.aborted) stop({ problem: messageOf(error) });
        return undefined;
      }
    };
    return { start, stop };
  }, [client]);

  useEffect(() => () => running.current?.abort(), []);
  useQuestionBeforeLeaving(current !== undefined);
  const state = useServerState(followed(current), why => controls.stop({ ended: why }));
  const publishing = useMemo(
    () => ({
      ...{ current, state, problem: outcome.problem, ended: outcome.ended },
      ...{ start: controls.start, stop: () => controls.stop(), playersOf, startPlayersOf },
    }),
    [current, state, outcome, controls, playersOf],
  );
  return <PublishingContext value={publishing}>{children}</PublishingContext>;
}

async function createRoom(): Promise<string> {
  const { meetingID } = await rooms.create({ userName: 'Browser camera', eventType: null });
  return meetingID;
}

/** The browser asks whether to leave or to reload the page. It shows its own words. */
function useQuestionBeforeLeaving(isPublishing: boolean): void {
  useEffect(() => {
    if (!isPublishing) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isPublishing]);
}

function followed(current: Publication | undefined): FollowedResource[] {
  const { meetingID, sessionID } = current ?? {};
  if (meetingID === undefined || sessionID === undefined) return [];
  return [{ kind: 'externalSession', meetingID, id: sessionID }];
}
