export { importAgent } from './import-agent.js';
export type * from './imported-agent.js';
export { todoOf } from './todo.js';
