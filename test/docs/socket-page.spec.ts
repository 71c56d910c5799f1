import { readFileSync } from 'node:fs';
import { errorCatalogue, targetResolutions } from '@rtms/contracts';
import ts from 'typescript';
import { mediaBounds } from '../../apps/gateway/src/media/nodes/media-bounds.js';

const page = readFileSync('docs/socket.md', 'utf8');
const source = ts.createSourceFile(
  'room-socket.ts',
  readFileSync('libs/contracts/src/room-socket.ts', 'utf8'),
  ts.ScriptTarget.Latest,
);

/** Rows of the table whose first heading is given; cells without their marks of code. */
function rowsUnder(heading: string): string[][] {
  const table = page.split(/\n\n/).find(block => block.startsWith('|') && cellsOf(block)[0] === heading) ?? '';
  return table.split('\n').slice(2).map(cellsOf);
}

function cellsOf(row: string): string[] {
  const [line = ''] = row.split('\n');
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map(cell => cell.trim());
}

/** Names in code spans, outside of parentheses. */
function namesIn(cell: string): string[] {
  const spans = [...cell.replace(/\([^)]*\)/g, '').matchAll(/`([^`]+)`/g)].flatMap(([, span = '']) => span);
  return spans.flatMap(span => span.replace(/[{}]/g, '').split(',')).map(name => name.trim());
}

/** Fields of a type literal, optional ones with a `?`; undefined for a named type. */
function fieldsOf(type: ts.TypeNode | undefined): string[] | undefined {
  if (type?.getText(source) === 'Nothing') return [];
  if (type === undefined || !ts.isTypeLiteralNode(type)) return undefined;
  return type.members.map(member => `${nameOf(member)}${member.questionToken === undefined ? '' : '?'}`);
}

function nameOf(member: ts.TypeElement): string {
  return member.name?.getText(source).replace(/^'|'$/g, '') ?? '';
}

function membersOf(name: string): { name: string; type: ts.TypeNode | undefined }[] {
  const declared = source.statements.filter(ts.isInterfaceDeclaration).find(each => each.name.text === name);
  return (declared?.members ?? []).flatMap(member =>
    ts.isPropertySignature(member) ? [{ name: nameOf(member), type: member.type }] : [],
  );
}

/** The types of a request and a reply in `Command<Request, Reply>`; the reply has no fields by default. */
function typesOf(type: ts.TypeNode | undefined): (ts.TypeNode | undefined)[] {
  return type !== undefined && ts.isTypeReferenceNode(type) ? [...(type.typeArguments ?? [])] : [];
}

describe('the page about the room socket', () => {
  it('has each command with its fields and its answer', () => {
    const commands = membersOf('SocketCommands');
    expect(commands.length).toBeGreaterThan(20);
    const documented = new Map(rowsUnder('Command').map(([name = '', ...cells]) => [namesIn(name)[0], cells]));
    expect([...documented.keys()]).toEqual(commands.map(({ name }) => name));
    for (const { name, type } of commands) {
      const [request = '', reply = ''] = documented.get(name) ?? [];
      const [requestType, replyType] = typesOf(type);
      expect([name, ...namesIn(request)]).toEqual([name, ...(fieldsOf(requestType) ?? [])]);
      const fields = replyType ? fieldsOf(replyType) : [];
      if (fields !== undefined) expect([name, ...namesIn(reply)]).toEqual([name, ...fields]);
    }
  });

  it('has each event with its fields', () => {
    const events = membersOf('RoomEvents').map(({ name, type }) => [name, fieldsOf(type)]);
    expect(rowsUnder('`event`').map(([name = '', content = '']) => [namesIn(name)[0], namesIn(content)])).toEqual(
      events,
    );
  });

  it('has each signal and each message of the server', () => {
    const signals = [...source.text.matchAll(/\{ type: '([a-z.]+)'/g)].map(([, name]) => name);
    expect(rowsUnder('`signal`').flatMap(([name = '']) => namesIn(name))).toEqual(signals);
    const messages = membersOf('ServerToClientEvents').map(({ name }) => name);
    expect(rowsUnder('Message').flatMap(([name = '']) => namesIn(name))).toEqual(messages);
  });

  it('names reasons of the catalogue', () => {
    const reasons = rowsUnder('Reason').flatMap(([reason = '']) => namesIn(reason));
    expect(reasons.length).toBeGreaterThan(5);
    expect(reasons.filter(reason => !(reason in errorCatalogue))).toEqual([]);
  });

  it('has the bounds of each resolution', () => {
    const rows = rowsUnder('`targetResolution`').map(([name = '', ...bounds]) => [
      namesIn(name)[0],
      ...bounds.map(bound => Number(bound.replaceAll(',', ''))),
    ]);
    const bounds = targetResolutions.map(name => [name, mediaBounds(name).maxHeight, mediaBounds(name).maxBitrate]);
    expect(rows.sort()).toEqual(bounds.sort());
  });
});
