import { applyDecorators } from '@nestjs/common';
import { IsEmail, IsIn, MaxLength } from 'class-validator';
import { subUserRoles } from '../auth/granted-operations.js';

const emailRule = { message: 'email must be an e-mail address of at most 254 characters.' };
const states = ['active', 'disabled'] as const;

export const IsEmailAddress = (): PropertyDecorator =>
  applyDecorators(MaxLength(254, emailRule), IsEmail({}, emailRule));

export const IsRole = (): PropertyDecorator =>
  IsIn(subUserRoles, { message: `role must be one of: ${subUserRoles.join(', ')}.` });

export const IsState = (): PropertyDecorator =>
  IsIn(states, { message: `state must be one of: ${states.join(', ')}.` });
