import { importAgent } from '@rtms/agent-import';

/** Runs beside the page, so that the page answers while a definition is read, and can stop it. */
self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(importAgent(data));
