import { cutText } from './characters.js';
import { fieldsOf, listOf, textOf, type Fields } from './fields.js';
import type { Findings } from './findings.js';

export function listKnowledgeFile(id: string, findings: Findings): void {
  findings.finish('knowledge', `Upload the file of “${cutText(id, 128)}” to the agent’s knowledge.`);
}

/** Platform A: files, a server that is asked, or a knowledge base by its id. */
export function listKnowledgeA(holder: Fields, findings: Findings): void {
  const base = fieldsOf(holder.knowledgeBase);
  const files = textsOf(base.fileIds);
  for (const id of files) listKnowledgeFile(id, findings);
  for (const id of textsOf([holder.knowledgeBaseId, holder.knowledgeBase])) listKnowledgeFile(id, findings);
  const isServer = base.server !== undefined && base.server !== null;
  if (isServer)
    findings.finish(
      'knowledge',
      'Upload what the definition’s knowledge server answers with to the agent’s knowledge.',
    );
  else if (files.length === 0 && Object.keys(base).length > 0) {
    findings.finish('knowledge', 'Upload the files of the definition’s knowledge base to the agent’s knowledge.');
  }
}

/** Texts of a list, or the one text that stands in its place. */
export function textsOf(value: unknown): string[] {
  const all = typeof value === 'string' ? [value] : listOf(value);
  return all.map(textOf).filter(text => text !== '');
}
