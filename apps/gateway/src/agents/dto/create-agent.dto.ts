import { agentBounds, agentDefaults } from '@rtms/contracts';
import { Default } from '../../fields/default.decorator.js';
import { ArrayMaxSize, IsArray, IsBoolean, IsInt, IsNumber, IsOptional, Max, Min } from 'class-validator';
import { IsHttpsURL } from '../../fields/https-url.decorator.js';
import { IsNested } from '../../fields/nested.decorator.js';
import { IsText } from '../../fields/text.decorator.js';
import { AgentReferenceDto } from './agent-reference.dto.js';

const { temperature: heat, sessionMinutes: minutes, todo } = agentBounds;
const temperatureRule = { message: `temperature must be a number from ${heat.min} to ${heat.max}.` };
const minutesRule = {
  message: `maxSessionMinutes must be a whole number of minutes from ${minutes.min} to ${minutes.max}.`,
};
const todoRule = { message: `todo must be a list of at most ${todo.items} texts.` };
const referenceRule = { message: 'reference must be an object.' };

export class CreateAgentDto {
  @IsText('name', 1, agentBounds.name)
  name!: string;

  @IsOptional()
  @IsText('role', 1, agentBounds.role)
  role?: string | null;

  @IsOptional()
  @IsText('instructions', 0, agentBounds.instructions)
  @Default(agentDefaults.instructions)
  instructions?: string | null;

  @IsOptional()
  @IsText('firstMessage', 0, agentBounds.firstMessage)
  firstMessage?: string | null;

  @IsOptional()
  @IsBoolean({ message: 'speaksFirst must be true or false.' })
  @Default(agentDefaults.speaksFirst)
  speaksFirst?: boolean | null;

  @IsOptional()
  @Max(heat.max, temperatureRule)
  @Min(heat.min, temperatureRule)
  @IsNumber({ allowNaN: false, allowInfinity: false }, temperatureRule)
  @Default(agentDefaults.temperature)
  temperature?: number | null;

  @IsOptional()
  @IsText('responseGuidelines', 0, agentBounds.responseGuidelines)
  responseGuidelines?: string | null;

  @IsOptional()
  @Max(minutes.max, minutesRule)
  @Min(minutes.min, minutesRule)
  @IsInt(minutesRule)
  @Default(agentDefaults.maxSessionMinutes)
  maxSessionMinutes?: number | null;

  @IsOptional()
  @IsHttpsURL('webhookUrl')
  webhookUrl?: string | null;

  @IsOptional()
  @IsText('Each text of todo', 1, todo.characters, { each: true })
  @ArrayMaxSize(todo.items, todoRule)
  @IsArray(todoRule)
  @Default(agentDefaults.todo)
  todo?: string[] | null;

  @IsOptional()
  @IsNested(() => AgentReferenceDto, referenceRule)
  reference?: AgentReferenceDto | null;
}
