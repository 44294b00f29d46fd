import * as dashboard from '@agency/contract/descriptors/dashboard'
import type { Need, NeedKind } from '@agency/contract/types'
import { q, type ResponseOf } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import type { Tone } from '../../theme/palette.ts'

export const needsQuery = q(dashboard.getNeeds, {})

type Words = {
  label: string
  tone: Tone
  /** What its link does. */
  action: string
  /** Where all of the kind are. */
  all: { label: string; href: string }
  /** The money is what comes in a month, not one amount. */
  isMonthly: boolean
}

export const needWords: Record<NeedKind, Words> = {
  incident: {
    ...{ label: 'Incident', tone: 'error', action: 'Open incident', isMonthly: true },
    all: { label: 'incidents', href: paths.incidents },
  },
  past_due: {
    ...{ label: 'Past due', tone: 'error', action: 'Open subscription', isMonthly: false },
    all: { label: 'past-due subscriptions', href: `${paths.subscriptions}?status=past_due` },
  },
  failed_payment: {
    ...{ label: 'Failed payment', tone: 'warning', action: 'Open payment', isMonthly: false },
    all: { label: 'failed payments', href: `${paths.payments}?status=failed` },
  },
  domain: {
    ...{ label: 'Domain', tone: 'warning', action: 'Open domain', isMonthly: true },
    all: { label: 'domains', href: paths.domains },
  },
  certificate: {
    ...{ label: 'Certificate', tone: 'warning', action: 'Open site', isMonthly: true },
    all: { label: 'certificates', href: `${paths.sites}?ssl=issues` },
  },
  deployment: {
    ...{ label: 'Failed deployment', tone: 'error', action: 'View log', isMonthly: true },
    all: { label: 'failed deployments', href: `${paths.deployments}?status=failed` },
  },
  purchase: {
    ...{ label: 'Stuck purchase', tone: 'warning', action: 'Reset purchase', isMonthly: false },
    all: { label: 'stuck purchases', href: paths.purchases },
  },
  drift: {
    ...{ label: 'Money drift', tone: 'warning', action: 'Review', isMonthly: true },
    all: { label: 'rows of money drift', href: paths.moneyDrift },
  },
}

export type NeedsAnswer = ResponseOf<typeof dashboard.getNeeds>
type Source = NeedsAnswer['sources'][number]

/** `Domains, certificates`: what could not be loaded. */
export const failedText = (sources: readonly Source[]): string =>
  sources
    .filter(({ ok }) => !ok)
    .map(({ kind }) => needWords[kind].all.label)
    .join(', ')

/** Kinds of which there are more than the answer holds. */
export function furtherOf(sources: readonly Source[], needs: readonly Need[]): { kind: NeedKind; total: number }[] {
  return sources.flatMap((source) => {
    if (!source.ok) return []
    const listed = needs.filter(({ kind }) => kind === source.kind).length
    // What another source tells of is not listed twice, so only a list that is full leaves some out.
    return listed >= 20 && source.total > listed ? [{ kind: source.kind, total: source.total }] : []
  })
}
