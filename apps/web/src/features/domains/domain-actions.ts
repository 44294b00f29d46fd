import type { Domain } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import { providerLink } from '../../lib/provider-link.ts'
import { webAddress } from '../../lib/web-address.ts'
import type { Action } from '../../ui/action.ts'

export type DomainAct = { kind: 'purge'; domain: Pick<Domain, 'id' | 'name'> } | { kind: 'add' }

export type DomainDenials = {
  /** Why the actor may not change sites, or undefined. */
  write: string | undefined
  /** Why the actor may not change DNS records, or undefined. */
  records: string | undefined
  /** Why the actor may not see analytics, or undefined. */
  analytics: string | undefined
}

type Options = {
  denials: DomainDenials
  hrefFor: (change: { open: string; tab: 'overview' | 'records' }) => string
  onAct: (act: DomainAct) => void
}

/** Where the domain's site is seen, if a browser may be sent there. */
export const siteAddress = (domain: Pick<Domain, 'url'>): string | undefined => webAddress(domain.url)?.href

export function domainActions(domain: Domain, { denials, hrefFor, onAct }: Options): Action[] {
  const address = siteAddress(domain)
  const settings = providerLink(domain.dashboard_url)
  return [
    { label: 'View Details', href: hrefFor({ open: domain.id, tab: 'overview' }) },
    address
      ? { label: 'Open Domain', href: address, external: true }
      : { label: 'Open Domain', disabledReason: 'The name is not a web address' },
    denials.analytics === undefined
      ? { label: 'View Analytics', href: paths.domainAnalytics(domain.id) }
      : { label: 'View Analytics', disabledReason: denials.analytics },
    { label: 'DNS Records', href: hrefFor({ open: domain.id, tab: 'records' }) },
    settings
      ? { label: 'Cloudflare Settings', href: settings, external: true }
      : { label: 'Cloudflare Settings', disabledReason: 'No page at Cloudflare' },
    {
      label: 'Purge Cache',
      divider: true,
      disabledReason: denials.write,
      onSelect: () => onAct({ kind: 'purge', domain }),
    },
  ]
}
