import { applyDecorators } from '@nestjs/common';
import type { MediaKind } from '@rtms/contracts';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn } from 'class-validator';

export const mediaKinds: readonly MediaKind[] = ['video', 'audio'];
const rule = { message: 'tracks must be a list of video, audio or both, each at most once.' };

/** A list of media kinds: at least one, none twice. */
export function IsMediaKinds(): PropertyDecorator {
  return applyDecorators(
    IsIn(mediaKinds, { ...rule, each: true }),
    ArrayUnique(rule),
    ArrayNotEmpty(rule),
    IsArray(rule),
  );
}
