export { describeFinding, describePart } from './finding-texts.js';
export { findingLimits, isComplete } from './findings.js';
export { importAgent, maxCredentials } from './import-agent.js';
export type * from './imported-agent.js';
export { definitionLimits } from './parse-definition.js';
export { todoOf } from './todo.js';
