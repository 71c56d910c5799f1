import { ApiError } from '../api/request.js';
import { loadPart, messageOf, refusalsOf } from './messages.js';

const refused = (message: string) => new ApiError(message, 400, 'BAD_REQUEST', 'invalid_request', undefined);

describe('the text of an error', () => {
  it.each([
    ['Too many attempts. Try again in 503 s.', 503, 'Too many attempts. Try again in 9 minutes.'],
    ['All media nodes are full. Retry later.', 10, 'All media nodes are full. Try again in 10 seconds.'],
    ['The source session is not active.', 1, 'The source session is not active. Try again in 1 second.'],
    ['No such room in this account.', undefined, 'No such room in this account.'],
  ])('writes the wait of “%s” (%p s) in words', (message, wait, text) => {
    expect(messageOf(new ApiError(message, 429, 'RATE_LIMITED', undefined, wait))).toBe(text);
  });

  it('hides values that are no errors', () => {
    expect(messageOf({ secret: 1 })).toBe('Something failed.');
  });
});

describe('the refusal of a form', () => {
  it('goes to the fields that it names', () => {
    const error = refused(
      'secureCode must be text of 5 to 64 characters. duration must be a whole number from 1 to 1440.',
    );
    expect(refusalsOf(error, ['secureCode', 'duration'])).toEqual({
      fields: {
        secureCode: 'Must be text of 5 to 64 characters.',
        duration: 'Must be a whole number from 1 to 1440.',
      },
      rest: undefined,
    });
  });

  it('goes to inner fields, and to the field of a list', () => {
    const error = refused('peer.host must be a host name or an IP address. domains[2] must be a host name.');
    expect(Object.keys(refusalsOf(error, ['peer', 'domains']).fields)).toEqual(['peer.host', 'domains']);
  });

  it('stays above the form for fields that the form lacks, and for other refusals', () => {
    const error = refused('meetingID must be the identifier of a room. duration must be a whole number.');
    expect(refusalsOf(error, ['duration']).rest).toBe('meetingID must be the identifier of a room.');
    const taken = new ApiError('The name must be another.', 409, 'CONFLICT', 'name_taken', undefined);
    expect(refusalsOf(taken, ['The']).rest).toBe('The name must be another.');
    expect(refusalsOf(null, ['duration'])).toEqual({ fields: {}, rest: undefined });
  });
});

it('names no file when a part of the page cannot be loaded', async () => {
  const broken = Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/rooms-1.js'));
  await expect(loadPart(broken)).rejects.toThrow('A part of the dashboard could not be loaded. Check your connection');
});
