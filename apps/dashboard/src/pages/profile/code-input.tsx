import { TextInput } from '@mantine/core';
import { profileTexts as texts } from '../../texts/profile.js';

export function codeProblem(code: string): string | null {
  return /^\d{6}$/.test(code.trim()) ? null : texts.codeWrong;
}

/** What the authenticator app shows now. */
export function CodeInput(inputProps: object) {
  return (
    <TextInput
      label={texts.code}
      description={texts.codeHint}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
      {...inputProps}
    />
  );
}
