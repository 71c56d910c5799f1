import { TextInput, type TextInputProps } from '@mantine/core';
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
  return <CodeInput description={texts.codeHint} inputMode="numeric" maxLength={6} {...inputProps} />;
}

/** That, or one of the recovery codes. */
export function AnyCodeInput(inputProps: object) {
  return <CodeInput description={texts.anyCodeHint} maxLength={11} {...inputProps} />;
}

function CodeInput(inputProps: TextInputProps) {
  return <TextInput label={texts.code} autoComplete="one-time-code" {...inputProps} />;
}
