import { ProbeError } from '../../../platform/probe/probe-error.ts'
import { checkUrl, type Doors } from '../../../platform/probe/target.ts'

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

/** Whether the console itself may ask there; what it may not, it does not send people to either. */
export function isPublicUrl(url: string, doors: Doors): boolean {
  try {
    checkUrl(url, doors)
    return true
  } catch (error) {
    if (error instanceof ProbeError) return false
    throw error
  }
}
