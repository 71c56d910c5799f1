import { applyDecorators } from '@nestjs/common';
import { keyValidityDays, participantRoles } from '@rtms/contracts';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsInt, Length, Max, Min } from 'class-validator';
import { IsDomain } from '../domains/is-domain.decorator.js';

const maxDomains = 100;
const validityRule = {
  message: `validityDays must be a whole number of days from ${keyValidityDays.min} to ${keyValidityDays.max}, or null for no end.`,
};
const domainsRule = { message: `domains must be a list of 1 to ${maxDomains} different host names.` };

export const IsValidity = (): PropertyDecorator =>
  applyDecorators(IsInt(validityRule), Min(keyValidityDays.min, validityRule), Max(keyValidityDays.max, validityRule));

const maxRooms = 100;
const roomsRule = { message: `meetingIDs must be a list of 1 to ${maxRooms} different identifiers of rooms.` };

export const AreMeetingIDs = (): PropertyDecorator =>
  applyDecorators(
    IsArray(roomsRule),
    ArrayMaxSize(maxRooms, roomsRule),
    ArrayMinSize(1, roomsRule),
    ArrayUnique(roomsRule),
    Length(1, 64, { ...roomsRule, each: true }),
  );

export const IsMaxRole = (): PropertyDecorator =>
  IsIn(participantRoles, { message: `maxRole must be one of: ${participantRoles.join(', ')}.` });

/** The rule listed first is checked first. */
export const AreDomains = (): PropertyDecorator =>
  applyDecorators(
    IsArray(domainsRule),
    ArrayMaxSize(maxDomains, domainsRule),
    ArrayMinSize(1, domainsRule),
    ArrayUnique(domainsRule),
    IsDomain({ each: true }),
  );
