import type { Site, SiteDetails } from '@agency/contract/types'
import { webAddress } from '../../lib/web-address.ts'
import type { Action } from '../../ui/action.ts'

export type SiteAct =
  | { kind: 'add'; domain?: string }
  | { kind: 'edit'; id: string }
  | { kind: 'import' }
  | { kind: 'status' | 'suspend' | 'resume' | 'delete'; site: Pick<Site, 'id' | 'site_name'> }

export type SiteDenials = {
  /** Why the actor may not change sites, or undefined. */
  write: string | undefined
  /** Why the actor may not deploy, or undefined. */
  deploy: string | undefined
}

type Options = {
  href: string
  denials: SiteDenials
  onAct: (act: SiteAct) => void
  onRedeploy: (site: Site) => void
  /** A deployment is being asked for right now. */
  isDeploying: boolean
}

type Can = SiteDetails['can']

/** Why it may not be done now, as far as a row tells. */
export function canOf({ status, at_provider, provider }: Site): Can {
  const isSuspended = status === 'suspended'
  const suspended = isSuspended ? 'Suspended: resume first' : null
  return {
    deploy: suspended ?? (provider === null ? 'Choose a host under Configuration first' : null),
    suspend: at_provider === 'resuming' ? 'Going back online' : suspended,
    resume: isSuspended ? null : 'Not suspended',
    delete: null,
  }
}

export function siteActions(site: Site, { href, denials, onAct, onRedeploy, isDeploying }: Options): Action[] {
  const busy = isDeploying ? 'Another deployment is starting' : undefined
  const address = webAddress(site.deployment_url)
  return [
    { label: 'View Details', href },
    { label: 'Edit Site', disabledReason: denials.write, onSelect: () => onAct({ kind: 'edit', id: site.id }) },
    address
      ? { label: 'Visit Site', href: address.href, external: true }
      : { label: 'Visit Site', disabledReason: 'No web address' },
    {
      label: 'Redeploy',
      disabledReason: denials.deploy ?? canOf(site).deploy ?? busy,
      onSelect: () => onRedeploy(site),
    },
    ...stateActions(site, denials, onAct),
  ]
}

/** What changes the state that the site is in. */
export function stateActions(
  site: Site,
  { write }: SiteDenials,
  onAct: (act: SiteAct) => void,
  can: Can = canOf(site),
): Action[] {
  const isSuspended = site.status === 'suspended'
  const act = (label: string, kind: 'status' | 'suspend' | 'resume' | 'delete', block: string | null): Action => ({
    label,
    disabledReason: write ?? block ?? undefined,
    onSelect: () => onAct({ kind, site }),
  })
  return [
    { ...act('Change Status', 'status', isSuspended ? 'Suspended: resume first' : null), divider: true },
    isSuspended ? act('Resume Site', 'resume', can.resume) : act('Suspend Site', 'suspend', can.suspend),
    { ...act('Delete Site', 'delete', can.delete), destructive: true },
  ]
}
