import { inSpan } from '@rtms/tracing';
import { subjectTemplate } from './subject-template.js';

type Trace = Record<string, string>;

/** A request until its reply. */
export function asking<T>(subject: string, requestID: string | undefined, work: () => Promise<T>): Promise<T> {
  const attributes = { ...about(subject), 'rtms.request_id': requestID };
  return inSpan({ name: `request ${subjectTemplate(subject)}`, kind: 'CLIENT', attributes }, work);
}

/** The work for a reply, in the trace of who asked. */
export function answering<T>(
  subject: string,
  { trace, requestID }: { trace: Trace; requestID: string },
  work: () => Promise<T>,
): Promise<T> {
  const attributes = { ...about(subject), 'rtms.request_id': requestID };
  return inSpan({ name: `respond ${subjectTemplate(subject)}`, kind: 'SERVER', attributes, carrier: trace }, work);
}

/** Until the stream has stored the message. */
export function publishing<T>(subject: string, work: () => Promise<T>): Promise<T> {
  return inSpan({ name: `publish ${subjectTemplate(subject)}`, kind: 'PRODUCER', attributes: about(subject) }, work);
}

/** The work for a message of a stream, in the trace of who published it; once for each time that it is given out. */
export function receiving<T>(subject: string, trace: Trace, work: () => Promise<T>): Promise<T> {
  const description = { name: `process ${subjectTemplate(subject)}`, attributes: about(subject), carrier: trace };
  return inSpan({ ...description, kind: 'CONSUMER' }, work);
}

function about(subject: string): Record<string, string> {
  return {
    'messaging.system': 'nats',
    'messaging.destination.name': subject,
    'messaging.destination.template': subjectTemplate(subject),
  };
}
