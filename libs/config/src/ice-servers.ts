import { z } from 'zod';

const iceServer = z.object({
  urls: z.union([z.string(), z.array(z.string())]),
  username: z.string().optional(),
  credential: z.string().optional(),
});

/** `RTCIceServer` of the WebRTC API. */
export type IceServer = z.infer<typeof iceServer>;

/** Environment variable with a JSON list of STUN and TURN servers. */
export const iceServersVariable = z.string().transform((text, context): IceServer[] => {
  const list = z.array(iceServer).safeParse(parseJson(text));
  if (list.success) return list.data;
  context.addIssue('must be a JSON list of { "urls", "username", "credential" }');
  return z.NEVER;
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
