import { inSpan } from '@rtms/tracing';
import { subjectTemplate } from '../port/subjects.js';

type Trace = Record<string, string>;

/** Client span: from the request to the reply. */
export function asking<T>(subject: string, requestID: string | undefined, work: () => Promise<T>): Promise<T> {
  const attributes = { ...about(subject), 'rtms.request_id': requestID };
  return inSpan({ name: `request ${subjectTemplate(subject)}`, kind: 'CLIENT', attributes }, work);
}

/** Server span: the responder's work, in the caller's trace. */
export function answering<T>(
  subject: string,
  { trace, requestID }: { trace: Trace; requestID: string },
  work: () => Promise<T>,
): Promise<T> {
  const attributes = { ...about(subject), 'rtms.request_id': requestID };
  return inSpan({ name: `respond ${subjectTemplate(subject)}`, kind: 'SERVER', attributes, carrier: trace }, work);
}

/** Producer span: until the stream has stored the message. */
export function publishing<T>(subject: string, work: () => Promise<T>): Promise<T> {
  return inSpan({ name: `publish ${subjectTemplate(subject)}`, kind: 'PRODUCER', attributes: about(subject) }, work);
}

/** Consumer span: one delivery of a stream's message, in the publisher's trace. */
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
