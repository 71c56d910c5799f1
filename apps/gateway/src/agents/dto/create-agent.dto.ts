import { Default } from '../../fields/default.decorator.js';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { IsHttpsURL } from '../../fields/https-url.decorator.js';
import { IsText } from '../../fields/text.decorator.js';
import { AgentReferenceDto } from './agent-reference.dto.js';

const temperatureRule = { message: 'temperature must be a number from 0 to 1.' };
const minutesRule = { message: 'maxSessionMinutes must be a whole number of minutes from 1 to 120.' };
const todoRule = { message: 'todo must be a list of at most 100 texts.' };
const referenceRule = { message: 'reference must be an object.' };

export const agentDefaults = {
  instructions: '',
  firstMessage: null,
  speaksFirst: true,
  temperature: 0.7,
  responseGuidelines: null,
  maxSessionMinutes: 30,
  webhookUrl: null,
  todo: [],
  reference: {},
};

export class CreateAgentDto {
  @IsText('name', 1, 128)
  name!: string;

  @IsOptional()
  @IsText('role', 1, 128)
  role?: string | null;

  @IsOptional()
  @IsText('instructions', 0, 4096)
  @Default(agentDefaults.instructions)
  instructions?: string | null;

  @IsOptional()
  @IsText('firstMessage', 0, 2000)
  firstMessage?: string | null;

  @IsOptional()
  @IsBoolean({ message: 'speaksFirst must be true or false.' })
  @Default(agentDefaults.speaksFirst)
  speaksFirst?: boolean | null;

  @IsOptional()
  @Max(1, temperatureRule)
  @Min(0, temperatureRule)
  @IsNumber({ allowNaN: false, allowInfinity: false }, temperatureRule)
  @Default(agentDefaults.temperature)
  temperature?: number | null;

  @IsOptional()
  @IsText('responseGuidelines', 0, 4096)
  responseGuidelines?: string | null;

  @IsOptional()
  @Max(120, minutesRule)
  @Min(1, minutesRule)
  @IsInt(minutesRule)
  @Default(agentDefaults.maxSessionMinutes)
  maxSessionMinutes?: number | null;

  @IsOptional()
  @IsHttpsURL('webhookUrl')
  webhookUrl?: string | null;

  @IsOptional()
  @IsText('Each text of todo', 1, 512, { each: true })
  @ArrayMaxSize(100, todoRule)
  @IsArray(todoRule)
  @Default(agentDefaults.todo)
  todo?: string[] | null;

  @IsOptional()
  @ValidateNested(referenceRule)
  @IsObject(referenceRule)
  @Type(() => AgentReferenceDto)
  reference?: AgentReferenceDto | null;
}
