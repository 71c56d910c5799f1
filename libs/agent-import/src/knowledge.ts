import { cutText } from './characters.js';
import type { Findings } from './findings.js';
import type { DefinitionPart } from './imported-agent.js';
import type { Place } from './place.js';

/** A list of ids, or the one id in its place. */
export function listKnowledgeFiles(ids: Place, findings: Findings, part?: DefinitionPart): void {
  for (const { text, path } of ids.labels()) findings.finish('knowledge_file', path, { id: cutText(text, 128) }, part);
}

/** Platform A: files, a server that is asked, or a knowledge base by its id. */
export function listKnowledgeA(holder: Place, findings: Findings): void {
  const base = holder.at('knowledgeBase');
  listKnowledgeFiles(holder.at('knowledgeBaseId'), findings);
  if (typeof base.value === 'string') listKnowledgeFiles(base, findings);
  listKnowledgeBase(base, findings);
}

/** The files of platform A's `query` tools, which is how knowledge is attached today. */
export function listQueryKnowledge(tool: Place, findings: Findings, part?: DefinitionPart): void {
  listKnowledgeFiles(tool.at('fileIds'), findings, part);
  for (const base of tool.at('knowledgeBases').items()) listKnowledgeBase(base, findings, part);
}

function listKnowledgeBase(base: Place, findings: Findings, part?: DefinitionPart): void {
  const files = base.at('fileIds');
  listKnowledgeFiles(files, findings, part);
  if (base.at('server').exists) findings.finish('knowledge_server', base.path, {}, part);
  else if (files.labels().length === 0 && Object.keys(base.fields).length > 0)
    findings.finish('knowledge_base', base.path, {}, part);
}
