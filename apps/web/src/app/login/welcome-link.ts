export const welcomePath = '/welcome'

let token: string | undefined

/** Takes the token of an invitation or reset link out of the address bar, where a glance or a bookmark would keep it. */
export function takeToken(): string | undefined {
  const { pathname, hash } = window.location
  if (pathname !== welcomePath) return undefined
  if (hash.length > 1) {
    token = hash.slice(1)
    window.history.replaceState(null, '', welcomePath)
  }
  return token
}

/** On to the console: what the link was for is done. */
export function leaveWelcome(): void {
  token = undefined
  window.history.replaceState(null, '', '/admin')
}
