export { describeFinding, describePart, todoOf } from './findings/finding-texts.js';
export { findingLimits, isComplete } from './findings/findings.js';
export { importAgent, maxCredentials } from './import-agent.js';
export type * from './findings/imported-agent.js';
export { definitionLimits } from './definition/parse-definition.js';
