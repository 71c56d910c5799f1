import { importAgent } from '@rtms/agent-import';

/** A worker, so that the page stays responsive and can stop the reading. */
self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(importAgent(data));
