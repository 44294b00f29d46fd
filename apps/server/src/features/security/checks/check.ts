import type { SecurityFinding } from '@agency/contract/security'
import type { AppContext } from '../../../context.ts'

export type Judged = {
  state: SecurityFinding['state']
  /** What was seen. */
  finding: string
  /** What to do about it. */
  advice?: string
  link?: { path: string; text: string }
}

export type Check = { id: string; title: string; run: (ctx: AppContext) => Promise<Judged> | Judged }

export const dayMs = 86_400_000
export const ok = (finding: string): Judged => ({ state: 'ok', finding })
export const unknown = (finding: string): Judged => ({ state: 'unknown', finding })

const named = 5

/** `Ada, Grace and 3 more` */
export function namesText(names: readonly string[]): string {
  if (names.length > named) return `${names.slice(0, named).join(', ')} and ${names.length - named} more`
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
