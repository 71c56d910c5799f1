import type { PlayerStatus, RtmsPlayerElement } from '@rtms/player';
import type { DetailedHTMLProps, HTMLAttributes } from 'react';

type Settings = 'autoplay' | 'controls' | 'hls' | 'muted' | 'prefer' | 'renew' | 'shared' | 'token' | 'tracks' | 'whep';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'rtms-player': DetailedHTMLProps<HTMLAttributes<RtmsPlayerElement>, RtmsPlayerElement> & {
        [Name in Settings]?: RtmsPlayerElement[Name] | undefined;
      } & { label?: string; onstatechange?: (event: CustomEvent<PlayerStatus>) => void };
    }
  }
}
