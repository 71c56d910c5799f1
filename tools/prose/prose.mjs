/** @typedef {{ line: number, text: string, isName?: boolean }} Passage a comment, a test's name or a paragraph */

const wordsAtMost = 25;

/** Openings that hide the actor, except in questions. */
const opening = /^(?:What|Whatever|Who|Whoever|Whom|Whose|Where|Wherever)\b/;

/** Words of this project's past, each with the word to use. */
const banned = /** @type {const} */ ([
  [/\bnews\b/i, 'event, message'],
  [/\b(?:is|are|was|were|be|been) told\b/i, 'receives, gets'],
  [/\b(?:goes|go|went|gone) away\b/i, 'closes, ends, is deleted'],
  [/\b(?:is|are) no more\b/i, 'has ended, is deleted'],
  [/\bstands? (?:in|at|under|there|here)\b/i, 'is, has'],
  [/\bsuch as (?:it|they) (?:is|are)\b/i, 'the present …'],
  [/\bneither more nor less\b/i, 'exactly'],
]);

/** Lists, cells, headings and paragraphs of a page, without code blocks. @param {string} page @returns {Passage[]} */
export function passagesOfPage(page) {
  const lines = page.replace(/^```[^]*?^```/gm, block => block.replace(/[^\n]+/g, '')).split('\n');
  /** @type {Passage[]} */
  const passages = [];
  for (const [at, line] of lines.entries()) {
    const row = /^\s*\|(.*)\|\s*$/.exec(line)?.[1];
    if (row !== undefined) passages.push(...row.split(/(?<!\\)\|/).map(text => ({ line: at + 1, text })));
    else if (/^\s*$|^ {4}|^ *<!--|^---/.test(line)) passages.push({ line: at + 1, text: '' });
    else if (/^\s*(?:[-*+]|\d+\.|#+|>)\s/.test(line))
      passages.push({ line: at + 1, text: line.replace(/^\s*\S+\s/, '') });
    else if (passages.at(-1)?.text) Object.assign(passages.at(-1) ?? {}, { text: `${passages.at(-1)?.text} ${line}` });
    else passages.push({ line: at + 1, text: line });
  }
  return passages;
}

/** Strings are found so that a `//` in them begins no comment. */
const parts =
  /(?<doc>\/\*\*?[^]*?\*\/)|(?<lines>(?:^[ \t]*\/\/[^\n]*\n)+)|(?<tail>[ \t]\/\/[ \t][^\n]*)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/gm;
const named =
  /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*(?<quote>['"`])(?<name>(?:\\.|(?!\k<quote>)[^\\\n])*)\k<quote>,/g;

/** Comments and names of tests. @param {string} code @returns {Passage[]} */
export function passagesOfCode(code) {
  const lineAt = (/** @type {number} */ index) => code.slice(0, index).split('\n').length;
  const comments = [...code.matchAll(parts)].flatMap(({ index, groups }) => {
    const text = groups?.['doc'] ?? groups?.['lines'] ?? groups?.['tail'];
    return text === undefined || /oxlint-|@ts-|oxfmt-ignore/.test(text.trim())
      ? []
      : [{ line: lineAt(index), text: prose(text) }];
  });
  const names = [...code.matchAll(named)].map(({ index, groups }) => ({
    line: lineAt(index),
    text: groups?.['name']?.replace(/\$\{[^}]*\}/g, 'value') ?? '',
    isName: true,
  }));
  return [...comments, ...names];
}

/** The sentences of a comment: without its marks, tags and types. @param {string} comment */
function prose(comment) {
  return comment
    .replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/+)|\*\/\s*$/gm, '')
    .replace(/^(\s*[-*] )/gm, '. $1')
    .replace(/@\w+(?: \{(?:[^{}]|\{[^{}]*\})*\})?/g, '. ')
    .replace(/\n\s*\n/g, '. ');
}

/** @param {string} text */
export function sentencesOf(text) {
  return text
    .replace(/`[^`]*`/g, 'code')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\be\.g\.|\bi\.e\./g, 'such as')
    .split(/(?<=[.!?:;…][)”"*_]*)\s+/)
    .map(sentence => sentence.replace(/[*_]/g, '').trim())
    .filter(Boolean);
}

/** @param {Passage} passage @returns {string[]} */
export function faultsOf({ text, isName }) {
  return sentencesOf(text).flatMap(sentence => {
    const words = sentence.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length;
    const short = sentence.length > 70 ? `${sentence.slice(0, 67)}…` : sentence;
    const faults = banned.filter(([word]) => word.test(sentence)).map(([word, use]) => `${word.source}: use ${use}`);
    if (words > wordsAtMost) faults.push(`${words} words`);
    const start = isName ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence;
    if (opening.test(start) && !sentence.endsWith('?')) faults.push('begins with a question word');
    return faults.map(fault => `${fault}: ${short}`);
  });
}
