import { TextInput } from '@mantine/core';
import { profileTexts as texts } from '../../texts/profile.js';

const digits = /^\d{6}$/;
const recoveryCode = /^[a-z\d]{5}[\s-]?[a-z\d]{5}$/i;

export function appCodeProblem(code: string): string | null {
  return digits.test(code.trim()) ? null : texts.codeWrong;
}

export function anyCodeProblem(code: string): string | null {
  return digits.test(code.trim()) || recoveryCode.test(code.trim()) ? null : texts.anyCodeWrong;
}

/** What the authenticator app shows now. */
export function AppCodeInput(inputProps: object) {
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

/** That, or one of the recovery codes. */
export function AnyCodeInput(inputProps: object) {
  return (
    <TextInput
      label={texts.code}
      description={texts.anyCodeHint}
      autoComplete="one-time-code"
      maxLength={11}
      {...inputProps}
    />
  );
}
