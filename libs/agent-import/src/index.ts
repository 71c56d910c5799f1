export { importAgent } from './import-agent.js';
export type * from './imported-agent.js';
