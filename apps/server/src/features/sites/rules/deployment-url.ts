/** An address that a browser may be sent to, or null: http or https, a host, nobody's name and password. */
export function deploymentUrl(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  const isPlain = (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === ''
  if (!isPlain || url.hostname === '') return null
  const isBare = url.pathname === '/' && url.search === '' && url.hash === ''
  return isBare ? url.origin : url.href
}

export const defaultUrl = (domain: string): string => `https://${domain}`
