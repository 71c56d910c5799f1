const words =
  'api_?keys?|keys?|secrets?|tokens?|passwords?|passwd|pwd|passphrase|passcode|credentials?|authorization|o?auth2?|bearer|signature|sig|hmac|cookies?|jwt|sid|headers?';
/** What such a name may end with. */
const endings = '(?:_(?:ids?|values?|hash|\\d+)|\\d+)?';
const secretWord = new RegExp(`(?:^|_)(?:${words})${endings}$`);

/** Whether a field of this name holds a key, or leads to one. Plain counts such as `maxTokens` are told by their value. */
export function isSecretName(name: string): boolean {
  const snake = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return secretWord.test(snake.toLowerCase());
}
