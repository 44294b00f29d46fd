import type { MoneyAtRisk } from '@agency/contract/types'
import { formatCount } from './format.ts'
import { useSessionState } from './session.ts'

type Affected = { affected_sites: number; affected_customers: number }

/** `12 sites` and `8 customers`, as far as any are affected. */
export function affectedParts({ affected_sites: sites, affected_customers: customers }: Affected): string[] {
  return [counted(sites, 'site'), counted(customers, 'customer')].filter(Boolean)
}

/** `12 sites · 8 customers`; an empty text where nobody is affected. */
export const affectedText = (affected: Affected): string => affectedParts(affected).join(' · ')

const counted = (count: number, what: string): string =>
  count === 0 ? '' : `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`

/** Whether figures of money are part of the rows: whoever may not see money gets none. */
export function useSeesMoney(rows: readonly { at_risk: readonly MoneyAtRisk[] | null }[] | undefined): boolean {
  const { actor } = useSessionState()
  const [first] = rows ?? []
  return first ? first.at_risk !== null : actor.permissions.includes('billing.read')
}
