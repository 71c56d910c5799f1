import { subjectTemplate } from './subject-template.js';

describe('the template of a subject', () => {
  it.each([
    ['rtms.sfu.sfu-1.session.open', 'rtms.sfu.*.session.open'],
    ['rtms.transcoder.node_7.broadcast.start', 'rtms.transcoder.*.broadcast.start'],
    ['rtms.room.room_1.signal', 'rtms.room.*.signal'],
    ['rtms.fact.external_session.active.ext_1', 'rtms.fact.external_session.active.*'],
    ['rtms', 'rtms'],
  ])('of %s is %s', (subject, template) => {
    expect(subjectTemplate(subject)).toBe(template);
  });
});
