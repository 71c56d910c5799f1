declare module 'm3u8-parser' {
  export class Parser {
    readonly manifest: {
      segments: { uri: string; duration: number; discontinuity?: boolean; timeline: number; map?: { uri: string } }[];
      playlists?: { uri: string; attributes: Record<string, unknown> }[];
      mediaSequence?: number;
      discontinuitySequence?: number;
      skip?: { skippedSegments: number };
      targetDuration?: number;
      endList?: boolean;
    };
    on(event: 'warn' | 'info', listener: (event: { message: string }) => void): void;
    push(text: string): void;
    end(): void;
  }
}
