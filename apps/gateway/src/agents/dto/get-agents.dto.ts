import { IsOptional, IsString } from 'class-validator';

export class GetAgentsDto {
  @IsOptional()
  @IsString({ message: 'agentID must be given once.' })
  agentID?: string;

  @IsOptional()
  @IsString({ message: 'name must be given once.' })
  name?: string;
}
