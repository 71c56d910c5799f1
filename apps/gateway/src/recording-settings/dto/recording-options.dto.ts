import { Default } from '../../fields/default.decorator.js';
import { IsBoolean, IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import {
  audioOptions,
  defaultRecordingOptions,
  displayTypes,
  mediaOptions,
  orientations,
  recordingBounds,
  videoOptions,
  videoTypes,
  type RecordingOptions,
} from '../recording-options.js';

const colour = /^#[0-9A-Fa-f]{6}$/;

function oneOf(field: string, values: readonly string[]): { message: string } {
  return { message: `${field} must be one of: ${values.join(', ')}.` };
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
  @IsIn(mediaOptions, oneOf('mediaOptions', mediaOptions))
  @Default(defaultRecordingOptions.mediaOptions)
  mediaOptions?: RecordingOptions['mediaOptions'] | null;

  @IsOptional()
  @IsIn(audioOptions, oneOf('audioOptions', audioOptions))
  @Default(defaultRecordingOptions.audioOptions)
  audioOptions?: RecordingOptions['audioOptions'] | null;

  @IsOptional()
  @IsIn(videoOptions, oneOf('videoOptions', videoOptions))
  @Default(defaultRecordingOptions.videoOptions)
  videoOptions?: RecordingOptions['videoOptions'] | null;

  @IsOptional()
  @IsIn(videoTypes, oneOf('videoType', videoTypes))
  @Default(defaultRecordingOptions.videoType)
  videoType?: RecordingOptions['videoType'] | null;

  @IsOptional()
  @IsBoolean(flag('videoOptimized'))
  @Default(defaultRecordingOptions.videoOptimized)
  videoOptimized?: boolean | null;

  @IsOptional()
  @IsIn(displayTypes, oneOf('recordingDisplayType', displayTypes))
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
  @Matches(colour, colourRule('backgroundColor'))
  @Default(defaultRecordingOptions.backgroundColor)
  backgroundColor?: string | null;

  @IsOptional()
  @Matches(colour, colourRule('nameTagsColor'))
  @Default(defaultRecordingOptions.nameTagsColor)
  nameTagsColor?: string | null;

  @IsOptional()
  @IsIn(orientations, oneOf('orientation', orientations))
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
