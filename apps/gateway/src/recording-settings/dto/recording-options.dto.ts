import {
  colourForm,
  defaultRecordingOptions,
  recordingBounds,
  recordingChoices,
  type RecordingOptions,
} from '@rtms/contracts';
import { IsBoolean, IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { Default } from '../../fields/default.decorator.js';

function oneOf(field: keyof typeof recordingChoices): { message: string } {
  return { message: `${field} must be one of: ${recordingChoices[field].join(', ')}.` };
}

function flag(field: string): { message: string } {
  return { message: `${field} must be true or false.` };
}

function colourRule(field: string): { message: string } {
  return { message: `${field} must be a colour such as #1a2b3c.` };
}

function numberRule(field: keyof typeof recordingBounds, unit: string): { message: string } {
  const [least, most] = recordingBounds[field];
  return { message: `${field} must be a whole number of ${unit} from ${least} to ${most}.` };
}

const durationRule = numberRule('maxDurationSeconds', 'seconds');
const pausesRule = numberRule('pausesLimit', 'pauses');
const retentionRule = numberRule('retentionDays', 'days');

/** The settings that `create` and `update` take. */
export class RecordingOptionsDto {
  @IsOptional()
  @IsIn(recordingChoices.mediaOptions, oneOf('mediaOptions'))
  @Default(defaultRecordingOptions.mediaOptions)
  mediaOptions?: RecordingOptions['mediaOptions'] | null;

  @IsOptional()
  @IsIn(recordingChoices.audioOptions, oneOf('audioOptions'))
  @Default(defaultRecordingOptions.audioOptions)
  audioOptions?: RecordingOptions['audioOptions'] | null;

  @IsOptional()
  @IsIn(recordingChoices.videoOptions, oneOf('videoOptions'))
  @Default(defaultRecordingOptions.videoOptions)
  videoOptions?: RecordingOptions['videoOptions'] | null;

  @IsOptional()
  @IsIn(recordingChoices.videoType, oneOf('videoType'))
  @Default(defaultRecordingOptions.videoType)
  videoType?: RecordingOptions['videoType'] | null;

  @IsOptional()
  @IsBoolean(flag('videoOptimized'))
  @Default(defaultRecordingOptions.videoOptimized)
  videoOptimized?: boolean | null;

  @IsOptional()
  @IsIn(recordingChoices.recordingDisplayType, oneOf('recordingDisplayType'))
  @Default(defaultRecordingOptions.recordingDisplayType)
  recordingDisplayType?: RecordingOptions['recordingDisplayType'] | null;

  @IsOptional()
  @IsBoolean(flag('addHLS'))
  @Default(defaultRecordingOptions.addHLS)
  addHLS?: boolean | null;

  @IsOptional()
  @IsBoolean(flag('nameTags'))
  @Default(defaultRecordingOptions.nameTags)
  nameTags?: boolean | null;

  @IsOptional()
  @Matches(colourForm, colourRule('backgroundColor'))
  @Default(defaultRecordingOptions.backgroundColor)
  backgroundColor?: string | null;

  @IsOptional()
  @Matches(colourForm, colourRule('nameTagsColor'))
  @Default(defaultRecordingOptions.nameTagsColor)
  nameTagsColor?: string | null;

  @IsOptional()
  @IsIn(recordingChoices.orientation, oneOf('orientation'))
  @Default(defaultRecordingOptions.orientation)
  orientation?: RecordingOptions['orientation'] | null;

  @IsOptional()
  @Max(recordingBounds.maxDurationSeconds[1], durationRule)
  @Min(recordingBounds.maxDurationSeconds[0], durationRule)
  @IsInt(durationRule)
  @Default(defaultRecordingOptions.maxDurationSeconds)
  maxDurationSeconds?: number | null;

  @IsOptional()
  @Max(recordingBounds.pausesLimit[1], pausesRule)
  @Min(recordingBounds.pausesLimit[0], pausesRule)
  @IsInt(pausesRule)
  @Default(defaultRecordingOptions.pausesLimit)
  pausesLimit?: number | null;

  @IsOptional()
  @Max(recordingBounds.retentionDays[1], retentionRule)
  @Min(recordingBounds.retentionDays[0], retentionRule)
  @IsInt(retentionRule)
  @Default(defaultRecordingOptions.retentionDays)
  retentionDays?: number | null;
}
