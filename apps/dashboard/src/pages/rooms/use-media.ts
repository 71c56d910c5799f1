import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { messageOf } from '../../api/request.js';

/** Plays or publishes until it is closed. */
export interface Media {
  close(): unknown;
}

type MediaPhase = 'idle' | 'opening' | 'open';

/** Opens media for a video element. The caller aborts `signal` to end it; the media calls `onLost` when it ends by itself. */
export type OpenMedia<Fields> = (
  fields: Fields,
  place: { video: HTMLVideoElement; signal: AbortSignal; onLost: (why: string) => void },
) => Promise<Media>;

export interface MediaControls<Fields> {
  video: RefObject<HTMLVideoElement | null>;
  phase: MediaPhase;
  problem: string | undefined;
  start: (fields: Fields) => void;
  stop: () => void;
}

/** A video element and its media. The media is closed with the page. */
export function useMedia<Fields>(open: OpenMedia<Fields>): MediaControls<Fields> {
  const video = useRef<HTMLVideoElement>(null);
  const running = useRef<AbortController>(null);
  const [phase, setPhase] = useState<MediaPhase>('idle');
  const [problem, setProblem] = useState<string>();

  const end = useCallback((why?: string) => {
    running.current?.abort();
    running.current = null;
    if (video.current) video.current.srcObject = null;
    setPhase('idle');
    setProblem(why);
  }, []);

  const start = useCallback(
    async (fields: Fields) => {
      if (!video.current) return;
      running.current?.abort();
      const wanted = new AbortController();
      running.current = wanted;
      const { signal } = wanted;
      const endThis = (why: string) => void (signal.aborted || end(why));
      setPhase('opening');
      setProblem(undefined);
      try {
        const media = await open(fields, { video: video.current, signal, onLost: endThis });
        if (signal.aborted) return void media.close();
        signal.addEventListener('abort', () => void media.close());
        setPhase('open');
      } catch (error) {
        endThis(messageOf(error));
      }
    },
    [open, end],
  );

  useEffect(() => () => running.current?.abort(), []);
  return { video, phase, problem, start: fields => void start(fields), stop: () => end() };
}
