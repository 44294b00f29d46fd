import { useSessionState } from './session.ts'

export type IdentityProof = { label: string; help: string; isCode: boolean }

/** What is asked once more before something that a borrowed session must not do. */
export function useIdentityProof(): IdentityProof {
  const { user } = useSessionState()
  if (!user) return { label: 'Admin key', help: 'Enter the admin key again', isCode: false }
  return user.second_factor.enabled
    ? { label: 'Two-step code', help: 'From your authenticator app, or a recovery code', isCode: true }
    : { label: 'Your password', help: 'Enter your password again', isCode: false }
}
