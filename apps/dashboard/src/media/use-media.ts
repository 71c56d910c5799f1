import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { messageOf } from '../parts/messages.js';
import { useServerState, type FollowedResource } from './server-state.js';

/** Plays or publishes until it is closed. */
export interface Media {
  close(): unknown;
}

const followsNothing: readonly FollowedResource[] = [];

/** How the media ended by itself. */
interface Outcome {
  problem?: string;
  ended?: string;
}

type MediaPhase = 'idle' | 'opening' | 'open';

interface MediaPlace {
  video: HTMLVideoElement;
  /** The caller aborts it to end the media. */
  signal: AbortSignal;
  /** The media ends when one of these ends, in place of the former ones. The first one tells why. */
  follow: (resources: readonly FollowedResource[]) => void;
  /** The media failed. */
  onLost: (why: string) => void;
}

/** Opens media for a video element. */
export type OpenMedia<Fields> = (fields: Fields, place: MediaPlace) => Promise<Media>;

export interface MediaControls<Fields> {
  video: RefObject<HTMLVideoElement | null>;
  phase: MediaPhase;
  /** `waiting`: the service waits for the source, and the picture stands still. */
  state: 'live' | 'waiting';
  /** Why the media failed. */
  problem: string | undefined;
  /** Why the media ended by itself. */
  ended: string | undefined;
  start: (fields: Fields) => void;
  stop: () => void;
}

/** A video element and its media. The media is closed with the page. */
export function useMedia<Fields>(open: OpenMedia<Fields>): MediaControls<Fields> {
  const video = useRef<HTMLVideoElement>(null);
  const running = useRef<AbortController>(null);
  const [phase, setPhase] = useState<MediaPhase>('idle');
  const [outcome, setOutcome] = useState<Outcome>({});
  const [follows, setFollows] = useState(followsNothing);

  const end = useCallback((how: Outcome = {}) => {
    running.current?.abort();
    running.current = null;
    if (video.current) video.current.srcObject = null;
    setPhase('idle');
    setFollows(followsNothing);
    setOutcome(how);
  }, []);
  const state = useServerState(follows, why => end({ ended: why }));

  const start = useCallback(
    async (fields: Fields) => {
      if (!video.current) return;
      running.current?.abort();
      const wanted = new AbortController();
      running.current = wanted;
      const { signal } = wanted;
      const endThis = (how: Outcome) => void (signal.aborted || end(how));
      const onLost = (problem: string) => endThis({ problem });
      const follow = (resources: readonly FollowedResource[]) => void (signal.aborted || setFollows(resources));
      setPhase('opening');
      setOutcome({});
      setFollows(followsNothing);
      try {
        const media = await open(fields, { video: video.current, signal, follow, onLost });
        if (signal.aborted) return void media.close();
        signal.addEventListener('abort', () => void media.close());
        setPhase('open');
      } catch (error) {
        endThis({ problem: messageOf(error) });
      }
    },
    [open, end],
  );

  useEffect(() => () => running.current?.abort(), []);
  const { problem, ended } = outcome;
  return { video, phase, state, problem, ended, start: fields => void start(fields), stop: () => end() };
}
