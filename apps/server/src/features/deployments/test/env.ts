/** All processes of a test open what one of them sealed. */
export const env = { SECRETS_KEY: 'a key that only these tests seal their secrets with' }
