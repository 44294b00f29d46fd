/** The address as one that a browser may be sent to: http or https, without a name or password in it. */
export function webAddress(address: string | null): URL | null {
  if (address === null) return null
  try {
    const url = new URL(address)
    const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
    return isWeb && !url.username && !url.password ? url : null
  } catch {
    return null
  }
}
